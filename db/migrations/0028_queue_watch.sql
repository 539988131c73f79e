-- The jobs that run, those that have failed, and the payments at the rail, for the metrics: each scrape reads them, and without
-- these indexes it would read all payments that wait. Few jobs are in the first two, so adding a job costs nothing more.
-- Outside a transaction
CREATE INDEX CONCURRENTLY larkspur_jobs_running ON graphile_worker._private_jobs (run_at) WHERE locked_at IS NOT NULL;
CREATE INDEX CONCURRENTLY larkspur_jobs_failed ON graphile_worker._private_jobs (id) WHERE attempts >= max_attempts;
CREATE INDEX CONCURRENTLY external_transfers_at_rail ON external_transfers (submitted_at)
  WHERE status = 'pending' AND submitted_at IS NOT NULL;
