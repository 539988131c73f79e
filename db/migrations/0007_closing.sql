-- Closing accounts. Like the posting functions, this writes the ledger.

-- Closes a customer's account for good. The owner can only close an empty account with no pending transfer. An administrator
-- always can: a remaining balance moves to the unclaimed balances, as a transfer without a receiver and the last entry of
-- the account. The money of savings goals returns to the account first, and counts as its balance. Outcomes: 0 closed,
-- 11 unknown or already closed, 13 frozen, 31 balance not zero, 32 a transfer is pending.
CREATE FUNCTION close_account(
  p_account bigint, p_actor uuid, p_by_owner boolean, p_sweep uuid, p_reference text, p_description text, p_address text
) RETURNS smallint LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  unclaimed constant bigint := unclaimed_id();
  account ledger_accounts; unclaimed_balance bigint;
BEGIN
  -- Lock in id order. A concurrent transfer to this account either committed before, and is swept too, or waits for this
  -- lock and is then refused.
  PERFORM FROM ledger_accounts
    WHERE id = ANY (CASE WHEN p_by_owner THEN ARRAY[p_account] ELSE ARRAY[unclaimed, p_account] END)
    ORDER BY id FOR NO KEY UPDATE;
  SELECT * INTO account FROM ledger_accounts WHERE id = p_account AND kind = 'customer' AND NOT is_closed;
  IF NOT FOUND THEN RETURN 11; END IF;
  IF p_by_owner THEN
    IF account.is_frozen THEN RETURN 13; END IF;
    IF account.balance + (SELECT coalesce(sum(balance), 0) FROM ledger_accounts WHERE kind = 'goal' AND owner = p_account) <> 0 THEN RETURN 31; END IF;
    IF EXISTS (SELECT FROM transactions t JOIN external_transfers x ON x.transaction_id = t.id
                WHERE t.sender_account = p_account AND t.type = 'external-transfer' AND x.status = 'pending')
    THEN RETURN 32; END IF;
  END IF;

  PERFORM close_goals(p_account, p_actor, p_address);
  SELECT * INTO account FROM ledger_accounts WHERE id = p_account;
  UPDATE ledger_accounts SET is_closed = true WHERE id = p_account;
  IF account.balance = 0 THEN RETURN 0; END IF;

  UPDATE ledger_accounts SET balance = 0, entry_count = entry_count + 1, sent = sent + account.balance WHERE id = p_account;
  UPDATE ledger_accounts SET balance = balance + account.balance WHERE id = unclaimed
    RETURNING balance INTO unclaimed_balance;
  -- A sweep happens once per account and has no caller's key: its own id serves as the key.
  INSERT INTO transactions (id, type, amount, sender_account, sender_seq, created_at, actor, key_hash, request_hash,
                            reference, description)
  VALUES (p_sweep, 'transfer', account.balance, p_account, account.entry_count + 1, now(), p_actor, p_sweep, p_sweep,
          p_reference, p_description);
  INSERT INTO journal_entries (transaction_id, step, kind, debit_account, credit_account, amount,
                               debit_balance, credit_balance, posted_at)
  VALUES (p_sweep, 1, 'sweep', p_account, unclaimed, account.balance, 0, unclaimed_balance, now());
  INSERT INTO transaction_totals AS total (day, type, status, shard, count, cents)
  VALUES (bank_day(now()), 'transfer', 'completed', 0, 1, account.balance)
      ON CONFLICT (day, type, status, shard)
      DO UPDATE SET count = total.count + excluded.count, cents = total.cents + excluded.cents;
  INSERT INTO audit_log (actor_kind, actor_id, action, subject, address, data)
  VALUES ('admin', p_actor, 'balance.swept', p_sweep::text, p_address,
          jsonb_build_object('debit', p_account, 'credit', unclaimed, 'cents', account.balance));
  RETURN 0;
END $$;

REVOKE ALL ON FUNCTION close_account FROM PUBLIC;
GRANT EXECUTE ON FUNCTION close_account TO larkspur_app;
