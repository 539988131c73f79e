-- The index that finds the names on the sanctions list in any alphabet, by the function of 0043.
-- Outside a transaction
CREATE INDEX CONCURRENTLY screening_names_trigrams ON screening_names USING gin (trigram_text(folded) gin_trgm_ops);
