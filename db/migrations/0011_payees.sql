-- Accounts that a customer saved to pay again. Posting (0005) updates last_paid_at.

CREATE TABLE payees (
  id uuid PRIMARY KEY,
  account_id bigint NOT NULL,
  -- Empty for an account at this bank, whose holder's name is read when it is shown.
  bank_name text NOT NULL DEFAULT '',
  account_name text NOT NULL DEFAULT '',
  account_number text NOT NULL,
  nickname text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_paid_at timestamptz,
  UNIQUE (account_id, account_number, bank_name),
  CHECK ((bank_name = '') = (account_name = ''))
) WITH (fillfactor = 80);
GRANT SELECT, INSERT, UPDATE (nickname), DELETE ON payees TO larkspur_app;
