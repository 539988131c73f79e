-- The audit log with its hash chain, and deferred work: the job queue and transfer mails.

-- Who did what, when and from where. Rows are written without a hash, so that writers never wait for each other;
-- seal_audit below chains them later. xid gives it an order that no late commit can change.
CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  -- clock_timestamp, not the start of the transaction: of two acts on the same row, the later one waited for the lock and
  -- gets the later time. Posted transactions pass the time of posting instead.
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  actor_kind text NOT NULL CHECK (actor_kind IN ('customer', 'admin', 'system')),
  actor_id uuid,
  action text NOT NULL,
  subject text,
  address text,
  data jsonb
);
CREATE INDEX audit_log_order ON audit_log (xid, id);
-- Indexes for reading newest first with any filter. The record of a posting group has no actor and no subject, so it is
-- only in the first of these.
CREATE INDEX audit_log_kind ON audit_log (actor_kind, action, at, id);
CREATE INDEX audit_log_actor ON audit_log (actor_id, action, at, id) WHERE actor_id IS NOT NULL;
CREATE INDEX audit_log_subject ON audit_log (subject, action, at, id) WHERE subject IS NOT NULL;

-- The hash chain: each hash covers its record and the previous hash, so a changed or removed record is detectable.
CREATE TABLE audit_seals (
  position bigint PRIMARY KEY,
  audit_id bigint NOT NULL UNIQUE,
  hash bytea NOT NULL CHECK (length(hash) = 32)
);

CREATE TRIGGER insert_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER insert_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_seals
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
-- ALWAYS: these triggers also fire in a session with session_replication_role = replica.
ALTER TABLE audit_log ENABLE ALWAYS TRIGGER insert_only;
ALTER TABLE audit_seals ENABLE ALWAYS TRIGGER insert_only;

-- The canonical text of a record, which is hashed. jsonb output does not depend on session settings; times are whole
-- microseconds.
CREATE FUNCTION audit_text(r audit_log) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT jsonb_build_array(r.id, r.xid::text, (extract(epoch FROM r.at) * 1000000)::bigint, r.actor_kind, r.actor_id,
                           r.action, r.subject, r.address, r.data)::text
$$;

-- Adds up to p_most unsealed records to the chain, oldest first, and returns how many.
--
-- A record can be sealed once every transaction with a lower xid has ended (its xid is below the snapshot's xmin): no
-- record can appear before it after that. A restore into a new cluster restarts transaction ids: restored records can have
-- xids that this cluster has not reached, so the search then starts from the beginning.
CREATE FUNCTION seal_audit(p_most integer DEFAULT 10000) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  place bigint; chain bytea; from_xid xid8; from_id bigint;
  entry record; ids bigint[] := '{}'; hashes bytea[] := '{}';
BEGIN
  -- One sealer at a time. Read committed: each statement below sees what the previous sealer committed.
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
    -- The horizon and the rows come from one snapshot: no row can commit between the two and be skipped.
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
-- The server cannot set id, xid and at: a writer does not choose the time and order of a record.
GRANT INSERT (actor_kind, actor_id, action, subject, address, data) ON audit_log TO larkspur_app;
REVOKE ALL ON FUNCTION seal_audit FROM PUBLIC;
GRANT EXECUTE ON FUNCTION seal_audit TO larkspur_app;

-- Mails about transfers wait here and not in the job queue: one row per posting group costs a single insert, and a backlog
-- of these mails never delays a login code.
CREATE TABLE transfer_mails (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  transaction_ids uuid[] NOT NULL,
  -- Which journal entry the mails report: 1 posted, 2 settled or returned.
  step smallint NOT NULL CHECK (step IN (1, 2)),
  -- Mails already sent, by their index in the list made from the transactions; a retry skips them.
  mailed integer[] NOT NULL DEFAULT '{}',
  -- Temporary rejections by the mail server, and attempts without an answer. Only rejections count toward giving up.
  tries integer NOT NULL DEFAULT 0,
  unanswered integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL DEFAULT now()
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
-- A row that was put off goes behind rows that have been due longer, so that one failing mail does not block the rest.
CREATE INDEX transfer_mails_due ON transfer_mails (due_at, id);

-- Queues the mails to the parties of these transactions. They are sent after the caller's transaction commits.
CREATE FUNCTION enqueue_transfer_mails(p_transaction_ids uuid[], p_step smallint DEFAULT 1) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  INSERT INTO transfer_mails (transaction_ids, step)
  SELECT p_transaction_ids, p_step WHERE cardinality(p_transaction_ids) > 0
$$;

-- Adds a job in the caller's transaction: a rollback removes it. A job with a key replaces a waiting job with the same key.
-- It runs at once, or from run_at on; lower priority values run first.
CREATE FUNCTION enqueue_job(task text, payload json, key text DEFAULT NULL, max_attempts integer DEFAULT 25,
                            run_at timestamptz DEFAULT NULL, priority integer DEFAULT 0)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM graphile_worker.add_job(task, payload, max_attempts => enqueue_job.max_attempts, job_key => key,
                                  run_at => enqueue_job.run_at, priority => enqueue_job.priority);
END $$;

-- Adds a payment job: it runs behind every mail and is retried until it succeeds (up to 32767 attempts, hours apart).
CREATE FUNCTION enqueue_payment_job(task text, transaction_id uuid, run_at timestamptz DEFAULT NULL) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT enqueue_job(task, json_build_object('transactionId', transaction_id), task || ':' || transaction_id,
                     32767, run_at, 10)
$$;

-- Workers of the job queue. Each holds an advisory lock on its name while its process lives. If the lock stays free for a
-- few seconds, the worker is dead and its jobs can be taken by others.
CREATE TABLE job_runs (name text PRIMARY KEY);
GRANT SELECT, INSERT, DELETE ON job_runs TO larkspur_app;

-- The server works on the job queue's tables without owning them. Their row security has no policy of its own, which means
-- that only the owner sees a row.
GRANT USAGE ON SCHEMA graphile_worker TO larkspur_app;
GRANT SELECT ON ALL TABLES IN SCHEMA graphile_worker TO larkspur_app;
DO $$
DECLARE queue_table regclass;
BEGIN
  FOR queue_table IN
    SELECT oid FROM pg_class WHERE relnamespace = 'graphile_worker'::regnamespace AND relkind = 'r' AND relrowsecurity
  LOOP
    EXECUTE format('GRANT INSERT, UPDATE, DELETE ON %s TO larkspur_app', queue_table);
    EXECUTE format('CREATE POLICY server ON %s TO larkspur_app USING (true) WITH CHECK (true)', queue_table);
  END LOOP;
END $$;

GRANT SELECT, UPDATE (mailed, tries, unanswered, due_at), DELETE ON transfer_mails TO larkspur_app;
REVOKE ALL ON FUNCTION enqueue_transfer_mails, enqueue_job, enqueue_payment_job FROM PUBLIC;
GRANT EXECUTE ON FUNCTION enqueue_transfer_mails, enqueue_job, enqueue_payment_job TO larkspur_app;

-- The readiness check updates its only row: a commit proves that postings can commit too.
CREATE TABLE readiness_probe (checked_at timestamptz NOT NULL) WITH (fillfactor = 10);
INSERT INTO readiness_probe VALUES (now());
GRANT SELECT, UPDATE ON readiness_probe TO larkspur_app;
