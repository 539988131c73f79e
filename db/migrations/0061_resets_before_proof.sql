-- When the password was reset before anyone had proven the email. Whoever did so reads the mailbox, but may not be the person
-- who registered. Null if the email was first proven by a login, and for resets before this migration.
ALTER TABLE customers ADD COLUMN reset_unproven_at timestamptz;
