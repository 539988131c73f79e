-- Indexes for the metrics: the running jobs, the failed jobs, and the payments at the rail. Without them, each scrape would
-- read all payments that wait. Few jobs are in the first two indexes, so adding a job costs no more than without them.
-- Outside a transaction
CREATE INDEX CONCURRENTLY larkspur_jobs_running ON graphile_worker._private_jobs (run_at) WHERE locked_at IS NOT NULL;
CREATE INDEX CONCURRENTLY larkspur_jobs_failed ON graphile_worker._private_jobs (id) WHERE attempts >= max_attempts;
CREATE INDEX CONCURRENTLY external_transfers_at_rail ON external_transfers (submitted_at)
  WHERE status = 'pending' AND submitted_at IS NOT NULL;
