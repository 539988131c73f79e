-- For a change of the email: whether the customer had proven the former one. Copies of security mails go only to such an email.
-- Null: a change of a name, or a change that was made before this migration, which counts as not proven.
ALTER TABLE customer_changes ADD COLUMN was_proven boolean;
