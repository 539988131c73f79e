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
