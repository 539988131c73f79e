-- Messages of the contact form: kept whole, and mailed to the Help Desk by a job.
CREATE TABLE contact_messages (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL,
  subject text NOT NULL,
  message text NOT NULL,
  address text NOT NULL,
  at timestamptz NOT NULL DEFAULT now()
);
-- Gone with the customer whose address they came from.
CREATE INDEX contact_messages_email ON contact_messages (email);
GRANT SELECT, INSERT, DELETE ON contact_messages TO larkspur_app;
