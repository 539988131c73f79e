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

-- Every thousandth transaction in the order of ids, with how many there were by then, of each type too; and how many of
-- the thousand that end with it are on their way, or came back. Worked out behind the postings and thrown away at will: it
-- is no evidence.
CREATE TABLE transaction_marks (
  place bigint PRIMARY KEY,
  id uuid NOT NULL UNIQUE,
  transfers bigint NOT NULL,
  credits bigint NOT NULL,
  externals bigint NOT NULL,
  pending integer NOT NULL,
  failed integer NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX transaction_marks_transfers ON transaction_marks (transfers, place);
CREATE INDEX transaction_marks_credits ON transaction_marks (credits, place);
CREATE INDEX transaction_marks_externals ON transaction_marks (externals, place);
GRANT SELECT, INSERT, DELETE ON transaction_marks TO larkspur_app;

-- What becomes of an external transfer is counted at its mark in the same transaction. Whoever sets marks holds this lock
-- alone, so that none is counted twice or not at all.
CREATE FUNCTION count_decided() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtext('larkspur marks'));
  UPDATE transaction_marks
     SET pending = pending - (OLD.status = 'pending')::int + (NEW.status = 'pending')::int,
         failed = failed - (OLD.status = 'failed')::int + (NEW.status = 'failed')::int
   WHERE place = (SELECT place FROM transaction_marks WHERE id >= NEW.transaction_id ORDER BY id LIMIT 1);
  RETURN NULL;
END $$;
CREATE TRIGGER count_decided AFTER UPDATE OF status ON external_transfers
  FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION count_decided();

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

CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- What transactions say, a hundred of one type in a row: the description and amount of each and, of external ones, the other
-- bank, each text once, in small letters and on a line of its own; an amount as `=` and cents. A job writes them behind the
-- postings, which pay nothing for them.
CREATE TABLE transaction_texts (
  type transaction_type NOT NULL,
  first uuid NOT NULL,
  last uuid NOT NULL,
  texts text NOT NULL,
  PRIMARY KEY (type, last)
);
-- Nothing of them is kept a second time as a sample.
ALTER TABLE transaction_texts ALTER COLUMN texts SET STATISTICS 0;
CREATE INDEX transaction_texts_words ON transaction_texts USING gin (texts gin_trgm_ops);
GRANT SELECT, INSERT, DELETE ON transaction_texts TO larkspur_app;

CREATE FUNCTION texts_between(p_type transaction_type, p_first uuid, p_last uuid) RETURNS text
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT coalesce(lower(string_agg(DISTINCT s.text, E'\n')), '')
    FROM transactions t
    -- A look-up for each, however many the planner expects.
    LEFT JOIN LATERAL (SELECT * FROM external_transfers e
                        WHERE e.transaction_id = t.id AND t.type = 'external-transfer' OFFSET 0) x ON true,
         LATERAL (VALUES (t.description), ('=' || t.amount), (x.bank_name), (x.account_name), (x.account_number)) s(text)
   WHERE t.type = p_type AND t.id BETWEEN p_first AND p_last AND s.text <> ''
$$;

-- A name that is erased goes from here in the same transaction. Whoever writes texts holds this lock alone, so that none is
-- written that was read before.
CREATE FUNCTION forget_text() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtext('larkspur texts'));
  UPDATE transaction_texts
     SET texts = texts_between(type, first, last)
   WHERE type = 'external-transfer' AND first <= NEW.transaction_id
     AND last = (SELECT last FROM transaction_texts
                  WHERE type = 'external-transfer' AND last >= NEW.transaction_id ORDER BY last LIMIT 1);
  RETURN NULL;
END $$;
CREATE TRIGGER forget_text AFTER UPDATE ON external_transfers
  FOR EACH ROW WHEN (OLD.account_name <> NEW.account_name) EXECUTE FUNCTION forget_text();

-- Transactions with a whole reference. Its index only tells which stretches of pages to read, which the planner takes for
-- more than it is; reading the table as a whole grows with it.
CREATE FUNCTION transactions_of_reference(p_reference text) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp SET enable_seqscan = off AS $$
BEGIN
  RETURN QUERY SELECT t.id FROM transactions t WHERE t.reference = p_reference;
END $$;

-- Accounts by any part of their number, which never changes, so that no posting writes here.
CREATE INDEX ledger_accounts_digits ON ledger_accounts USING gin (number gin_trgm_ops);

-- Customers by any part of name or e-mail. Written once for a person, read by administrators all day.
CREATE INDEX customers_words ON customers
  USING gin ((first_name || ' ' || last_name || ' ' || middle_name || ' ' || email) gin_trgm_ops)
  WHERE deleted_at IS NULL;
