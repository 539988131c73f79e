-- Finds the customers of 0061 among those who wait for staff.
-- Outside a transaction
CREATE INDEX CONCURRENTLY customers_reset_unproven ON customers (id) WHERE reset_unproven_at IS NOT NULL AND deleted_at IS NULL;
