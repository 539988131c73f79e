-- Derived data that keeps long lists fast to read. The posting functions do not write it.

-- Merges the shards of past days, on which nothing is posted anymore: a posting carries the day its transaction began, and
-- no transaction runs for a whole day. Returns how many rows were merged.
CREATE FUNCTION fold_totals() RETURNS integer
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH gone AS (
    DELETE FROM transaction_totals
     WHERE shard <> 0 AND day < bank_day(now()) - 1
    RETURNING *
  ), kept AS (
    INSERT INTO transaction_totals AS total (day, type, status, shard, count, cents)
    SELECT day, type, status, 0, sum(count), sum(cents) FROM gone GROUP BY day, type, status
     -- Every writer locks these rows in the same order (no deadlocks).
     ORDER BY day, type, status
        ON CONFLICT (day, type, status, shard)
        DO UPDATE SET count = total.count + excluded.count, cents = total.cents + excluded.cents
  )
  SELECT count(*)::integer FROM gone
$$;
REVOKE ALL ON FUNCTION fold_totals FROM PUBLIC;
GRANT EXECUTE ON FUNCTION fold_totals TO larkspur_app;

-- Checkpoints for deep pages: every thousandth transaction in id order, with running counts by type, and how many of the
-- thousand that end there are pending or failed. A job computes them after the postings; they can be deleted and rebuilt
-- at any time.
CREATE TABLE page_checkpoints (
  place bigint PRIMARY KEY,
  id uuid NOT NULL UNIQUE,
  transfers bigint NOT NULL,
  credits bigint NOT NULL,
  externals bigint NOT NULL,
  reversals bigint NOT NULL,
  deposits bigint NOT NULL,
  pending integer NOT NULL,
  failed integer NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX page_checkpoints_transfers ON page_checkpoints (transfers, place);
CREATE INDEX page_checkpoints_credits ON page_checkpoints (credits, place);
CREATE INDEX page_checkpoints_externals ON page_checkpoints (externals, place);
CREATE INDEX page_checkpoints_reversals ON page_checkpoints (reversals, place);
CREATE INDEX page_checkpoints_deposits ON page_checkpoints (deposits, place);
GRANT SELECT, INSERT, DELETE ON page_checkpoints TO larkspur_app;

-- Updates the counts of the checkpoint when an external transfer ends, in the same transaction. The job that creates
-- checkpoints holds this lock exclusively, so that no transfer is counted twice or missed.
CREATE FUNCTION count_decision() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtext('larkspur checkpoints'));
  UPDATE page_checkpoints
     SET pending = pending - (OLD.status = 'pending')::int + (NEW.status = 'pending')::int,
         failed = failed - (OLD.status = 'failed')::int + (NEW.status = 'failed')::int
   WHERE place = (SELECT place FROM page_checkpoints WHERE id >= NEW.transaction_id ORDER BY id LIMIT 1);
  RETURN NULL;
END $$;
CREATE TRIGGER count_decision AFTER UPDATE OF status ON external_transfers
  FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION count_decision();

-- The first sequence number of an account at or after a time, or one past the last, by binary search. Sequence numbers are
-- in time order except for entries within the same moment.
CREATE FUNCTION first_seq_since(p_account bigint, p_at timestamptz) RETURNS bigint
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
DECLARE
  low bigint := 1; high bigint; middle bigint; found_at timestamptz;
BEGIN
  SELECT a.entry_count + 1 INTO high FROM ledger_accounts a WHERE a.id = p_account;
  WHILE low < high LOOP
    middle := (low + high) / 2;
    SELECT t.created_at INTO found_at FROM transactions t
     WHERE t.sender_account = p_account AND t.sender_seq = middle;
    IF NOT FOUND THEN
      SELECT t.created_at INTO found_at FROM transactions t
       WHERE t.receiver_account = p_account AND t.receiver_seq = middle;
    END IF;
    IF found_at < p_at THEN low := middle + 1; ELSE high := middle; END IF;
  END LOOP;
  RETURN low;
END $$;

CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- Search texts: one row for every hundred transactions of a type. It holds each distinct description and amount (and for
-- external transfers bank, account name and number) in lower case, one per line; an amount is `=` and cents. A job writes
-- them after the postings, which therefore pay nothing for the search.
CREATE TABLE search_texts (
  type transaction_type NOT NULL,
  first uuid NOT NULL,
  last uuid NOT NULL,
  texts text NOT NULL,
  PRIMARY KEY (type, last)
);
-- No planner statistics: they would store a sample of personal texts a second time.
ALTER TABLE search_texts ALTER COLUMN texts SET STATISTICS 0;
CREATE INDEX search_texts_words ON search_texts USING gin (texts gin_trgm_ops);
GRANT SELECT, INSERT, DELETE ON search_texts TO larkspur_app;

CREATE FUNCTION search_texts_between(p_type transaction_type, p_first uuid, p_last uuid) RETURNS text
LANGUAGE sql STABLE SET search_path = public, pg_temp SET enable_seqscan = off AS $$
  SELECT coalesce(lower(string_agg(DISTINCT s.text, E'\n')), '')
    FROM transactions t
    -- OFFSET 0 forces one index lookup per row, however many rows the planner expects.
    LEFT JOIN LATERAL (SELECT * FROM external_transfers e
                        WHERE e.transaction_id = t.id AND t.type = 'external-transfer' OFFSET 0) x ON true,
         LATERAL (VALUES (t.description), ('=' || t.amount), (x.bank_name), (x.account_name), (x.account_number)) s(text)
   WHERE t.type = p_type AND t.id BETWEEN p_first AND p_last AND s.text <> ''
$$;

-- Removes erased names from the search texts in the same transaction, each text once per statement. The job that writes them
-- holds this lock exclusively, so that it cannot store a name it read before the erasure.
CREATE FUNCTION refresh_search_texts() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  renamed uuid[];
BEGIN
  SELECT array_agg(transaction_id) INTO renamed
    FROM old_rows o JOIN new_rows n USING (transaction_id) WHERE o.account_name <> n.account_name;
  IF renamed IS NULL THEN RETURN NULL; END IF;
  PERFORM pg_advisory_xact_lock_shared(hashtext('larkspur texts'));
  UPDATE search_texts
     SET texts = search_texts_between(type, first, last)
   WHERE type = 'external-transfer' AND last = ANY (ARRAY(
     SELECT DISTINCT (SELECT s.last FROM search_texts s
                       WHERE s.type = 'external-transfer' AND s.last >= id ORDER BY s.last LIMIT 1)
       FROM unnest(renamed) AS id));
  RETURN NULL;
END $$;
CREATE TRIGGER refresh_search_texts AFTER UPDATE ON external_transfers
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION refresh_search_texts();

-- Transactions with exactly this reference. The planner overestimates the cost of the BRIN index and would choose a
-- sequential scan, which gets slower as the table grows.
CREATE FUNCTION transactions_of_reference(p_reference text) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp SET enable_seqscan = off AS $$
BEGIN
  RETURN QUERY SELECT t.id FROM transactions t WHERE t.reference = p_reference;
END $$;

-- Search by any part of an account number. Numbers never change, so no posting updates this index.
CREATE INDEX ledger_accounts_digits ON ledger_accounts USING gin (number gin_trgm_ops);

-- Search by any part of a customer's name or email.
CREATE INDEX customers_words ON customers
  USING gin ((first_name || ' ' || last_name || ' ' || middle_name || ' ' || email) gin_trgm_ops)
  WHERE deleted_at IS NULL;
