-- The check of a daily limit needs the sum of what left an account today, but must not read the account's transactions: a
-- sender can make a million of them in a day, and the postings of others wait for the check.

-- `sent - out_base` is what left the account on the bank day `out_day`. If out_day is null or an earlier day, no sum is kept
-- for today: the account has no daily limit or has sent nothing yet.
ALTER TABLE ledger_accounts ADD COLUMN out_day date, ADD COLUMN out_base bigint;
GRANT UPDATE (out_day, out_base) ON ledger_accounts TO larkspur_app;

-- Sums the transactions that left an account on a bank day and have the sequence numbers from p_from to p_to. Completed and
-- pending payments count. Returned payments and reversals by the bank do not.
CREATE FUNCTION money_out_between(p_account bigint, p_day date, p_from bigint, p_to bigint) RETURNS bigint LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off AS $$
DECLARE
  day_start constant timestamptz := p_day::timestamp AT TIME ZONE 'America/New_York';
  day_end constant timestamptz := (p_day + 1)::timestamp AT TIME ZONE 'America/New_York';
BEGIN
  RETURN (SELECT coalesce(sum(t.amount), 0) FROM transactions t
           WHERE t.sender_account = p_account AND t.sender_seq BETWEEN p_from AND p_to AND t.type <> 'reversal'
             AND t.created_at >= day_start AND t.created_at < day_end)
       - (SELECT coalesce(sum(t.amount), 0) FROM transactions t
           WHERE t.sender_account = p_account AND t.sender_seq BETWEEN p_from AND p_to AND t.type = 'external-transfer'
             AND t.created_at >= day_start AND t.created_at < day_end
             -- OFFSET 0: one index lookup per payment.
             AND EXISTS (SELECT FROM external_transfers x
                          WHERE x.transaction_id = t.id AND x.status = 'failed' OFFSET 0));
END $$;
REVOKE ALL ON FUNCTION money_out_between FROM PUBLIC;
GRANT EXECUTE ON FUNCTION money_out_between TO larkspur_app;

-- What left an account on the bank day of p_at. The caller has locked the account, or accepts a value that may change.
CREATE OR REPLACE FUNCTION money_out_on_day(p_account bigint, p_at timestamptz) RETURNS bigint LANGUAGE plpgsql STABLE
SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off AS $$
DECLARE
  today constant date := bank_day(p_at);
  account ledger_accounts;
BEGIN
  SELECT * INTO account FROM ledger_accounts WHERE id = p_account;
  -- If this transfer waited for its lock past midnight, out_day can be tomorrow, and the transfer counts toward tomorrow. A
  -- later out_day comes from a clock that was wrong.
  IF account.out_day BETWEEN today AND bank_day(p_at + interval '1 hour') THEN RETURN account.sent - account.out_base; END IF;
  -- After a clock was ahead, this range can contain transactions of other days, so money_out_between also checks the day.
  RETURN money_out_between(p_account, today, first_seq_since(p_account, today::timestamp AT TIME ZONE 'America/New_York'),
                           account.entry_count);
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

-- A reversal raises `sent`, but it is not the customer's own transfer. The function that reverses has locked the account.
CREATE FUNCTION leave_out_reversal() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE ledger_accounts a SET out_base = a.out_base + t.amount
    FROM transactions t WHERE t.id = NEW.transaction_id AND a.id = t.sender_account AND a.out_base IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER leave_out_reversal AFTER INSERT ON reversals FOR EACH ROW EXECUTE FUNCTION leave_out_reversal();
