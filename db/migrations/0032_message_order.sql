-- The waiting messages of the contact form. Messages of customers come before messages of strangers, who can send any number.
-- Outside a transaction
CREATE INDEX CONCURRENTLY contact_messages_customers_first ON contact_messages (is_logged_in DESC, at, id)
  WHERE closed_at IS NULL;
