-- Many mails at once. Adding them one at a time costs the database several times as much.
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
REVOKE ALL ON FUNCTION enqueue_mails FROM PUBLIC;
GRANT EXECUTE ON FUNCTION enqueue_mails TO larkspur_app;
