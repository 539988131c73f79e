-- The back office: links to set a password, requests for a second approval, reversals, notes, sent mails.

-- The one-time link with which an administrator sets a password. Each has at most one; a new one replaces it. The link
-- contains the id and its keyed hash, so reading this table gives no link.
CREATE TABLE admin_links (
  admin_id uuid PRIMARY KEY,
  id uuid NOT NULL UNIQUE,
  expires_at timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON admin_links TO larkspur_app;

-- Requests of administrators that a second operator or owner must approve. The columns from customer_id on say what to do;
-- which of them a request has depends on its kind.
CREATE TABLE approval_requests (
  id uuid PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('credit', 'reversal', 'deletion', 'role', 'invitation', 'limit', 'unclaimed', 'email')),
  status text NOT NULL DEFAULT 'pending'
    CHECK (status IN ('pending', 'done', 'declined', 'withdrawn', 'expired', 'failed')),
  asked_by uuid NOT NULL REFERENCES admins (id),
  asked_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  -- The IP address that it was asked from.
  address text NOT NULL,
  reason text,
  -- Who approved, declined or withdrew it; the job that expires it is no person.
  decided_by uuid REFERENCES admins (id),
  decided_at timestamptz,
  -- Why it was declined, or could not be done.
  outcome text,
  -- The transaction that was posted.
  result_id uuid,
  -- Idempotency key of the call, as the ledger hashes it.
  key_hash uuid UNIQUE,
  request_hash uuid,
  customer_id uuid,
  amount bigint,
  description text,
  transaction_id uuid,
  member_id uuid,
  email text,
  name text,
  role text,
  former_role text,
  from_cents bigint,
  CHECK ((status = 'pending') = (decided_at IS NULL)),
  CHECK (decided_by <> asked_by OR status = 'withdrawn')
);
CREATE INDEX approval_requests_waiting ON approval_requests (expires_at) WHERE status = 'pending';
CREATE INDEX approval_requests_customer ON approval_requests (customer_id) WHERE status = 'pending';
-- At most one open request for the same thing, except credits: two of the same amount can both be intended.
CREATE UNIQUE INDEX approval_requests_once
  ON approval_requests (kind, coalesce(transaction_id::text, customer_id::text, member_id::text, email, ''))
  WHERE status = 'pending' AND kind <> 'credit';
GRANT SELECT, INSERT, UPDATE (status, decided_by, decided_at, outcome, result_id) ON approval_requests TO larkspur_app;

-- The email that a request of the kind email asks for: personal data, which is erased with the customer.
CREATE TABLE email_requests (
  request_id uuid PRIMARY KEY REFERENCES approval_requests (id),
  customer_id uuid NOT NULL,
  email text NOT NULL
);
CREATE INDEX email_requests_customer ON email_requests (customer_id);
GRANT SELECT, INSERT, DELETE ON email_requests TO larkspur_app;

-- A decided request does not change any more.
CREATE FUNCTION refuse_second_decision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'request % was decided', OLD.id USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER decided_once BEFORE UPDATE ON approval_requests
  FOR EACH ROW WHEN (OLD.status <> 'pending') EXECUTE FUNCTION refuse_second_decision();

-- The amount from which credits and reversals need a second person; NULL means never. Without a row, the
-- setting FOUR_EYES_FROM applies.
CREATE TABLE four_eyes (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  from_cents bigint CHECK (from_cents > 0)
);
GRANT SELECT, INSERT, UPDATE ON four_eyes TO larkspur_app;

-- Reversals. A reversal is a transaction of its own with the opposite entry, and each transaction is reversed at most once.
CREATE TABLE reversals (
  transaction_id uuid PRIMARY KEY,
  original_id uuid NOT NULL UNIQUE
);
CREATE TRIGGER insert_only BEFORE UPDATE OR DELETE OR TRUNCATE ON reversals
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE reversals ENABLE ALWAYS TRIGGER insert_only;
GRANT SELECT ON reversals TO larkspur_app;
CREATE INDEX transactions_reversals ON transactions (id) WHERE type = 'reversal';
CREATE INDEX transactions_own_reversals_out ON transactions (sender_account, sender_seq) WHERE type = 'reversal';
CREATE INDEX transactions_own_reversals_in ON transactions (receiver_account, receiver_seq) WHERE type = 'reversal';

-- The outcome that this key had before: 1 and the id of its transaction, or its refusal; 2 if it was used for another request.
CREATE FUNCTION earlier_answer(p_key uuid, p_request uuid, OUT outcome smallint, OUT id uuid) LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN e.request_hash = p_request THEN e.outcome ELSE 2::smallint END, e.id
    FROM (SELECT 1::smallint AS outcome, t.id, t.request_hash FROM transactions t WHERE t.key_hash = p_key
           UNION ALL
          SELECT r.outcome, NULL, r.request_hash FROM refused_requests r WHERE r.key_hash = p_key) e
$$;
REVOKE ALL ON FUNCTION earlier_answer FROM PUBLIC;

-- Books the opposite of a credit or of a transfer between two customers. Outcomes, in the order they are checked:
--    0 reversed
--    1 the key was used for the same request: its transaction is the answer
--    2 the key was used for a different request
--   22 there is no such transaction
--   41 it is neither a credit nor a transfer between two customers
--   42 it was already reversed
--   43 one of the accounts is closed
--   23 the balance of the account that received the money is too small
--   24 the other balance would leave the range of exact numbers
-- A refusal is stored with the caller's key: the same request gets the same refusal again. Frozen accounts can be reversed.
CREATE FUNCTION reverse_transaction(
  p_original uuid, p_id uuid, p_actor uuid, p_key uuid, p_request uuid, p_keyed boolean, p_reference text,
  p_description text, p_reason text, p_address text, OUT outcome smallint, OUT id uuid
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  treasury constant bigint := treasury_id();
  largest constant bigint := 7036874417766400;
  original transactions; entry journal_entries; earlier record;
  payer ledger_accounts; payee ledger_accounts;
BEGIN
  id := p_id;
  SELECT * INTO original FROM transactions t WHERE t.id = p_original;
  SELECT * INTO entry FROM journal_entries e WHERE e.transaction_id = p_original AND e.step = 1;
  -- Lock in id order (no deadlocks): nothing read below can change before the commit.
  PERFORM FROM ledger_accounts a WHERE a.id IN (entry.debit_account, entry.credit_account)
    ORDER BY a.id FOR NO KEY UPDATE;
  SELECT * INTO payer FROM ledger_accounts a WHERE a.id = entry.credit_account;
  SELECT * INTO payee FROM ledger_accounts a WHERE a.id = entry.debit_account;

  SELECT * INTO earlier FROM earlier_answer(p_key, p_request);
  outcome := CASE
    WHEN earlier.outcome IS NOT NULL THEN earlier.outcome
    WHEN original.id IS NULL THEN 22
    WHEN original.type NOT IN ('transfer', 'admin-credit') OR original.receiver_account IS NULL THEN 41
    WHEN EXISTS (SELECT FROM reversals r WHERE r.original_id = p_original) THEN 42
    WHEN payer.is_closed OR payee.is_closed THEN 43
    WHEN payer.balance < original.amount THEN 23
    WHEN payee.balance > largest - original.amount THEN 24
    ELSE 0 END;
  IF outcome = 1 THEN id := earlier.id; END IF;
  IF outcome > 20 AND p_keyed AND earlier.outcome IS NULL THEN
    INSERT INTO refused_requests (key_hash, request_hash, outcome) VALUES (p_key, p_request, outcome);
  END IF;
  IF outcome <> 0 THEN RETURN; END IF;

  UPDATE ledger_accounts a
     SET balance = a.balance - original.amount, entry_count = a.entry_count + 1, sent = a.sent + original.amount
   WHERE a.id = payer.id RETURNING * INTO payer;
  IF payee.kind = 'customer' THEN
    UPDATE ledger_accounts a
       SET balance = a.balance + original.amount, entry_count = a.entry_count + 1,
           received = a.received + original.amount
     WHERE a.id = payee.id RETURNING * INTO payee;
  ELSE
    UPDATE ledger_accounts a SET balance = a.balance + original.amount WHERE a.id = payee.id RETURNING * INTO payee;
  END IF;
  INSERT INTO transactions (id, type, amount, sender_account, sender_seq, receiver_account, receiver_seq,
                            created_at, actor, key_hash, request_hash, reference, description)
  VALUES (p_id, 'reversal', original.amount, payer.id, payer.entry_count,
          CASE WHEN payee.kind = 'customer' THEN payee.id END,
          CASE WHEN payee.kind = 'customer' THEN payee.entry_count END,
          now(), p_actor, p_key, p_request, p_reference, p_description);
  INSERT INTO journal_entries (transaction_id, step, kind, debit_account, credit_account, amount,
                               debit_balance, credit_balance, posted_at)
  VALUES (p_id, 1, 'post', payer.id, payee.id, original.amount, payer.balance, payee.balance, now());
  INSERT INTO reversals (transaction_id, original_id) VALUES (p_id, p_original);
  INSERT INTO transaction_totals AS total (day, type, status, shard, count, cents)
  VALUES (bank_day(now()), 'reversal', 'completed', 0, 1, original.amount)
      ON CONFLICT (day, type, status, shard)
      DO UPDATE SET count = total.count + excluded.count, cents = total.cents + excluded.cents;
  INSERT INTO notifications (account_id, id, kind, transaction_id)
  SELECT payer.id, p_id, 'reversed-out', p_id
   UNION ALL
  SELECT payee.id, p_id, 'reversed-in', p_id WHERE payee.kind = 'customer';
  PERFORM enqueue_transfer_mails(ARRAY[p_id]);
  INSERT INTO audit_log (at, actor_kind, actor_id, action, subject, address, data)
  VALUES (now(), 'admin', p_actor, 'transaction.reversed', p_id::text, p_address,
          jsonb_build_object('debit', payer.id, 'credit', payee.id, 'cents', original.amount, 'reverses', p_original,
                             'reason', p_reason));
  -- Also a record of each customer, searchable by customer.
  INSERT INTO audit_log (at, actor_kind, actor_id, action, subject, address, data)
  SELECT now(), 'admin', p_actor, 'customer.reversed', c.id::text, p_address,
         jsonb_build_object('transaction', p_id, 'cents', original.amount, 'reason', p_reason)
    FROM customers c WHERE c.account_id IN (payer.id, payee.id);
END $$;
REVOKE ALL ON FUNCTION reverse_transaction FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reverse_transaction TO larkspur_app;

-- Notes of administrators on a customer. They are never changed, and are deleted with the customer's data.
CREATE TABLE customer_notes (
  id uuid PRIMARY KEY,
  customer_id uuid NOT NULL,
  author uuid NOT NULL REFERENCES admins (id),
  text text NOT NULL,
  at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX customer_notes_customer ON customer_notes (customer_id, id);
GRANT SELECT, INSERT, DELETE ON customer_notes TO larkspur_app;

-- Customers who were asked for a better ID document and have not uploaded a new one. They are not in the queue.
CREATE TABLE id_requests (
  customer_id uuid PRIMARY KEY,
  reason text NOT NULL,
  at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT, INSERT, UPDATE, DELETE ON id_requests TO larkspur_app;

-- Mails that the mail server accepted, without their text. Mails about transfers are not here: the transfer is the record.
CREATE TABLE sent_mails (
  id uuid PRIMARY KEY,
  person_id uuid NOT NULL,
  template text NOT NULL,
  subject text NOT NULL,
  at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX sent_mails_person ON sent_mails (person_id, id);
CREATE INDEX sent_mails_age ON sent_mails (at);
GRANT SELECT, INSERT, DELETE ON sent_mails TO larkspur_app;

-- Search by any part of a phone number or street.
CREATE INDEX customers_contact ON customers
  USING gin ((phone_number || ' ' || address || ' ' || zip_code || ' ' || region) gin_trgm_ops)
  WHERE deleted_at IS NULL;
