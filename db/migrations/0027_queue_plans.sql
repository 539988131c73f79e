-- The job queue's library keeps the plans of its statements for the life of a connection, and they are often made while the
-- queue is empty. Each job that is added then reads the whole queue: 50,000 payments that wait for a cut-off cost more than
-- their posting. Planning takes less than a millisecond.
ALTER FUNCTION enqueue_payment_jobs SET plan_cache_mode = force_custom_plan;
ALTER FUNCTION enqueue_job SET plan_cache_mode = force_custom_plan;
