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
  -- A server of 1.0.0 or a reversal may have posted today: they do not set out_day. So add up the day's transactions.
  since := first_seq_since(p_account, bank_day(p_at)::timestamp AT TIME ZONE 'America/New_York');
  RETURN (SELECT coalesce(sum(t.amount), 0) FROM transactions t
           WHERE t.sender_account = p_account AND t.sender_seq >= since)
       - (SELECT coalesce(sum(t.amount), 0) FROM transactions t
           WHERE t.sender_account = p_account AND t.sender_seq >= since AND t.type = 'external-transfer'
             -- OFFSET 0: one index lookup per payment.
             AND EXISTS (SELECT FROM external_transfers x
                          WHERE x.transaction_id = t.id AND x.status = 'failed' OFFSET 0));
END $$;

-- A payment of an earlier day that comes back lowers `sent`, but it is not part of what left the account today. The function
-- that ends the payment has locked the account.
CREATE FUNCTION leave_out_earlier_day() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  payment transactions;
BEGIN
  SELECT * INTO payment FROM transactions WHERE id = NEW.transaction_id;
  UPDATE ledger_accounts SET out_base = out_base - payment.amount
   WHERE id = payment.sender_account AND out_day <> bank_day(payment.created_at);
  RETURN NULL;
END $$;
CREATE TRIGGER leave_out_earlier_day AFTER UPDATE OF status ON external_transfers
  FOR EACH ROW WHEN (NEW.status = 'failed') EXECUTE FUNCTION leave_out_earlier_day();
