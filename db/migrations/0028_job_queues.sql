-- As enqueue_job, in a queue: of the jobs of one queue, one runs at a time. No queue: as many as there is place for.
CREATE FUNCTION enqueue_job_in(queue text, task text, payload json, key text DEFAULT NULL, run_at timestamptz DEFAULT NULL)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  PERFORM graphile_worker.add_job(task, payload, queue_name => queue, job_key => key, run_at => enqueue_job_in.run_at);
END $$;
REVOKE ALL ON FUNCTION enqueue_job_in FROM PUBLIC;
GRANT EXECUTE ON FUNCTION enqueue_job_in TO larkspur_app;
