-- Scheduled transfers of an account by age: the check for alerts asks whether a customer who paid scheduled one just before.
-- The index also serves what the former one did.
-- Outside a transaction
CREATE INDEX CONCURRENTLY scheduled_transfers_of ON scheduled_transfers (account_id, created_at);
DROP INDEX CONCURRENTLY IF EXISTS scheduled_transfers_own;
