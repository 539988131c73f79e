-- The index that finds listed names of any alphabet.
-- Outside a transaction
CREATE INDEX CONCURRENTLY screening_names_trigrams ON screening_names USING gin (trigram_text(folded) gin_trgm_ops);
