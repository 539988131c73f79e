-- The state of the bank as a whole: one row.
CREATE TABLE bank_state (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  -- Identifies this database. A copy of it is written into the folder of pictures, which belongs to this database alone.
  bank_id uuid NOT NULL DEFAULT gen_random_uuid(),
  -- Since when the bank is held after a restore: until it is released, no job runs, so no mail and no payment leaves it and
  -- nothing is deleted.
  held_since timestamptz,
  -- When the bank was last held. Scheduled payments that were due before may have left for other banks after the time to which
  -- it was restored.
  restored_at timestamptz,
  -- When the server last proved the books without a fault.
  verified_at timestamptz
);
INSERT INTO bank_state DEFAULT VALUES;
GRANT SELECT, UPDATE (verified_at) ON bank_state TO larkspur_app;

-- Holds the bank: every session and open code ends, because some may have been ended after the restored point in time, and the
-- mails that wait are deferred, because most of them were sent after that time. Push notifications that wait are deleted: what
-- they say is out of date, and the notifications are in the app. Returns how many rows of mail wait.
CREATE FUNCTION hold_bank() RETURNS integer LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  waiting integer;
BEGIN
  UPDATE bank_state SET held_since = coalesce(held_since, now()), restored_at = now();
  UPDATE sessions SET ended_at = now() WHERE ended_at IS NULL;
  UPDATE codes SET superseded_at = now() WHERE consumed_at IS NULL AND superseded_at IS NULL;
  UPDATE graphile_worker._private_jobs SET locked_at = NULL, locked_by = NULL WHERE locked_at IS NOT NULL;
  UPDATE graphile_worker._private_jobs j SET run_at = 'infinity'
    FROM graphile_worker._private_tasks t WHERE t.id = j.task_id AND t.identifier = 'mail';
  GET DIAGNOSTICS waiting = ROW_COUNT;
  UPDATE transfer_mails SET due_at = 'infinity';
  UPDATE summary_mails SET due_at = 'infinity';
  DELETE FROM pushes;
  -- The rail knows the trace numbers of payments that were sent after the restored time: their answers must match no other.
  PERFORM setval('rail_traces', nextval('rail_traces') + 1000000);
  INSERT INTO audit_log (actor_kind, action) VALUES ('system', 'bank.held');
  RETURN waiting + (SELECT count(*) FROM transfer_mails) + (SELECT count(*) FROM summary_mails);
END $$;

-- Releases a held bank. The mails that waited when it was held are deleted, or sent now. Returns how many rows of mail that
-- were, or NULL if the bank is not held.
CREATE FUNCTION release_bank(p_send boolean) RETURNS integer LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  jobs integer; transfers integer; summaries integer;
BEGIN
  UPDATE bank_state SET held_since = NULL WHERE held_since IS NOT NULL;
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF p_send THEN
    UPDATE graphile_worker._private_jobs SET run_at = now() WHERE run_at = 'infinity';
    GET DIAGNOSTICS jobs = ROW_COUNT;
    UPDATE summary_mails SET due_at = now() WHERE due_at = 'infinity';
    GET DIAGNOSTICS summaries = ROW_COUNT;
    UPDATE transfer_mails SET due_at = now() WHERE due_at = 'infinity';
  ELSE
    DELETE FROM graphile_worker._private_jobs WHERE run_at = 'infinity';
    GET DIAGNOSTICS jobs = ROW_COUNT;
    DELETE FROM summary_mails WHERE due_at = 'infinity';
    GET DIAGNOSTICS summaries = ROW_COUNT;
    DELETE FROM transfer_mails WHERE due_at = 'infinity';
  END IF;
  GET DIAGNOSTICS transfers = ROW_COUNT;
  INSERT INTO audit_log (actor_kind, action) VALUES ('system', 'bank.released');
  RETURN jobs + transfers + summaries;
END $$;

REVOKE ALL ON FUNCTION hold_bank, release_bank FROM PUBLIC;
