-- Messages of the contact form. They are stored whole, and a job mails them to the Help Desk.
CREATE TABLE contact_messages (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL,
  subject text NOT NULL,
  message text NOT NULL,
  address text NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  -- The customer who was logged in, or whose email this was until staff changed it.
  customer_id uuid,
  is_logged_in boolean NOT NULL DEFAULT false,
  -- The email of a message without a customer. The form does not prove whose it is.
  visitor_email text GENERATED ALWAYS AS (CASE WHEN customer_id IS NULL THEN lower(email) END) STORED,
  CHECK (customer_id IS NOT NULL OR NOT is_logged_in)
);
CREATE INDEX contact_messages_age ON contact_messages (at);
-- Erasing a customer deletes their messages, and those sent from their email.
CREATE INDEX contact_messages_customer ON contact_messages (customer_id) WHERE customer_id IS NOT NULL;
CREATE INDEX contact_messages_visitor ON contact_messages (visitor_email) WHERE visitor_email IS NOT NULL;
GRANT SELECT, INSERT, DELETE, UPDATE (customer_id) ON contact_messages TO larkspur_app;
