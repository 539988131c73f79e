-- The jobs that run and those that have failed, for the metrics: each scrape reads them, and without these indexes it would
-- read all payments that wait for a later day. Few jobs are in them, so adding a job costs nothing more.
-- Outside a transaction
CREATE INDEX CONCURRENTLY larkspur_jobs_running ON graphile_worker._private_jobs (run_at) WHERE locked_at IS NOT NULL;
CREATE INDEX CONCURRENTLY larkspur_jobs_failed ON graphile_worker._private_jobs (id) WHERE attempts >= max_attempts;
