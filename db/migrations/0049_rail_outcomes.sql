-- Counts the exceptions and the deposits sent back of a file without reading its other lines.
-- Outside a transaction
CREATE INDEX CONCURRENTLY rail_incoming_outcomes ON rail_incoming (file_id, outcome)
  WHERE outcome IN ('exception', 'sent-back');
