-- The waiting messages of the contact form, those of customers first, so that a flood of messages by strangers does not delay
-- them.
-- Outside a transaction
CREATE INDEX CONCURRENTLY contact_messages_customers_first ON contact_messages (is_logged_in DESC, at, id)
  WHERE closed_at IS NULL;
