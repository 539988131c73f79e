-- No date of a scheduled transfer is after 9999-12-31. Later dates have five digits for the year: screens and mails cannot show
-- them, and as text they sort before all other dates.
CREATE OR REPLACE FUNCTION scheduled_date_within(p_start date, p_frequency text, p_index integer, p_end date, p_count integer)
RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
  WHEN p_index >= CASE p_frequency WHEN 'once' THEN 1 ELSE coalesce(p_count, 2147483647) END THEN NULL
  WHEN p_index = 0 THEN CASE WHEN p_start <= least(p_end, '9999-12-31') THEN p_start END
  WHEN scheduled_date(p_start, p_frequency, p_index) <= least(p_end, '9999-12-31')
  THEN scheduled_date(p_start, p_frequency, p_index) END;

-- Ends the scheduled transfers whose next date is later, which servers of version 1.0.0 could write. The next migration calls
-- it.
CREATE PROCEDURE end_far_schedules() LANGUAGE plpgsql AS $$
BEGIN
  LOOP
    UPDATE scheduled_transfers SET next_date = NULL, retry_at = NULL
     WHERE id IN (SELECT id FROM scheduled_transfers WHERE next_date > '9999-12-31' LIMIT 1000)
       -- Its customer may have chosen an earlier date in the meantime.
       AND next_date > '9999-12-31';
    EXIT WHEN NOT FOUND;
    COMMIT;
  END LOOP;
END $$;
REVOKE ALL ON PROCEDURE end_far_schedules FROM PUBLIC;
