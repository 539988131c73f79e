-- When a deposit is booked, the exception of a line with the same reference that could not be booked ends. Without an index,
-- each deposit would read all lines.
-- Outside a transaction
CREATE INDEX CONCURRENTLY rail_incoming_exceptions ON rail_incoming (ref) WHERE outcome = 'exception' AND kind = 'deposit';
