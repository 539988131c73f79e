-- A deposit that is larger than the bank accepts, or than the treasury can pay, is sent back. Before, the bank accepted any
-- amount. If the treasury could not pay it, balance_is_exact refused it, and its line was tried again forever.

-- Books a payment that the rail delivered, once per reference. Its money arrives from the treasury in clearing (step 2) and goes
-- from there to the customer (step 1), so that clearing still holds exactly what is pending. Outcomes: 0 booked, 1 booked or
-- sent back before, 2 the reference belongs to another payment, 3 sent back.
CREATE OR REPLACE FUNCTION book_deposit_at(
  p_at timestamptz, p_id uuid, p_reference text, p_ref text, p_number text, p_amount bigint, p_sender text, p_bank text,
  OUT outcome smallint, OUT id uuid, OUT reason text
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off AS $$
#variable_conflict use_variable
DECLARE
  treasury constant bigint := treasury_id(); clearing constant bigint := clearing_id();
  largest constant bigint := 7036874417766400;
  -- The most that a customer can send, in cents (transfer.maxAmountDollars). Without this limit, one wrong amount from another
  -- bank could use up what the treasury can pay.
  most constant bigint := 100000000000;
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
  SELECT t.balance, c.balance INTO treasury_balance, clearing_balance
    FROM ledger_accounts t, ledger_accounts c WHERE t.id = treasury AND c.id = clearing;
  reason := CASE
    WHEN account.id IS NULL OR NOT EXISTS (SELECT FROM customers c WHERE c.account_id = account.id) THEN 'No account has this number'
    WHEN account.is_closed THEN 'The account is closed'
    WHEN NOT account.is_approved THEN 'The account is not open yet'
    WHEN p_amount > most OR account.balance > largest - p_amount OR treasury_balance < p_amount - largest
    THEN 'The amount is too large'
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
