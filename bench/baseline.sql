-- The baseline of the benchmark: the smallest transfer that is still durable, idempotent and double-entry, as one function
-- call per commit. It runs in the same cluster as the bank, without sessions, notifications, mail or an audit log.
CREATE TABLE accounts (
  id bigint PRIMARY KEY,
  balance bigint NOT NULL CHECK (balance >= 0),
  n_entries bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
CREATE TABLE transfers (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key uuid NOT NULL UNIQUE,
  from_id bigint NOT NULL,
  to_id bigint NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE entries (
  account_id bigint NOT NULL,
  seq bigint NOT NULL,
  transfer_id bigint NOT NULL,
  amount bigint NOT NULL,
  balance_after bigint NOT NULL,
  PRIMARY KEY (account_id, seq)
);

CREATE FUNCTION transfer_once(p_from bigint, p_to bigint, p_amount bigint, p_key uuid) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE a accounts; b accounts; t bigint;
BEGIN
  IF p_from = p_to THEN RETURN NULL; END IF;
  IF p_from < p_to THEN
    SELECT * INTO a FROM accounts WHERE id = p_from FOR NO KEY UPDATE;
    SELECT * INTO b FROM accounts WHERE id = p_to FOR NO KEY UPDATE;
  ELSE
    SELECT * INTO b FROM accounts WHERE id = p_to FOR NO KEY UPDATE;
    SELECT * INTO a FROM accounts WHERE id = p_from FOR NO KEY UPDATE;
  END IF;
  IF a.balance < p_amount THEN RETURN NULL; END IF;
  INSERT INTO transfers (key, from_id, to_id, amount) VALUES (p_key, p_from, p_to, p_amount)
    ON CONFLICT (key) DO NOTHING RETURNING id INTO t;
  IF t IS NULL THEN RETURN NULL; END IF;
  INSERT INTO entries VALUES
    (p_from, a.n_entries + 1, t, -p_amount, a.balance - p_amount), (p_to, b.n_entries + 1, t, p_amount, b.balance + p_amount);
  UPDATE accounts SET balance = balance - p_amount, n_entries = n_entries + 1 WHERE id = p_from;
  UPDATE accounts SET balance = balance + p_amount, n_entries = n_entries + 1 WHERE id = p_to;
  RETURN t;
END $$;
