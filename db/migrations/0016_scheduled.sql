-- Scheduled transfers, and deposits from other banks.

-- A transfer that a customer scheduled. It runs from 6:00 AM New York on each of its dates. Its dates are start_date plus a
-- multiple of its frequency: index 0 is start_date itself. PostgreSQL adds months and years to the same day of the month, or
-- to the last day of a shorter month.
CREATE TABLE scheduled_transfers (
  id uuid PRIMARY KEY,
  customer_id uuid NOT NULL,
  account_id bigint NOT NULL,
  -- bank_name and account_name are empty for an account at this bank, whose holder's name is read when it is shown.
  bank_name text NOT NULL DEFAULT '',
  account_name text NOT NULL DEFAULT '',
  account_number text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  description text NOT NULL,
  start_date date NOT NULL,
  frequency text NOT NULL CHECK (frequency IN ('once', 'weekly', 'biweekly', 'monthly', 'yearly')),
  end_date date,
  max_count integer,
  is_paused boolean NOT NULL DEFAULT false,
  -- The date that runs next, its index, and when it is tried again after there was too little money. No date: it has ended.
  next_index integer NOT NULL DEFAULT 0,
  next_date date,
  retry_at timestamptz,
  -- The date for which the customer was reminded that the balance is too small.
  reminded_for date,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- A deleted one stays for the transactions that name it and for a repeated idempotency key.
  deleted_at timestamptz,
  key_hash uuid UNIQUE,
  request_hash uuid NOT NULL,
  CHECK ((bank_name = '') = (account_name = ''))
) WITH (fillfactor = 80);
CREATE INDEX scheduled_transfers_due ON scheduled_transfers (next_date, id) WHERE next_date IS NOT NULL AND NOT is_paused;
CREATE INDEX scheduled_transfers_own ON scheduled_transfers (account_id);

-- What happened on a date. The primary key and the key of the transaction, which derives from both columns, make sure that a
-- date is paid once.
CREATE TABLE scheduled_runs (
  schedule_id uuid NOT NULL,
  date date NOT NULL,
  account_id bigint NOT NULL,
  -- missed: the bank could not run it for more than three days, and the customer decides.
  result text NOT NULL CHECK (result IN ('sent', 'failed', 'skipped', 'missed')),
  reason text,
  amount bigint NOT NULL,
  transaction_id uuid,
  at timestamptz NOT NULL DEFAULT now(),
  -- The id of the notification about it.
  notification_id uuid NOT NULL,
  PRIMARY KEY (schedule_id, date),
  CHECK ((result = 'sent') = (transaction_id IS NOT NULL))
);
CREATE UNIQUE INDEX scheduled_runs_transaction ON scheduled_runs (transaction_id) WHERE transaction_id IS NOT NULL;
CREATE INDEX scheduled_runs_own ON scheduled_runs (account_id, notification_id);

GRANT SELECT, INSERT, DELETE ON scheduled_transfers, scheduled_runs TO larkspur_app;
GRANT UPDATE ON scheduled_transfers TO larkspur_app;
GRANT UPDATE (result, reason, transaction_id, amount, at) ON scheduled_runs TO larkspur_app;

-- The date with this index, whether or not the schedule still includes it.
CREATE FUNCTION scheduled_date(p_start date, p_frequency text, p_index integer) RETURNS date
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (p_start + p_index * CASE p_frequency WHEN 'weekly' THEN interval '7 days' WHEN 'biweekly' THEN interval '14 days'
                            WHEN 'monthly' THEN interval '1 month' WHEN 'yearly' THEN interval '1 year' END)::date;

-- The same, or null if the schedule has ended by then.
CREATE FUNCTION scheduled_date_within(p_start date, p_frequency text, p_index integer, p_end date, p_count integer)
RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
  WHEN p_index >= CASE p_frequency WHEN 'once' THEN 1 ELSE coalesce(p_count, 2147483647) END THEN NULL
  WHEN p_index = 0 THEN CASE WHEN p_start <= coalesce(p_end, p_start) THEN p_start END
  WHEN scheduled_date(p_start, p_frequency, p_index) <= coalesce(p_end, 'infinity')
  THEN scheduled_date(p_start, p_frequency, p_index) END;

-- Deposits: payments from other banks, identified by the rail's reference. One that cannot be booked is sent back, with the
-- reason and without the sender's name.
CREATE TABLE deposits (
  ref text PRIMARY KEY,
  transaction_id uuid UNIQUE,
  account_number text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  bank_name text NOT NULL DEFAULT '',
  sender_name text NOT NULL DEFAULT '',
  -- As in external_transfers: the seal covers the name together with this value, and erasing the name destroys it.
  name_salt uuid,
  received_at timestamptz NOT NULL,
  return_reason text,
  CHECK ((transaction_id IS NULL) = (return_reason IS NOT NULL))
);
GRANT SELECT ON deposits TO larkspur_app;
CREATE INDEX transactions_own_deposits ON transactions (receiver_account, receiver_seq) INCLUDE (type)
  WHERE type = 'deposit';
CREATE INDEX transactions_deposits ON transactions (id) WHERE type = 'deposit';

-- Books a payment that the rail delivered, once per reference. Its money arrives from the treasury in clearing (step 2) and goes
-- from there to the customer (step 1), so that clearing still holds exactly what is pending. Outcomes: 0 booked, 1 booked or
-- sent back before, 2 the reference belongs to another payment, 3 sent back.
CREATE FUNCTION book_deposit_at(
  p_at timestamptz, p_id uuid, p_reference text, p_ref text, p_number text, p_amount bigint, p_sender text, p_bank text,
  OUT outcome smallint, OUT id uuid, OUT reason text
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off AS $$
#variable_conflict use_variable
DECLARE
  treasury constant bigint := treasury_id(); clearing constant bigint := clearing_id();
  largest constant bigint := 7036874417766400;
  bank constant uuid := '00000000-0000-0000-0000-000000000000';
  earlier deposits; account ledger_accounts; treasury_balance bigint; clearing_balance bigint;
BEGIN
  -- One delivery of a reference at a time.
  PERFORM pg_advisory_xact_lock(hashtext('larkspur deposit ' || p_ref));
  SELECT * INTO earlier FROM deposits d WHERE d.ref = p_ref;
  IF FOUND THEN
    id := earlier.transaction_id; reason := earlier.return_reason;
    outcome := CASE WHEN (earlier.account_number, earlier.amount) = (p_number, p_amount) THEN 1 ELSE 2 END;
    RETURN;
  END IF;
  -- Lock in id order: no deadlocks with postings.
  PERFORM FROM ledger_accounts a WHERE a.id IN (treasury, clearing) OR a.number = p_number ORDER BY a.id FOR NO KEY UPDATE;
  SELECT * INTO account FROM ledger_accounts a WHERE a.number = p_number;
  reason := CASE
    WHEN account.id IS NULL OR NOT EXISTS (SELECT FROM customers c WHERE c.account_id = account.id) THEN 'No account has this number'
    WHEN account.is_closed THEN 'The account is closed'
    WHEN NOT account.is_approved THEN 'The account is not open yet'
    WHEN account.balance > largest - p_amount THEN 'The amount is too large'
  END;
  IF reason IS NOT NULL THEN
    INSERT INTO deposits (ref, account_number, amount, bank_name, received_at, return_reason)
    VALUES (p_ref, p_number, p_amount, p_bank, p_at, reason);
    INSERT INTO audit_log (at, actor_kind, action, subject, data)
    VALUES (p_at, 'system', 'deposit.returned', p_ref, jsonb_build_object('cents', p_amount, 'reason', reason));
    outcome := 3;
    RETURN;
  END IF;

  outcome := 0; id := p_id;
  SELECT a.balance INTO clearing_balance FROM ledger_accounts a WHERE a.id = clearing;
  UPDATE ledger_accounts a SET balance = balance - p_amount WHERE a.id = treasury RETURNING a.balance INTO treasury_balance;
  UPDATE ledger_accounts a SET balance = balance + p_amount, entry_count = entry_count + 1, received = received + p_amount
   WHERE a.id = account.id;
  INSERT INTO transactions (id, type, amount, receiver_account, receiver_seq, created_at, actor, key_hash, request_hash,
                            reference, description)
  VALUES (p_id, 'deposit', p_amount, account.id, account.entry_count + 1, p_at, bank, md5('deposit ' || p_ref)::uuid,
          md5(concat_ws(E'\n', p_number, p_amount))::uuid, p_reference, '');
  INSERT INTO journal_entries (transaction_id, step, kind, debit_account, credit_account, amount,
                               debit_balance, credit_balance, posted_at)
  VALUES (p_id, 2, 'receive', treasury, clearing, p_amount, treasury_balance, clearing_balance + p_amount, p_at),
         (p_id, 1, 'post', clearing, account.id, p_amount, clearing_balance, account.balance + p_amount, p_at);
  INSERT INTO deposits (ref, transaction_id, account_number, amount, bank_name, sender_name, name_salt, received_at)
  VALUES (p_ref, p_id, p_number, p_amount, p_bank, p_sender, gen_random_uuid(), p_at);
  INSERT INTO transaction_totals AS total (day, type, status, shard, count, cents)
  VALUES (bank_day(p_at), 'deposit', 'completed', 0, 1, p_amount)
      ON CONFLICT (day, type, status, shard)
      DO UPDATE SET count = total.count + excluded.count, cents = total.cents + excluded.cents;
  INSERT INTO notifications (account_id, id, kind, transaction_id, created_at)
  VALUES (account.id, p_id, 'money-received', p_id, p_at);
  -- In the order of the entries: the money arrives in clearing before it leaves it.
  INSERT INTO audit_log (at, actor_kind, action, subject, data)
  VALUES (p_at, 'system', 'deposit.received', p_id::text,
          jsonb_build_object('debit', treasury, 'credit', clearing, 'cents', p_amount));
  INSERT INTO audit_log (at, actor_kind, action, data)
  VALUES (p_at, 'system', 'transactions.posted', jsonb_build_object('posted', jsonb_build_array(
    concat_ws(' ', p_id, bank, clearing, account.id, p_amount, ''))));
  IF p_at > now() - interval '1 hour' THEN PERFORM enqueue_transfer_mails(ARRAY[p_id]); END IF;
END $$;

-- The running server books only what a line of a file says (book_rail_deposit).
REVOKE ALL ON FUNCTION book_deposit_at FROM PUBLIC;

-- Search texts of deposits also contain the other bank and the sender's name.
CREATE OR REPLACE FUNCTION search_texts_between(p_type transaction_type, p_first uuid, p_last uuid) RETURNS text
LANGUAGE sql STABLE SET search_path = public, pg_temp SET enable_seqscan = off AS $$
  SELECT coalesce(lower(string_agg(DISTINCT s.text, E'\n')), '')
    FROM transactions t
    -- OFFSET 0 forces one index lookup per row, however many rows the planner expects.
    LEFT JOIN LATERAL (SELECT * FROM external_transfers e
                        WHERE e.transaction_id = t.id AND t.type = 'external-transfer' OFFSET 0) x ON true
    LEFT JOIN LATERAL (SELECT * FROM deposits e WHERE e.transaction_id = t.id AND t.type = 'deposit' OFFSET 0) d ON true,
         LATERAL (VALUES (t.description), ('=' || t.amount), (x.bank_name), (x.account_name), (x.account_number),
                         (d.bank_name), (d.sender_name)) s(text)
   WHERE t.type = p_type AND t.id BETWEEN p_first AND p_last AND s.text <> ''
$$;

-- Erases the senders' names of up to p_count deposits of a closed account, and removes them from the search texts. Returns how
-- many names it erased.
CREATE FUNCTION erase_depositors(p_account bigint, p_count integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  erased uuid[];
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtext('larkspur texts'));
  WITH batch AS (
    SELECT d.ref FROM transactions t JOIN deposits d ON d.transaction_id = t.id
     WHERE t.receiver_account = p_account AND t.type = 'deposit' AND d.sender_name <> ''
       AND (SELECT a.is_closed FROM ledger_accounts a WHERE a.id = p_account)
     LIMIT p_count
  ), changed AS (
    UPDATE deposits d SET sender_name = '', name_salt = NULL FROM batch WHERE d.ref = batch.ref RETURNING d.transaction_id
  )
  SELECT array_agg(transaction_id) INTO erased FROM changed;
  UPDATE search_texts
     SET texts = search_texts_between(type, first, last)
   WHERE type = 'deposit' AND last = ANY (ARRAY(
     SELECT DISTINCT (SELECT s.last FROM search_texts s WHERE s.type = 'deposit' AND s.last >= id ORDER BY s.last LIMIT 1)
       FROM unnest(erased) AS id));
  RETURN coalesce(cardinality(erased), 0);
END $$;
REVOKE ALL ON FUNCTION erase_depositors FROM PUBLIC;
GRANT EXECUTE ON FUNCTION erase_depositors TO larkspur_app;
