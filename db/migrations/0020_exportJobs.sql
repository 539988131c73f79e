-- Copies of everything about a customer, each made by a job as an encrypted ZIP file in DATA_DIR/exports. The clean-up deletes
-- the row after expires_at, and every file without a row.

CREATE TABLE export_jobs (
  id uuid PRIMARY KEY,
  customer_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- In percent.
  progress smallint NOT NULL DEFAULT 0 CHECK (progress BETWEEN 0 AND 100),
  ready_at timestamptz,
  size bigint,
  -- The file's key is derived from APP_SECRET and this: without the row, the file cannot be decrypted.
  salt bytea NOT NULL CHECK (length(salt) = 16),
  expires_at timestamptz NOT NULL DEFAULT now() + interval '7 days',
  CHECK ((ready_at IS NULL) = (size IS NULL))
);
CREATE INDEX export_jobs_customer ON export_jobs (customer_id);
CREATE INDEX export_jobs_expiry ON export_jobs (expires_at);
GRANT SELECT, INSERT, UPDATE (progress, ready_at, size, expires_at), DELETE ON export_jobs TO larkspur_app;

-- Adds the job that makes a copy. The named queue runs one at a time, so that copies never take the workers of mails and payments.
CREATE FUNCTION enqueue_export(p_id uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT graphile_worker.add_job('export-data', json_build_object('exportId', p_id), queue_name => 'exports',
                                 job_key => 'export-data:' || p_id, priority => 10)
$$;
REVOKE ALL ON FUNCTION enqueue_export FROM PUBLIC;
GRANT EXECUTE ON FUNCTION enqueue_export TO larkspur_app;
