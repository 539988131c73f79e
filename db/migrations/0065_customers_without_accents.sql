-- Search by any part of a customer's name or email, typed with or without accents.
-- Outside a transaction
CREATE INDEX CONCURRENTLY customers_plain_words ON customers
  USING gin (without_accents(first_name || ' ' || last_name || ' ' || middle_name || ' ' || email) gin_trgm_ops)
  WHERE deleted_at IS NULL;
