-- The desk's daily work: the queue of contact messages, unclaimed balances, proofs of the books, and changes of
-- a customer's name and email.

-- A message is open until an administrator takes it, and theirs until it is closed.
ALTER TABLE contact_messages
  ADD COLUMN owner uuid REFERENCES admins (id),
  ADD COLUMN closed_at timestamptz;
CREATE INDEX contact_messages_waiting ON contact_messages (at, id) WHERE closed_at IS NULL;
CREATE INDEX contact_messages_closed ON contact_messages (closed_at, id) WHERE closed_at IS NOT NULL;
GRANT UPDATE (owner, closed_at) ON contact_messages TO larkspur_app;

-- What was answered. An answer is never changed, and is deleted with its message.
CREATE TABLE contact_answers (
  id uuid PRIMARY KEY,
  message_id uuid NOT NULL REFERENCES contact_messages (id) ON DELETE CASCADE,
  author uuid NOT NULL REFERENCES admins (id),
  text text NOT NULL,
  at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX contact_answers_message ON contact_answers (message_id, id);
GRANT SELECT, INSERT ON contact_answers TO larkspur_app;

-- Unclaimed balances. Every movement into that account (a sweep, a payment that came back for a closed account) is one
-- balance, which is paid out once and in full.
CREATE TABLE unclaimed_payouts (
  transaction_id uuid PRIMARY KEY,
  -- The transaction that brought the balance.
  source_id uuid NOT NULL UNIQUE,
  -- The closed account whose money it is.
  account_id bigint
);
CREATE TRIGGER insert_only BEFORE UPDATE OR DELETE OR TRUNCATE ON unclaimed_payouts
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE unclaimed_payouts ENABLE ALWAYS TRIGGER insert_only;
GRANT SELECT ON unclaimed_payouts TO larkspur_app;
CREATE INDEX journal_entries_unclaimed ON journal_entries (transaction_id) WHERE credit_account = 3;

-- Pays an unclaimed balance out: to a customer as a credit (p_receiver), or to another bank as a payment of the rail.
-- Outcomes, in the order they are checked:
--    0 paid out
--    1 the key was used for the same request: its transaction is the answer
--    2 the key was used for a different request
--   22 there is no such unclaimed balance
--   44 it was already paid out
--   45 the receiver is unknown or closed
--   12 the receiver is not approved
--   24 the receiver's balance would leave the range of exact numbers
-- A refusal from 21 on is stored with the caller's key: the same request gets the same refusal again.
CREATE FUNCTION pay_unclaimed(
  p_source uuid, p_id uuid, p_actor uuid, p_key uuid, p_request uuid, p_keyed boolean, p_reference text, p_description text,
  p_reason text, p_address text, p_receiver text, p_bank_name text, p_account_name text, p_account_number text,
  OUT outcome smallint, OUT id uuid
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  unclaimed constant bigint := unclaimed_id();
  largest constant bigint := 7036874417766400;
  entry journal_entries; earlier record; payee ledger_accounts;
  owner_account bigint; from_balance bigint;
BEGIN
  id := p_id;
  SELECT * INTO entry FROM journal_entries e WHERE e.transaction_id = p_source AND e.credit_account = 3;
  SELECT a.id INTO payee.id FROM ledger_accounts a WHERE a.number = p_receiver;
  IF p_receiver IS NULL THEN payee.id := clearing_id(); END IF;
  -- Lock in id order (no deadlocks). Every payout locks the unclaimed account, so no balance is paid out twice.
  PERFORM FROM ledger_accounts a WHERE a.id IN (unclaimed, payee.id) ORDER BY a.id FOR NO KEY UPDATE;
  SELECT * INTO payee FROM ledger_accounts a WHERE a.id = payee.id;

  SELECT * INTO earlier FROM earlier_answer(p_key, p_request);
  outcome := CASE
    WHEN earlier.outcome IS NOT NULL THEN earlier.outcome
    WHEN entry.transaction_id IS NULL THEN 22
    WHEN EXISTS (SELECT FROM unclaimed_payouts u WHERE u.source_id = p_source) THEN 44
    WHEN payee.id IS NULL OR payee.is_closed THEN 45
    WHEN NOT payee.is_approved THEN 12
    WHEN payee.balance > largest - entry.amount THEN 24
    ELSE 0 END;
  IF outcome = 1 THEN id := earlier.id; END IF;
  IF outcome > 20 AND p_keyed AND earlier.outcome IS NULL THEN
    INSERT INTO refused_requests (key_hash, request_hash, outcome) VALUES (p_key, p_request, outcome);
  END IF;
  IF outcome <> 0 THEN RETURN; END IF;

  -- Of a sweep or a return the sender is the closed account. Of money that was paid out and came back, the payout knows it.
  SELECT coalesce(
           (SELECT u.account_id FROM unclaimed_payouts u
             WHERE u.transaction_id IN (p_source, (SELECT r.original_id FROM reversals r WHERE r.transaction_id = p_source))),
           (SELECT t.sender_account FROM transactions t WHERE t.id = p_source)) INTO owner_account;
  UPDATE ledger_accounts a SET balance = a.balance - entry.amount WHERE a.id = unclaimed RETURNING a.balance INTO from_balance;
  UPDATE ledger_accounts a
     SET balance = a.balance + entry.amount,
         entry_count = a.entry_count + (a.kind = 'customer')::int,
         received = a.received + CASE WHEN a.kind = 'customer' THEN entry.amount ELSE 0 END
   WHERE a.id = payee.id RETURNING * INTO payee;
  INSERT INTO transactions (id, type, amount, receiver_account, receiver_seq, created_at, actor, key_hash, request_hash,
                            reference, description)
  SELECT p_id, CASE WHEN p_receiver IS NULL THEN 'external-transfer' ELSE 'admin-credit' END::transaction_type, entry.amount,
         CASE WHEN payee.kind = 'customer' THEN payee.id END, CASE WHEN payee.kind = 'customer' THEN payee.entry_count END,
         now(), p_actor, p_key, p_request, p_reference, p_description;
  INSERT INTO journal_entries (transaction_id, step, kind, debit_account, credit_account, amount,
                               debit_balance, credit_balance, posted_at)
  VALUES (p_id, 1, 'post', unclaimed, payee.id, entry.amount, from_balance, payee.balance, now());
  INSERT INTO unclaimed_payouts (transaction_id, source_id, account_id) VALUES (p_id, p_source, owner_account);
  INSERT INTO transaction_totals AS total (day, type, status, shard, count, cents)
  VALUES (bank_day(now()), CASE WHEN p_receiver IS NULL THEN 'external-transfer' ELSE 'admin-credit' END::transaction_type,
          CASE WHEN p_receiver IS NULL THEN 'pending' ELSE 'completed' END::transaction_status, 0, 1, entry.amount)
      ON CONFLICT (day, type, status, shard)
      DO UPDATE SET count = total.count + excluded.count, cents = total.cents + excluded.cents;
  IF p_receiver IS NULL THEN
    INSERT INTO external_transfers (transaction_id, bank_name, account_name, account_number)
    VALUES (p_id, p_bank_name, p_account_name, p_account_number);
    PERFORM enqueue_payment_jobs('submit-payment', ARRAY[p_id]);
  ELSE
    INSERT INTO notifications (account_id, id, kind, transaction_id) VALUES (payee.id, p_id, 'credited', p_id);
    PERFORM enqueue_transfer_mails(ARRAY[p_id]);
  END IF;
  INSERT INTO audit_log (at, actor_kind, actor_id, action, subject, address, data)
  VALUES (now(), 'admin', p_actor, 'unclaimed.paid', p_id::text, p_address,
          jsonb_build_object('debit', unclaimed, 'credit', payee.id, 'cents', entry.amount, 'claims', p_source,
                             'reason', p_reason));
  -- Also a record of the customer, searchable by customer.
  INSERT INTO audit_log (at, actor_kind, actor_id, action, subject, address, data)
  SELECT now(), 'admin', p_actor, 'customer.credited', c.id::text, p_address,
         jsonb_build_object('transaction', p_id, 'cents', entry.amount)
    FROM customers c WHERE c.account_id = payee.id;
END $$;
REVOKE ALL ON FUNCTION pay_unclaimed FROM PUBLIC;
GRANT EXECUTE ON FUNCTION pay_unclaimed TO larkspur_app;

-- Requests for a second approval to pay an unclaimed balance out to another bank.
ALTER TABLE approval_requests
  ADD COLUMN bank_name text,
  ADD COLUMN account_name text,
  ADD COLUMN account_number text;

-- Proofs of the books: those that administrators start, and the daily one. The figures are those that were proven.
CREATE TABLE book_proofs (
  id uuid PRIMARY KEY,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  finished_at timestamptz,
  -- NULL: the daily job.
  asked_by uuid REFERENCES admins (id),
  -- From the first record, not from the last sealed balances.
  is_whole boolean NOT NULL,
  state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'passed', 'faults', 'unfinished')),
  -- How many audit records were checked, and how many there were at the start.
  records bigint NOT NULL DEFAULT 0,
  all_records bigint NOT NULL DEFAULT 0,
  transactions bigint NOT NULL DEFAULT 0,
  faults text[] NOT NULL DEFAULT '{}',
  customers bigint,
  treasury bigint,
  clearing bigint,
  unclaimed bigint,
  pending_count bigint,
  pending_cents bigint,
  held_count bigint,
  held_cents bigint,
  overdue_count bigint,
  overdue_cents bigint,
  CHECK ((state = 'running') = (finished_at IS NULL))
);
CREATE INDEX book_proofs_age ON book_proofs (started_at);
-- One proof that was asked for runs at a time.
CREATE UNIQUE INDEX book_proofs_running ON book_proofs (state) WHERE state = 'running';
-- A finished proof does not change any more.
CREATE TRIGGER finished_once BEFORE UPDATE ON book_proofs
  FOR EACH ROW WHEN (OLD.state <> 'running') EXECUTE FUNCTION refuse_change();
GRANT SELECT, INSERT, UPDATE (finished_at, state, records, transactions, faults, customers, treasury, clearing, unclaimed,
  pending_count, pending_cents, held_count, held_cents, overdue_count, overdue_cents) ON book_proofs TO larkspur_app;

-- Changes of a customer's name and email by staff, one row per field. The audit log says that it happened; the values are
-- here, because they can be erased.
CREATE TABLE customer_changes (
  id uuid PRIMARY KEY,
  customer_id uuid NOT NULL,
  author uuid NOT NULL REFERENCES admins (id),
  field text NOT NULL CHECK (field IN ('firstName', 'middleName', 'lastName', 'email')),
  former text NOT NULL,
  value text NOT NULL,
  reason text NOT NULL,
  at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX customer_changes_customer ON customer_changes (customer_id, id);
GRANT SELECT, INSERT, DELETE ON customer_changes TO larkspur_app;
