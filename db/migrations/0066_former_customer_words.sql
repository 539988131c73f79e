-- Searches use `customers_plain_words` now. A server of the previous version reads all customers until it is replaced.
-- Outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS customers_words;
