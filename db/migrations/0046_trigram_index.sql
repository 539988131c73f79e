-- Outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS screening_names_trigrams;
CREATE INDEX CONCURRENTLY screening_names_trigrams ON screening_names USING gin (trigram_text(folded) gin_trgm_ops);
