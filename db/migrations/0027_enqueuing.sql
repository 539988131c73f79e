-- Adding jobs takes the same time however long the queue is.

-- The job queue's library keeps the plans of its statements for the life of a connection. Plans are often made while the queue
-- is empty. With such a plan, adding a job reads the whole queue: while 50,000 payments wait for a cut-off, that costs more
-- than posting a payment. Planning each call takes less than a millisecond.
ALTER FUNCTION enqueue_payment_jobs SET plan_cache_mode = force_custom_plan;
ALTER FUNCTION enqueue_job SET plan_cache_mode = force_custom_plan;

-- Adding a job with a key first looks for a running job with the same key. If the table of jobs was analyzed while it was
-- empty, the planner expects a single row. Until the table is analyzed again, the plan then reads all jobs instead of looking
-- up the key, so each payment to another bank would read all payments that wait. These settings allow only a lookup by key.
ALTER FUNCTION enqueue_payment_jobs SET enable_seqscan = off;
ALTER FUNCTION enqueue_payment_jobs SET enable_indexscan = off;
ALTER FUNCTION enqueue_job SET enable_seqscan = off;
ALTER FUNCTION enqueue_job SET enable_indexscan = off;

-- Like enqueue_job, but in a queue, which runs one job at a time. Without a queue, jobs run in parallel.
CREATE FUNCTION enqueue_job_in(queue text, task text, payload json, key text DEFAULT NULL, run_at timestamptz DEFAULT NULL,
                               priority integer DEFAULT NULL)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
SET plan_cache_mode = force_custom_plan SET enable_seqscan = off SET enable_indexscan = off AS $$
BEGIN
  PERFORM graphile_worker.add_job(task, payload, queue_name => queue, job_key => key, run_at => enqueue_job_in.run_at,
                                  priority => enqueue_job_in.priority);
END $$;

-- Enqueues many mails at once. Enqueuing them one at a time costs the database several times as much.
CREATE FUNCTION enqueue_mails(payloads json[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  IF cardinality(payloads) > 0 THEN
    PERFORM graphile_worker.add_jobs(ARRAY(
      SELECT ROW('mail', payload, NULL, NULL, NULL, NULL, NULL, NULL)::graphile_worker.job_spec
        FROM unnest(payloads) AS payload));
  END IF;
END $$;

REVOKE ALL ON FUNCTION enqueue_job_in, enqueue_mails FROM PUBLIC;
GRANT EXECUTE ON FUNCTION enqueue_job_in, enqueue_mails TO larkspur_app;
