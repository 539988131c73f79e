-- The listed names that share enough trigrams with one of these folded names, in any alphabet. The caller compares them word by
-- word.
CREATE OR REPLACE FUNCTION screening_candidates(p_names text[])
RETURNS TABLE (place bigint, entry_id text, name text, folded text, date_of_birth text, program text, hash uuid)
LANGUAGE sql STABLE SET search_path = public, pg_temp
SET enable_seqscan = off SET pg_trgm.similarity_threshold = 0.3 AS $$
  SELECT n.place, s.entry_id, s.name, s.folded, e.date_of_birth, e.program, e.hash
    FROM (SELECT u.place, trigram_text(u.folded) AS text
            FROM unnest(p_names) WITH ORDINALITY AS u(folded, place) OFFSET 0) n,
         LATERAL (SELECT * FROM screening_names l WHERE trigram_text(l.folded) % n.text OFFSET 0) s,
         LATERAL (SELECT * FROM screening_entries l WHERE l.id = s.entry_id OFFSET 0) e
$$;

-- An insert appends to a list of pending entries of the index, which every search reads from start to end: right after an
-- import, a search took five times as long, until autovacuum ran. Only the owner of the index may move them into it.
-- (fastupdate = off would also avoid the list, but then an import takes ten times as long.)
CREATE FUNCTION flush_screening_names() RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT gin_clean_pending_list('screening_names_trigrams')
$$;
REVOKE ALL ON FUNCTION flush_screening_names FROM PUBLIC;
GRANT EXECUTE ON FUNCTION flush_screening_names TO larkspur_app;
