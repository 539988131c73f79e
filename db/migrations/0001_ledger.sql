-- The books. Money is whole cents in bigint. Every movement is one journal entry with a debited and a credited account,
-- so an entry that does not balance cannot be stored. Evidence is insert-only: for the running server by privilege, for
-- everybody by trigger. There are no foreign keys on the posting path; `npm run ledger -- verify` proves what they would.

DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'larkspur_app') THEN
    CREATE ROLE larkspur_app NOLOGIN;
  END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; -- another database of this cluster made it just now
END $$;
DO $$
BEGIN
  -- The role belongs to the whole cluster; whoever made it may have granted it already.
  IF NOT pg_has_role(current_user, 'larkspur_app', 'MEMBER') THEN
    GRANT larkspur_app TO CURRENT_USER;
  END IF;
END $$;
GRANT USAGE ON SCHEMA public TO larkspur_app;

-- The day of the bank's calendar at a moment; PostgreSQL puts the expression in the function's place.
CREATE FUNCTION bank_day(p_at timestamptz) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (p_at AT TIME ZONE 'America/New_York')::date;

CREATE TYPE transaction_type AS ENUM ('transfer', 'admin-credit', 'external-transfer');
CREATE TYPE transaction_status AS ENUM ('completed', 'pending', 'failed');
CREATE TYPE entry_kind AS ENUM ('post', 'settle', 'return', 'sweep');

CREATE TABLE ledger_accounts (
  id bigint GENERATED ALWAYS AS IDENTITY (START WITH 1000) PRIMARY KEY,
  kind text NOT NULL DEFAULT 'customer' CHECK (kind IN ('customer', 'treasury', 'clearing', 'unclaimed')),
  number text UNIQUE CHECK (number ~ '^[0-9]{12}$'),
  is_approved boolean NOT NULL DEFAULT false,
  is_frozen boolean NOT NULL DEFAULT false,
  is_closed boolean NOT NULL DEFAULT false,
  balance bigint NOT NULL DEFAULT 0,
  -- Kept with every posting, so that no page or figure ever scans history.
  lines bigint NOT NULL DEFAULT 0,
  sent bigint NOT NULL DEFAULT 0,
  received bigint NOT NULL DEFAULT 0,
  opened_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT only_customers_have_numbers CHECK ((kind = 'customer') = (number IS NOT NULL)),
  -- The treasury alone may be below zero: it is where the bank's money comes from.
  CONSTRAINT balance_not_below_zero CHECK (kind = 'treasury' OR balance >= 0),
  -- 2^46 dollars: what a number of JSON can carry to the cent.
  CONSTRAINT balance_is_exact CHECK (abs(balance) <= 7036874417766400)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

CREATE INDEX ledger_accounts_waiting ON ledger_accounts (id) WHERE kind = 'customer' AND NOT is_approved AND NOT is_closed;

-- The bank's own accounts: where credits come from, what is on its way to other banks, and what nobody is there to own.
CREATE FUNCTION treasury_id() RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN 1;
CREATE FUNCTION clearing_id() RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN 2;
CREATE FUNCTION unclaimed_id() RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN 3;
INSERT INTO ledger_accounts (id, kind, is_approved) OVERRIDING SYSTEM VALUE
VALUES (treasury_id(), 'treasury', true), (clearing_id(), 'clearing', true), (unclaimed_id(), 'unclaimed', true);

-- The business event. A line number is the event's place in that customer's own list, counted without gaps, which makes
-- any page of any account an index range.
CREATE TABLE transactions (
  id uuid PRIMARY KEY,
  type transaction_type NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  sender_account bigint,
  sender_line bigint,
  receiver_account bigint,
  receiver_line bigint,
  created_at timestamptz NOT NULL,
  actor uuid NOT NULL,
  key_hash uuid NOT NULL UNIQUE,
  request_hash uuid NOT NULL,
  reference text NOT NULL,
  description text NOT NULL,
  CHECK (sender_account <> receiver_account),
  CHECK ((sender_account IS NULL) = (sender_line IS NULL)),
  CHECK ((receiver_account IS NULL) = (receiver_line IS NULL)),
  UNIQUE (sender_account, sender_line),
  UNIQUE (receiver_account, receiver_line)
);

-- What makes an account's lines differ, and the bank's rarer types. Each covers one type, so that a transfer between
-- customers, the most of what is posted, pays for none of them.
CREATE INDEX transactions_own_externals ON transactions (sender_account, sender_line) INCLUDE (id, type)
  WHERE type = 'external-transfer';
CREATE INDEX transactions_own_credits ON transactions (receiver_account, receiver_line) INCLUDE (type)
  WHERE type = 'admin-credit';
CREATE INDEX transactions_externals ON transactions (id) WHERE type = 'external-transfer';
CREATE INDEX transactions_credits ON transactions (id) WHERE type = 'admin-credit';
-- Finds a whole reference: a summary of each stretch of pages, which costs an insert next to nothing.
CREATE INDEX transactions_reference ON transactions USING brin (reference text_bloom_ops (n_distinct_per_range = 5000))
  WITH (pages_per_range = 64, autosummarize = on);

-- Step 1 posts, or sweeps what a closed account held; step 2 settles or returns. The key makes settling twice, or settling and returning, impossible.
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

-- What an external transfer is on its way. The only part of a transaction that changes, and only away from pending.
CREATE TABLE external_transfers (
  transaction_id uuid PRIMARY KEY,
  bank_name text NOT NULL,
  account_name text NOT NULL,
  account_number text NOT NULL,
  status transaction_status NOT NULL DEFAULT 'pending',
  -- The day of the bank's calendar by which the payment rail means to know; empty until it has taken the payment.
  expected_by date,
  decided_at timestamptz,
  return_reason text
);
CREATE INDEX external_transfers_open ON external_transfers (status, transaction_id) WHERE status <> 'completed';

-- A keyed request the books refused: the same key gives the same refusal for ever.
CREATE TABLE refused_requests (
  key_hash uuid PRIMARY KEY,
  request_hash uuid NOT NULL,
  outcome smallint NOT NULL,
  at timestamptz NOT NULL DEFAULT now()
);

-- The whole bank's figures by day of the bank's calendar. Shards keep two groups of postings from waiting for each other.
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
CREATE TRIGGER insert_only BEFORE UPDATE OR DELETE OR TRUNCATE ON refused_requests
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A session that replays as a replica skips ordinary triggers; not these.
ALTER TABLE transactions ENABLE ALWAYS TRIGGER insert_only;
ALTER TABLE journal_entries ENABLE ALWAYS TRIGGER insert_only;
ALTER TABLE refused_requests ENABLE ALWAYS TRIGGER insert_only;

GRANT SELECT ON ledger_accounts, transactions, journal_entries, postings, external_transfers, refused_requests,
  transaction_totals TO larkspur_app;
-- The running server opens, approves and freezes accounts; balances, counters and closing are the posting functions' alone.
GRANT INSERT (number) ON ledger_accounts TO larkspur_app;
GRANT UPDATE (is_approved, is_frozen) ON ledger_accounts TO larkspur_app;
-- Of an external transfer it can note when an answer is expected; what becomes of it is the posting functions' alone.
GRANT UPDATE (expected_by) ON external_transfers TO larkspur_app;
