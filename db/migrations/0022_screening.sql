-- Sanctions screening: the list that was imported last, and the customers who resemble an entry. Also indexes of the back
-- office's searches.

-- Each import of a list, and how far the screening of all customers has come. The list itself is that of the newest import.
CREATE TABLE screening_imports (
  id uuid PRIMARY KEY,
  imported_at timestamptz NOT NULL DEFAULT now(),
  entries integer NOT NULL,
  -- The customers up to this id were screened.
  screened_to uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  screened integer NOT NULL DEFAULT 0,
  finished_at timestamptz
);
CREATE TABLE screening_entries (
  id text PRIMARY KEY,
  name text NOT NULL,
  aliases text[] NOT NULL,
  -- As in the list: a day, a month, a year, or empty.
  date_of_birth text NOT NULL,
  program text NOT NULL,
  -- Covers names and date of birth: if they change, a decision about the former entry does not count.
  hash uuid NOT NULL
);
-- Each name and alias of an entry, folded (src/server/people/nameMatching.ts).
CREATE TABLE screening_names (
  entry_id text NOT NULL REFERENCES screening_entries (id) ON DELETE CASCADE,
  name text NOT NULL,
  folded text NOT NULL,
  PRIMARY KEY (entry_id, name)
);
CREATE INDEX screening_names_folded ON screening_names USING gin (folded gin_trgm_ops);

-- The listed names that share enough trigrams with one of these folded names. The caller compares them word by word.
CREATE FUNCTION screening_candidates(p_names text[])
RETURNS TABLE (place bigint, entry_id text, name text, folded text, date_of_birth text, program text, hash uuid)
LANGUAGE sql STABLE SET search_path = public, pg_temp
SET enable_seqscan = off SET pg_trgm.similarity_threshold = 0.3 AS $$
  SELECT n.place, s.entry_id, s.name, s.folded, e.date_of_birth, e.program, e.hash
    FROM unnest(p_names) WITH ORDINALITY AS n(folded, place),
         LATERAL (SELECT * FROM screening_names l WHERE l.folded % n.folded OFFSET 0) s,
         LATERAL (SELECT * FROM screening_entries l WHERE l.id = s.entry_id OFFSET 0) e
$$;

-- A customer who resembles an entry. The fields of the entry are copied, because the list changes. `outdated`: the list or the
-- customer's name changed before the match was decided.
CREATE TABLE screening_hits (
  id uuid PRIMARY KEY,
  customer_id uuid NOT NULL,
  entry_id text NOT NULL,
  -- Computed from the entry's hash and the customer's name, so that the same match is not stored twice.
  match_hash uuid NOT NULL,
  listed_name text NOT NULL,
  date_of_birth text NOT NULL,
  program text NOT NULL,
  score smallint NOT NULL CHECK (score BETWEEN 0 AND 100),
  found_at timestamptz NOT NULL DEFAULT now(),
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'match', 'no-match', 'outdated')),
  decided_by uuid REFERENCES admins (id),
  decided_at timestamptz,
  reason text,
  UNIQUE (customer_id, entry_id, match_hash)
);
CREATE INDEX screening_hits_state ON screening_hits (state, id);

GRANT SELECT, INSERT, UPDATE, DELETE ON screening_imports, screening_entries, screening_names, screening_hits
  TO larkspur_app;

-- The order by name of the customers and their queues.
CREATE INDEX customers_by_name ON customers (lower(last_name), lower(first_name), account_id) WHERE deleted_at IS NULL;

-- The audit log by reason, and by address. The records of postings are in neither.
CREATE INDEX audit_log_reason ON audit_log USING gin ((data->>'reason') gin_trgm_ops)
  WHERE actor_kind = 'admin' AND data->>'reason' IS NOT NULL;
CREATE INDEX audit_log_address ON audit_log (address, action, at, id) WHERE address IS NOT NULL;
