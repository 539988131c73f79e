-- What keeps long lists short to read. Nothing here is written by the posting functions.

-- Adds up the shards of days on which nothing is posted any more: whatever is posted carries the day of its own beginning,
-- and nothing takes a whole day. Gives how many rows went.
CREATE FUNCTION fold_totals() RETURNS integer
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH gone AS (
    DELETE FROM transaction_totals
     WHERE shard <> 0 AND day < (now() AT TIME ZONE 'America/New_York')::date - 1
    RETURNING *
  ), kept AS (
    INSERT INTO transaction_totals AS total (day, type, status, shard, count, cents)
    SELECT day, type, status, 0, sum(count), sum(cents) FROM gone GROUP BY day, type, status
        ON CONFLICT (day, type, status, shard)
        DO UPDATE SET count = total.count + excluded.count, cents = total.cents + excluded.cents
  )
  SELECT count(*)::integer FROM gone
$$;
REVOKE ALL ON FUNCTION fold_totals FROM PUBLIC;
GRANT EXECUTE ON FUNCTION fold_totals TO larkspur_app;
