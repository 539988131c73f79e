-- Messages of the contact form. They are stored whole, and a job mails them to the Help Desk.
CREATE TABLE contact_messages (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL,
  subject text NOT NULL,
  message text NOT NULL,
  address text NOT NULL,
  at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX contact_messages_age ON contact_messages (at);
-- Erasing a customer deletes the messages sent from their email.
CREATE INDEX contact_messages_email ON contact_messages (email);
GRANT SELECT, INSERT, DELETE ON contact_messages TO larkspur_app;
