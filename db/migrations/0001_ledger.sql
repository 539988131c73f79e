-- The ledger. Amounts are whole cents in bigint. Every movement of money is one journal entry with a debited and a credited
-- account, so an unbalanced entry cannot be stored. Evidence tables are insert-only: the running server lacks the privilege
-- to change them, and triggers refuse it for every role. The posting path has no foreign keys, to save their cost per
-- row; `npm run ledger -- verify` checks the same relations.

-- The role exists by now: the owner makes it together with the server's login (src/server/db/serverLogin.ts).
GRANT USAGE ON SCHEMA public TO larkspur_app;

-- The bank's calendar day (New York) of a timestamp. PostgreSQL inlines the expression.
CREATE FUNCTION bank_day(p_at timestamptz) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (p_at AT TIME ZONE 'America/New_York')::date;

CREATE TYPE transaction_type AS ENUM ('transfer', 'admin-credit', 'external-transfer', 'reversal', 'deposit');
CREATE TYPE transaction_status AS ENUM ('completed', 'pending', 'failed');
CREATE TYPE entry_kind AS ENUM ('post', 'settle', 'return', 'sweep', 'receive', 'goal');

CREATE TABLE ledger_accounts (
  id bigint GENERATED ALWAYS AS IDENTITY (START WITH 1000) PRIMARY KEY,
  kind text NOT NULL DEFAULT 'customer' CHECK (kind IN ('customer', 'treasury', 'clearing', 'unclaimed', 'goal')),
  -- Of a savings goal: the account of its customer (0023_goals.sql).
  owner bigint,
  number text UNIQUE CHECK (number ~ '^[0-9]{12}$'),
  is_approved boolean NOT NULL DEFAULT false,
  -- Who froze the account: the bank, its customer, or both. Both can be set, and each is lifted on its own.
  frozen_by_bank boolean NOT NULL DEFAULT false,
  frozen_by_owner boolean NOT NULL DEFAULT false,
  is_frozen boolean GENERATED ALWAYS AS (frozen_by_bank OR frozen_by_owner) STORED,
  is_closed boolean NOT NULL DEFAULT false,
  balance bigint NOT NULL DEFAULT 0,
  -- Counters, updated with every posting, so that no page and no statistic scans history.
  entry_count bigint NOT NULL DEFAULT 0,
  sent bigint NOT NULL DEFAULT 0,
  received bigint NOT NULL DEFAULT 0,
  opened_at timestamptz NOT NULL DEFAULT now(),
  -- The customer's own brakes, in cents; NULL for none. step_up_from: transfers of this amount or more need a step-up.
  -- daily_out: the most that can leave the account in one bank day.
  step_up_from bigint CHECK (step_up_from > 0),
  daily_out bigint CHECK (daily_out > 0),
  CONSTRAINT only_customers_have_numbers CHECK ((kind = 'customer') = (number IS NOT NULL)),
  CONSTRAINT only_goals_have_owners CHECK ((kind = 'goal') = (owner IS NOT NULL)),
  -- Only the treasury may be negative: credits come out of it.
  CONSTRAINT balance_not_below_zero CHECK (kind = 'treasury' OR balance >= 0),
  -- 2^46 dollars: the largest amount that a JSON number represents exactly to the cent.
  CONSTRAINT balance_is_exact CHECK (abs(balance) <= 7036874417766400)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

CREATE INDEX ledger_accounts_waiting ON ledger_accounts (id) WHERE kind = 'customer' AND NOT is_approved AND NOT is_closed;

-- The bank's own accounts: treasury (source of credits), clearing (payments on their way to other banks) and unclaimed
-- balances (money of closed accounts).
CREATE FUNCTION treasury_id() RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN 1;
CREATE FUNCTION clearing_id() RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN 2;
CREATE FUNCTION unclaimed_id() RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN 3;
INSERT INTO ledger_accounts (id, kind, is_approved) OVERRIDING SYSTEM VALUE
VALUES (treasury_id(), 'treasury', true), (clearing_id(), 'clearing', true), (unclaimed_id(), 'unclaimed', true);

-- A UUIDv7, like the ids that the server generates.
CREATE FUNCTION new_id() RETURNS uuid LANGUAGE sql VOLATILE SET search_path = public, pg_temp
RETURN (SELECT overlay(gen_random_uuid()::text PLACING left(ms, 8) || '-' || right(ms, 4) || '-7' FROM 1 FOR 15)::uuid
          FROM lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0') AS ms);

-- The business event. sender_seq and receiver_seq number the transactions of each account from 1 without gaps, so any page
-- of any account is an index range.
CREATE TABLE transactions (
  id uuid PRIMARY KEY,
  type transaction_type NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  sender_account bigint,
  sender_seq bigint,
  receiver_account bigint,
  receiver_seq bigint,
  created_at timestamptz NOT NULL,
  actor uuid NOT NULL,
  key_hash uuid NOT NULL UNIQUE,
  request_hash uuid NOT NULL,
  reference text NOT NULL,
  description text NOT NULL,
  CHECK (sender_account <> receiver_account),
  CHECK ((sender_account IS NULL) = (sender_seq IS NULL)),
  CHECK ((receiver_account IS NULL) = (receiver_seq IS NULL)),
  UNIQUE (sender_account, sender_seq),
  UNIQUE (receiver_account, receiver_seq)
);

-- Partial indexes for the rarer types. A transfer between customers, by far the most common transaction, is in none of
-- them, so posting one does not pay for them.
CREATE INDEX transactions_own_externals ON transactions (sender_account, sender_seq) INCLUDE (id, type)
  WHERE type = 'external-transfer';
CREATE INDEX transactions_own_credits ON transactions (receiver_account, receiver_seq) INCLUDE (type)
  WHERE type = 'admin-credit';
CREATE INDEX transactions_externals ON transactions (id) WHERE type = 'external-transfer';
CREATE INDEX transactions_credits ON transactions (id) WHERE type = 'admin-credit';
-- Sweeps of closed accounts. The statistics subtract them from the daily totals.
CREATE INDEX transactions_sweeps ON transactions (created_at) INCLUDE (amount)
  WHERE type = 'transfer' AND receiver_account IS NULL;
-- Lookup by full reference. A BRIN bloom summary costs an insert next to nothing.
CREATE INDEX transactions_reference ON transactions USING brin (reference text_bloom_ops (n_distinct_per_range = 5000))
  WITH (pages_per_range = 64, autosummarize = on);

-- Step 1 posts a transaction (or sweeps the balance of an account that is closed); step 2 settles or returns it, or is the
-- arrival of a deposit's money. The
-- primary key makes it impossible to settle twice, or to settle and return.
CREATE TABLE journal_entries (
  transaction_id uuid NOT NULL,
  step smallint NOT NULL CHECK (step IN (1, 2)),
  kind entry_kind NOT NULL,
  debit_account bigint NOT NULL,
  credit_account bigint NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  debit_balance bigint NOT NULL,
  credit_balance bigint NOT NULL,
  posted_at timestamptz NOT NULL,
  PRIMARY KEY (transaction_id, step),
  CHECK (debit_account <> credit_account)
);

CREATE VIEW postings AS
  SELECT transaction_id, step, kind, debit_account AS account_id, -amount AS amount,
         debit_balance AS balance_after, posted_at
    FROM journal_entries
  UNION ALL
  SELECT transaction_id, step, kind, credit_account, amount, credit_balance, posted_at
    FROM journal_entries;

-- The details and the state of a transfer to another bank. The status is the only part of a transaction that changes,
-- and it only changes from pending.
CREATE TABLE external_transfers (
  transaction_id uuid PRIMARY KEY,
  bank_name text NOT NULL,
  account_name text NOT NULL,
  -- The seal covers account_name together with this value. Erasing the name destroys it, so that what remains in the seal
  -- says nothing about the name.
  name_salt uuid DEFAULT gen_random_uuid(),
  account_number text NOT NULL,
  status transaction_status NOT NULL DEFAULT 'pending',
  -- When the payment was given to the rail. Until then it can be canceled; from then on only the rail ends it.
  submitted_at timestamptz,
  -- The calendar day by which the payment rail expects a result; NULL until the rail accepts the payment.
  expected_by date,
  decided_at timestamptz,
  return_reason text
);
CREATE FUNCTION destroy_name_salt() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.name_salt := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER destroy_name_salt BEFORE UPDATE OF account_name ON external_transfers
  FOR EACH ROW WHEN (NEW.account_name = '') EXECUTE FUNCTION destroy_name_salt();
-- The hourly purge asks which erased names belong to a recent decision.
CREATE INDEX external_transfers_erased ON external_transfers (decided_at) WHERE account_name = '';
CREATE INDEX external_transfers_open ON external_transfers (status, transaction_id) WHERE status <> 'completed';

-- Refused requests that had an idempotency key: for 30 days, the same key gets the same refusal again. Then the row may be
-- deleted, and only then; the key of a transaction is kept forever.
CREATE TABLE refused_requests (
  key_hash uuid PRIMARY KEY,
  request_hash uuid NOT NULL,
  outcome smallint NOT NULL,
  at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX refused_requests_age ON refused_requests (at);

-- Totals of the whole bank by calendar day. Shards keep concurrent posting groups from locking the same row.
CREATE TABLE transaction_totals (
  day date NOT NULL,
  type transaction_type NOT NULL,
  status transaction_status NOT NULL,
  shard smallint NOT NULL,
  count bigint NOT NULL,
  cents bigint NOT NULL,
  PRIMARY KEY (day, type, status, shard)
);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is insert-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER insert_only BEFORE UPDATE OR DELETE OR TRUNCATE ON transactions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER insert_only BEFORE UPDATE OR DELETE OR TRUNCATE ON journal_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER insert_only BEFORE UPDATE OR TRUNCATE ON refused_requests
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER kept_for_30_days BEFORE DELETE ON refused_requests
  FOR EACH ROW WHEN (OLD.at > now() - interval '30 days') EXECUTE FUNCTION refuse_change();

-- ALWAYS: these triggers also fire in a session with session_replication_role = replica.
ALTER TABLE transactions ENABLE ALWAYS TRIGGER insert_only;
ALTER TABLE journal_entries ENABLE ALWAYS TRIGGER insert_only;
ALTER TABLE refused_requests ENABLE ALWAYS TRIGGER insert_only;
ALTER TABLE refused_requests ENABLE ALWAYS TRIGGER kept_for_30_days;

GRANT SELECT ON ledger_accounts, transactions, journal_entries, postings, external_transfers, refused_requests,
  transaction_totals TO larkspur_app;
-- The running server may open, approve and freeze accounts. Only the posting functions change balances and counters or
-- close an account.
GRANT INSERT (number) ON ledger_accounts TO larkspur_app;
GRANT DELETE ON refused_requests TO larkspur_app;
GRANT UPDATE (is_approved, frozen_by_bank, frozen_by_owner, step_up_from, daily_out) ON ledger_accounts TO larkspur_app;
-- The server may store when a payment was submitted and when a result is expected; only the posting functions change the
-- status.
GRANT UPDATE (submitted_at, expected_by) ON external_transfers TO larkspur_app;
