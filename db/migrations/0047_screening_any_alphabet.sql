-- The listed names that share enough trigrams with one of these folded names, in any alphabet. The caller compares them word by
-- word. Nothing uses the index `screening_names_folded` any more; it can go one release later.
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

CREATE OR REPLACE FUNCTION flush_screening_names() RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT gin_clean_pending_list('screening_names_folded') + gin_clean_pending_list('screening_names_trigrams')
$$;
