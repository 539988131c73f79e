-- What is remembered for ever (the audit log and its seals) and what happens later (jobs, money news).

-- Who did what, when, from where. Rows are written unchained, so that no two writers wait for each other; xid lets the
-- sealing below take them in an order that no late commit can disturb.
CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  -- Not when its transaction began: of two acts on one thing the later one waited, and comes later here. What is posted
  -- tells the moment of its posting instead.
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  actor_kind text NOT NULL CHECK (actor_kind IN ('customer', 'admin', 'system')),
  actor_id uuid,
  action text NOT NULL,
  subject text,
  address text,
  data jsonb
);
CREATE INDEX audit_log_order ON audit_log (xid, id);
-- Reading it newest first, whatever is asked: for each kind of act one descent. A group of postings has no actor and no
-- subject of its own and pays for the first of these alone.
CREATE INDEX audit_log_kind ON audit_log (actor_kind, action, at, id);
CREATE INDEX audit_log_actor ON audit_log (actor_id, action, at, id) WHERE actor_id IS NOT NULL;
CREATE INDEX audit_log_subject ON audit_log (subject, action, at, id) WHERE subject IS NOT NULL;

-- The chain: each hash covers its record and the hash before it, so that nothing can be changed or taken out unseen.
CREATE TABLE audit_seals (
  position bigint PRIMARY KEY,
  audit_id bigint NOT NULL UNIQUE,
  hash bytea NOT NULL CHECK (length(hash) = 32)
);

CREATE TRIGGER insert_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER insert_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_seals
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
-- A session that replays as a replica skips ordinary triggers; not these.
ALTER TABLE audit_log ENABLE ALWAYS TRIGGER insert_only;
ALTER TABLE audit_seals ENABLE ALWAYS TRIGGER insert_only;

-- A record as the one text that is hashed. jsonb prints the same value the same way everywhere, whatever a session's
-- settings; times are whole microseconds.
CREATE FUNCTION audit_text(r audit_log) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT jsonb_build_array(r.id, r.xid::text, (extract(epoch FROM r.at) * 1000000)::bigint, r.actor_kind, r.actor_id,
                           r.action, r.subject, r.address, r.data)::text
$$;

-- Chains up to p_most records that are not sealed yet, oldest first, and returns how many it took.
--
-- A record may be taken once every transaction as old as its own has ended (its xid is below the oldest one running):
-- then nothing can appear before it any more. After a restore into a younger cluster transaction numbers begin anew:
-- records of the former life have numbers this cluster has not reached, and the search starts from the beginning.
CREATE FUNCTION seal_audit(p_most integer DEFAULT 10000) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  place bigint; chain bytea; from_xid xid8; from_id bigint;
  entry record; ids bigint[] := '{}'; hashes bytea[] := '{}';
BEGIN
  -- One at a time; each statement below sees what the former one committed.
  PERFORM pg_advisory_xact_lock(7236005);
  SELECT s.position, s.hash, l.xid, l.id INTO place, chain, from_xid, from_id
    FROM audit_seals s LEFT JOIN audit_log l ON l.id = s.audit_id
   ORDER BY s.position DESC LIMIT 1;
  IF from_xid IS NULL OR from_xid >= pg_snapshot_xmax(pg_current_snapshot()) THEN
    from_xid := '0'; from_id := 0;
  END IF;
  place := coalesce(place, 0);
  chain := coalesce(chain, decode(repeat('00', 32), 'hex'));

  FOR entry IN
    -- Horizon and rows come from one snapshot: a row that commits between the two cannot be passed over.
    WITH here AS MATERIALIZED (SELECT pg_current_snapshot() AS now)
    SELECT l.id, audit_text(l) AS text
      FROM audit_log l, here
     WHERE (l.xid, l.id) > (from_xid, from_id)
       AND (l.xid < pg_snapshot_xmin(here.now)
            OR (l.xid >= pg_snapshot_xmax(here.now) AND l.xid IS DISTINCT FROM pg_current_xact_id_if_assigned()))
       AND NOT EXISTS (SELECT FROM audit_seals s WHERE s.audit_id = l.id)
     ORDER BY l.xid, l.id
     LIMIT p_most
  LOOP
    chain := sha256(chain || convert_to(entry.text, 'UTF8'));
    ids := ids || entry.id;
    hashes := hashes || chain;
  END LOOP;

  INSERT INTO audit_seals (position, audit_id, hash)
  SELECT place + n, id, hash FROM unnest(ids, hashes) WITH ORDINALITY AS sealed(id, hash, n);
  RETURN cardinality(ids);
END $$;

GRANT SELECT ON audit_log, audit_seals TO larkspur_app;
-- Not id, xid or at: when and in which order a record was written is not its writer's to say.
GRANT INSERT (actor_kind, actor_id, action, subject, address, data) ON audit_log TO larkspur_app;
REVOKE ALL ON FUNCTION seal_audit FROM PUBLIC;
GRANT EXECUTE ON FUNCTION seal_audit TO larkspur_app;

-- Money news waits here instead of in the job queue: one row per group of postings costs the posting a single insert,
-- and a day's backlog never stands before a login code.
CREATE TABLE money_news (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  transaction_ids uuid[] NOT NULL,
  -- Of which of their journal entries it tells: 1 that they were posted, 2 that they were settled or returned.
  step smallint NOT NULL CHECK (step IN (1, 2)),
  -- Which of the mails are out, by their place in the list that the transactions make; a retry leaves these out.
  mailed integer[] NOT NULL DEFAULT '{}',
  -- How often the mail server said "later" to one of them, and how often it said nothing: only the former ends in giving up.
  tries integer NOT NULL DEFAULT 0,
  unanswered integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT now()
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
-- Whoever was put off goes behind whoever is due for longer, so that no news stands in the way of the rest.
CREATE INDEX money_news_due ON money_news (due_at, id);

-- Tells those whose money moved, by mail, after the caller's transaction has committed.
CREATE FUNCTION announce_money(p_transaction_ids uuid[], p_step smallint DEFAULT 1) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  INSERT INTO money_news (transaction_ids, step)
  SELECT p_transaction_ids, p_step WHERE cardinality(p_transaction_ids) > 0
$$;

-- A job is part of the caller's transaction: rolled back, it never was. A key makes it the only waiting one of its kind.
-- It runs at once, or from run_at on; one of a lower priority is taken first.
CREATE FUNCTION enqueue_job(task text, payload json, key text DEFAULT NULL, max_attempts integer DEFAULT 25,
                            run_at timestamptz DEFAULT NULL, priority integer DEFAULT 0)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM graphile_worker.add_job(task, payload, max_attempts => enqueue_job.max_attempts, job_key => key,
                                  run_at => enqueue_job.run_at, priority => enqueue_job.priority);
END $$;

-- Asks for the work on a payment: behind every mail, and again for as long as it takes (32767 tries, hours apart).
CREATE FUNCTION enqueue_payment_job(task text, transaction_id uuid, run_at timestamptz DEFAULT NULL) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT enqueue_job(task, json_build_object('transactionId', transaction_id), task || ':' || transaction_id,
                     32767, run_at, 10)
$$;

-- The runs of the job queue. Each holds an advisory lock on its name for as long as its process lives, so that whoever
-- finds the lock free for a while knows that the jobs it had taken are nobody's.
CREATE TABLE job_runs (name text PRIMARY KEY);

GRANT SELECT, UPDATE (mailed, tries, unanswered, due_at), DELETE ON money_news TO larkspur_app;
REVOKE ALL ON FUNCTION announce_money, enqueue_job, enqueue_payment_job FROM PUBLIC;
GRANT EXECUTE ON FUNCTION announce_money, enqueue_job, enqueue_payment_job TO larkspur_app;
