-- Booking a deposit ends the exceptions of failed lines with the same reference. Without an index, each deposit would read all
-- lines to find them.
-- Outside a transaction
CREATE INDEX CONCURRENTLY rail_incoming_exceptions ON rail_incoming (ref) WHERE outcome = 'exception' AND kind = 'deposit';
