-- Only `screening_candidates` used this index, and it uses `screening_names_trigrams` now.
-- Outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS screening_names_folded;
