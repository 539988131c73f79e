-- What keeps long lists short to read. Nothing here is written by the posting functions.

-- Adds up the shards of days on which nothing is posted any more: whatever is posted carries the day of its own beginning,
-- and nothing takes a whole day. Gives how many rows went.
CREATE FUNCTION fold_totals() RETURNS integer
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH gone AS (
    DELETE FROM transaction_totals
     WHERE shard <> 0 AND day < bank_day(now()) - 1
    RETURNING *
  ), kept AS (
    INSERT INTO transaction_totals AS total (day, type, status, shard, count, cents)
    SELECT day, type, status, 0, sum(count), sum(cents) FROM gone GROUP BY day, type, status
     -- Rows are locked in one order, whoever adds to them.
     ORDER BY day, type, status
        ON CONFLICT (day, type, status, shard)
        DO UPDATE SET count = total.count + excluded.count, cents = total.cents + excluded.cents
  )
  SELECT count(*)::integer FROM gone
$$;
REVOKE ALL ON FUNCTION fold_totals FROM PUBLIC;
GRANT EXECUTE ON FUNCTION fold_totals TO larkspur_app;

-- Every thousandth transaction in the order of ids, with how many there were by then, of each type too. Worked out behind
-- the postings and thrown away at will: it is no evidence.
CREATE TABLE transaction_marks (
  place bigint PRIMARY KEY,
  id uuid NOT NULL,
  transfers bigint NOT NULL,
  credits bigint NOT NULL,
  externals bigint NOT NULL
);
CREATE INDEX transaction_marks_transfers ON transaction_marks (transfers, place);
CREATE INDEX transaction_marks_credits ON transaction_marks (credits, place);
CREATE INDEX transaction_marks_externals ON transaction_marks (externals, place);
GRANT SELECT, INSERT, DELETE ON transaction_marks TO larkspur_app;

-- The first of an account's lines that is not older than a moment, or one past the last: lines are in the order of time
-- but for those of a moment.
CREATE FUNCTION first_line_since(p_account bigint, p_at timestamptz) RETURNS bigint
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
DECLARE
  low bigint := 1; high bigint; middle bigint; found_at timestamptz;
BEGIN
  SELECT a.lines + 1 INTO high FROM ledger_accounts a WHERE a.id = p_account;
  WHILE low < high LOOP
    middle := (low + high) / 2;
    SELECT t.created_at INTO found_at FROM transactions t
     WHERE t.sender_account = p_account AND t.sender_line = middle;
    IF NOT FOUND THEN
      SELECT t.created_at INTO found_at FROM transactions t
       WHERE t.receiver_account = p_account AND t.receiver_line = middle;
    END IF;
    IF found_at < p_at THEN low := middle + 1; ELSE high := middle; END IF;
  END LOOP;
  RETURN low;
END $$;

-- Customers by any part of name or e-mail. Written once for a person, read by administrators all day.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE INDEX customers_words ON customers
  USING gin ((first_name || ' ' || last_name || ' ' || middle_name || ' ' || email) gin_trgm_ops)
  WHERE deleted_at IS NULL;
