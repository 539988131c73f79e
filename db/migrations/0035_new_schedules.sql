-- An account's scheduled transfers by age. The check for alerts reads whether one was scheduled shortly before a payment.
-- This index also replaces `scheduled_transfers_own`.
-- Outside a transaction
CREATE INDEX CONCURRENTLY scheduled_transfers_of ON scheduled_transfers (account_id, created_at);
DROP INDEX CONCURRENTLY IF EXISTS scheduled_transfers_own;
