-- The audit log with its chain of seals, and deferred work: the job queue and transfer mails.

-- Who did what, when and from where. Rows are written without a hash, so that writers never wait for each other; the
-- sealing job chains them later. The id is drawn while the writer holds the locks of what it changed, so records of the
-- same account are in id order, which is also the order of the chain.
CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
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
-- Indexes for reading newest first with any filter. The record of a posting group has no actor and no subject, so it is
-- only in the first of these.
CREATE INDEX audit_log_kind ON audit_log (actor_kind, action, at, id);
CREATE INDEX audit_log_actor ON audit_log (actor_id, action, at, id) WHERE actor_id IS NOT NULL;
CREATE INDEX audit_log_subject ON audit_log (subject, action, at, id) WHERE subject IS NOT NULL;

-- The chain: each hash is an HMAC over the previous one, the record, and the evidence: a tag for each row of the books
-- that the record reports. The key is not in the database. src/server/ledger/evidence.ts computes both.
CREATE TABLE audit_seals (
  position bigint PRIMARY KEY,
  audit_id bigint NOT NULL UNIQUE,
  hash bytea NOT NULL CHECK (length(hash) = 32),
  evidence bytea NOT NULL
);

-- Daily, proven balances of every account after the record at `position` of the chain, so that a later proof can start
-- there. `mac` covers them and this row. The balances are those of the newest row.
CREATE TABLE sealed_days (
  position bigint PRIMARY KEY,
  audit_id bigint NOT NULL,
  hash bytea NOT NULL CHECK (length(hash) = 32),
  sealed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- The greatest id of a transaction so far.
  last_transaction uuid NOT NULL,
  mac bytea NOT NULL CHECK (length(mac) = 32)
);
CREATE TABLE sealed_balances (
  account_id bigint PRIMARY KEY,
  balance bigint NOT NULL,
  entry_count bigint NOT NULL,
  sent bigint NOT NULL,
  received bigint NOT NULL
);

CREATE TRIGGER insert_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER insert_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_seals
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER insert_only BEFORE UPDATE OR DELETE OR TRUNCATE ON sealed_days
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
-- ALWAYS: these triggers also fire in a session with session_replication_role = replica.
ALTER TABLE audit_log ENABLE ALWAYS TRIGGER insert_only;
ALTER TABLE audit_seals ENABLE ALWAYS TRIGGER insert_only;
ALTER TABLE sealed_days ENABLE ALWAYS TRIGGER insert_only;

-- Appends seals after the record p_after (0: none), which must be the last that is sealed. Returns false if it is not,
-- because another process has sealed in the meantime.
CREATE FUNCTION append_seals(p_after bigint, p_ids bigint[], p_hashes bytea[], p_evidence bytea[]) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  last_position bigint; last_id bigint;
BEGIN
  -- One sealer at a time. Read committed: the next statement sees what the previous sealer committed.
  PERFORM pg_advisory_xact_lock(7236005);
  SELECT s.position, s.audit_id INTO last_position, last_id FROM audit_seals s ORDER BY s.position DESC LIMIT 1;
  IF coalesce(last_id, 0) <> p_after THEN RETURN false; END IF;
  INSERT INTO audit_seals (position, audit_id, hash, evidence)
  SELECT coalesce(last_position, 0) + n, id, hash, evidence
    FROM unnest(p_ids, p_hashes, p_evidence) WITH ORDINALITY AS sealed(id, hash, evidence, n);
  RETURN true;
END $$;

GRANT SELECT ON audit_log, audit_seals, sealed_days, sealed_balances TO larkspur_app;
-- The server cannot set id and at: a writer does not choose the time and order of a record.
GRANT INSERT (actor_kind, actor_id, action, subject, address, data) ON audit_log TO larkspur_app;
GRANT INSERT (position, audit_id, hash, last_transaction, mac) ON sealed_days TO larkspur_app;
GRANT INSERT, UPDATE ON sealed_balances TO larkspur_app;
REVOKE ALL ON FUNCTION append_seals FROM PUBLIC;
GRANT EXECUTE ON FUNCTION append_seals TO larkspur_app;

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
-- A deferred row goes behind rows that have been due longer, so that one failing mail does not block the rest.
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

-- Adds a job for each of these payments, at once or from its run_at on: it runs behind every mail and is retried until it
-- succeeds (up to 32767 attempts, hours apart). One call for many payments costs a twentieth of a call for each.
CREATE FUNCTION enqueue_payment_jobs(task text, transaction_ids uuid[], run_at timestamptz[] DEFAULT NULL) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF cardinality(transaction_ids) = 0 THEN
    RETURN;
  END IF;
  PERFORM graphile_worker.add_jobs(ARRAY(
    SELECT ROW(task, json_build_object('transactionId', p.id), NULL, p.at, 32767::smallint, task || ':' || p.id, 10::smallint,
               NULL)::graphile_worker.job_spec
      FROM unnest(transaction_ids, enqueue_payment_jobs.run_at) AS p(id, at)));
END $$;

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
REVOKE ALL ON FUNCTION enqueue_transfer_mails, enqueue_job, enqueue_payment_jobs FROM PUBLIC;
GRANT EXECUTE ON FUNCTION enqueue_transfer_mails, enqueue_job, enqueue_payment_jobs TO larkspur_app;

-- The readiness check updates its only row: a commit proves that postings can commit too.
CREATE TABLE readiness_probe (checked_at timestamptz NOT NULL) WITH (fillfactor = 10);
INSERT INTO readiness_probe VALUES (now());
GRANT SELECT, UPDATE ON readiness_probe TO larkspur_app;
