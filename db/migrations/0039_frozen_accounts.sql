-- Few accounts are frozen. Without an index, the list of held payments and the end of the day would read all accounts.
-- Outside a transaction
CREATE INDEX CONCURRENTLY ledger_accounts_frozen ON ledger_accounts (id) WHERE is_frozen;
