-- What left an account today, without reading its transactions: a sender can make a million of them in a day, and the check of
-- the daily limit makes the postings of others wait.

-- The newest bank day on which the account sent money. What left the account on that day is sent - out_base. A transfer that
-- waited for its lock past midnight counts toward the new day.
ALTER TABLE ledger_accounts ADD COLUMN out_day date, ADD COLUMN out_base bigint;

-- What left an account on the bank day of p_at: completed and pending, without what was returned. The caller has locked the
-- account, or accepts a value that may change.
CREATE OR REPLACE FUNCTION money_out_on_day(p_account bigint, p_at timestamptz) RETURNS bigint LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off AS $$
DECLARE
  account ledger_accounts;
  since bigint;
BEGIN
  SELECT * INTO account FROM ledger_accounts WHERE id = p_account;
  IF account.out_day >= bank_day(p_at) THEN RETURN account.sent - account.out_base; END IF;
  -- No server of this version has posted for the account today. It sent at most what 1.0.0 posted, and reversals.
  since := first_seq_since(p_account, bank_day(p_at)::timestamp AT TIME ZONE 'America/New_York');
  RETURN (SELECT coalesce(sum(t.amount), 0) FROM transactions t
           WHERE t.sender_account = p_account AND t.sender_seq >= since)
       - (SELECT coalesce(sum(t.amount), 0) FROM transactions t
           WHERE t.sender_account = p_account AND t.sender_seq >= since AND t.type = 'external-transfer'
             -- OFFSET 0: one index lookup per payment.
             AND EXISTS (SELECT FROM external_transfers x
                          WHERE x.transaction_id = t.id AND x.status = 'failed' OFFSET 0));
END $$;

-- Ends a pending external transfer, once. Settled: the money leaves clearing for the treasury. Returned: it goes back to the
-- sender. It goes to the unclaimed balances instead if the sender's account is closed, or if the transfer paid out an
-- unclaimed balance. The sender is notified unless the account is closed. Returns false if the transfer was already decided.
-- With p_canceled_by, its customer or an administrator takes it back: that works only before it was submitted to the rail,
-- and for an administrator only while the account is frozen.
CREATE OR REPLACE FUNCTION decide_external_transfer_at(
  p_at timestamptz, p_id uuid, p_settled boolean, p_reason text,
  p_canceled_by text DEFAULT NULL, p_actor uuid DEFAULT NULL, p_address text DEFAULT NULL)
RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  treasury constant bigint := treasury_id(); clearing constant bigint := clearing_id(); unclaimed constant bigint := unclaimed_id();
  tx transactions; target bigint; sender_closed boolean; sender_frozen boolean; from_balance bigint; to_balance bigint;
  verdict constant transaction_status := CASE WHEN p_settled THEN 'completed' ELSE 'failed' END;
BEGIN
  IF p_settled IS NULL THEN RAISE 'p_settled must not be null' USING ERRCODE = 'null_value_not_allowed'; END IF;
  SELECT * INTO tx FROM transactions WHERE id = p_id AND type = 'external-transfer';
  IF NOT FOUND THEN RETURN false; END IF;
  -- Lock every account that may be written, in id order. The sender's account is always locked: whether it is closed
  -- decides where the money goes and whether there is a customer to notify.
  PERFORM FROM ledger_accounts
    WHERE id = ANY (ARRAY[clearing, tx.sender_account, CASE WHEN p_settled THEN treasury ELSE unclaimed END])
    ORDER BY id FOR NO KEY UPDATE;
  SELECT is_closed, is_frozen INTO sender_closed, sender_frozen FROM ledger_accounts WHERE id = tx.sender_account;
  IF p_canceled_by = 'admin' AND sender_frozen IS NOT TRUE THEN RETURN false; END IF;
  -- The payment needed the name until now. If the sender's account is closed, the name is erased here.
  UPDATE external_transfers SET status = verdict, decided_at = p_at,
         return_reason = CASE WHEN NOT p_settled THEN p_reason END,
         account_name = CASE WHEN sender_closed THEN '' ELSE account_name END
   WHERE transaction_id = p_id AND status = 'pending' AND (p_canceled_by IS NULL OR submitted_at IS NULL);
  IF NOT FOUND THEN RETURN false; END IF;

  -- Without a sender, it paid out an unclaimed balance.
  target := CASE WHEN p_settled THEN treasury WHEN sender_closed THEN unclaimed
                 ELSE coalesce(tx.sender_account, unclaimed) END;
  UPDATE ledger_accounts SET balance = balance - tx.amount WHERE id = clearing RETURNING balance INTO from_balance;
  UPDATE ledger_accounts SET balance = balance + tx.amount WHERE id = target RETURNING balance INTO to_balance;
  IF NOT p_settled THEN
    -- A payment of an earlier day is not part of what left the account today.
    UPDATE ledger_accounts
       SET sent = sent - tx.amount,
           out_base = CASE WHEN out_day = bank_day(tx.created_at) THEN out_base ELSE out_base - tx.amount END
     WHERE id = tx.sender_account;
  END IF;
  INSERT INTO journal_entries (transaction_id, step, kind, debit_account, credit_account, amount,
                               debit_balance, credit_balance, posted_at)
  VALUES (p_id, 2, CASE WHEN p_settled THEN 'settle' ELSE 'return' END::entry_kind, clearing, target, tx.amount,
          from_balance, to_balance, p_at);
  INSERT INTO transaction_totals AS total (day, type, status, shard, count, cents)
  VALUES (bank_day(tx.created_at), tx.type, 'pending', 0, -1, -tx.amount),
         (bank_day(tx.created_at), tx.type, verdict, 0, 1, tx.amount)
      ON CONFLICT (day, type, status, shard)
      DO UPDATE SET count = total.count + excluded.count, cents = total.cents + excluded.cents;
  INSERT INTO audit_log (at, actor_kind, actor_id, action, subject, address, data)
  VALUES (p_at, coalesce(p_canceled_by, 'system'), p_actor,
          CASE WHEN p_settled THEN 'external.settled' WHEN p_canceled_by IS NULL THEN 'external.returned'
               ELSE 'external.canceled' END, p_id::text, p_address,
          jsonb_build_object('debit', clearing, 'credit', target, 'cents', tx.amount, 'reason', p_reason));
  IF NOT sender_closed THEN
    INSERT INTO notifications (account_id, id, kind, transaction_id, created_at, read_at)
    VALUES (tx.sender_account, new_id(), CASE WHEN p_settled THEN 'external-settled' ELSE 'external-returned' END, p_id, p_at,
            -- The customer's own act is not news to the customer.
            CASE WHEN p_canceled_by = 'customer' THEN p_at END);
    IF p_at > now() - interval '1 hour' THEN
      PERFORM enqueue_transfer_mails(ARRAY[p_id], 2::smallint);
    END IF;
  END IF;
  RETURN true;
END $$;
