-- Savings goals: pots inside a customer's account. Each is a ledger account of its own, so the balance of the customer's account
-- is what is available. Like the posting functions, the functions below write the ledger.

CREATE INDEX ledger_accounts_goals ON ledger_accounts (owner) WHERE kind = 'goal';

CREATE TABLE goals (
  id uuid PRIMARY KEY,
  account_id bigint NOT NULL,
  ledger_account bigint NOT NULL UNIQUE,
  name text NOT NULL,
  picture text NOT NULL,
  target bigint NOT NULL CHECK (target > 0),
  target_date date,
  -- The rule that moves money into the goal on its dates, which are computed as for scheduled transfers. Without a next date
  -- there is no rule.
  rule_amount bigint CHECK (rule_amount > 0),
  rule_frequency text CHECK (rule_frequency IN ('weekly', 'biweekly', 'monthly')),
  rule_start date,
  rule_index integer NOT NULL DEFAULT 0,
  rule_date date,
  rule_retry_at timestamptz,
  -- The last date of the rule, and whether its money was moved.
  rule_ran_on date,
  rule_moved boolean,
  -- Round-ups are done for transfers up to this sequence number, last on this day.
  round_up_seq bigint,
  round_up_on date,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- A deleted goal stays for the statements that name it.
  deleted_at timestamptz,
  key_hash uuid UNIQUE,
  request_hash uuid NOT NULL,
  CHECK ((rule_date IS NULL) OR (rule_amount IS NOT NULL AND rule_frequency IS NOT NULL AND rule_start IS NOT NULL)),
  CHECK ((round_up_seq IS NULL) = (round_up_on IS NULL))
) WITH (fillfactor = 80);
CREATE INDEX goals_own ON goals (account_id);
CREATE INDEX goals_due ON goals (rule_date, id) WHERE rule_date IS NOT NULL;
-- Round-ups go into one goal.
CREATE UNIQUE INDEX goals_round_up ON goals (account_id) WHERE round_up_seq IS NOT NULL;
CREATE INDEX goals_round_up_due ON goals (round_up_on, id) WHERE round_up_seq IS NOT NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON goals TO larkspur_app;

-- The movements between accounts and their goals: each is a row here and a journal entry with the same id, step 1, kind 'goal'.
-- They are not transactions: nothing enters or leaves what the customer owns, so the transaction lists and the counters of
-- money sent and received do not have them.
CREATE TABLE goal_movements (
  id uuid PRIMARY KEY,
  account bigint NOT NULL,
  goal_account bigint NOT NULL,
  -- Positive into the goal, negative out of it.
  amount bigint NOT NULL CHECK (amount <> 0),
  -- The sequence number of the account's last transaction before this movement, which places it among the transactions.
  after_seq bigint NOT NULL,
  cause text NOT NULL CHECK (cause IN ('customer', 'rule', 'round-up', 'closing')),
  created_at timestamptz NOT NULL,
  actor uuid NOT NULL,
  key_hash uuid NOT NULL UNIQUE,
  request_hash uuid NOT NULL
);
CREATE INDEX goal_movements_own ON goal_movements (account, created_at);
CREATE INDEX goal_movements_goal ON goal_movements (goal_account, created_at);
CREATE TRIGGER insert_only BEFORE UPDATE OR DELETE OR TRUNCATE ON goal_movements
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE goal_movements ENABLE ALWAYS TRIGGER insert_only;
GRANT SELECT ON goal_movements TO larkspur_app;

-- Opens the ledger account of a goal. NULL if the customer's account is closed or not approved.
CREATE FUNCTION open_goal(p_account bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  opened bigint;
BEGIN
  PERFORM FROM ledger_accounts a WHERE a.id = p_account AND a.kind = 'customer' AND a.is_approved AND NOT a.is_closed
    FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  INSERT INTO ledger_accounts (kind, owner, is_approved) VALUES ('goal', p_account, true) RETURNING id INTO opened;
  RETURN opened;
END $$;

-- Writes a movement. The caller has locked both accounts and checked the balances.
CREATE FUNCTION write_goal_movement(
  p_at timestamptz, p_id uuid, p_account bigint, p_goal bigint, p_amount bigint, p_cause text, p_actor_kind text, p_actor uuid,
  p_key uuid, p_request uuid, p_address text
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
  seq bigint; account_balance bigint; goal_balance bigint;
  is_in constant boolean := p_amount > 0;
BEGIN
  UPDATE ledger_accounts SET balance = balance - p_amount WHERE id = p_account
    RETURNING balance, entry_count INTO account_balance, seq;
  UPDATE ledger_accounts SET balance = balance + p_amount WHERE id = p_goal RETURNING balance INTO goal_balance;
  INSERT INTO goal_movements (id, account, goal_account, amount, after_seq, cause, created_at, actor, key_hash, request_hash)
  VALUES (p_id, p_account, p_goal, p_amount, seq, p_cause, p_at, p_actor, p_key, p_request);
  INSERT INTO journal_entries (transaction_id, step, kind, debit_account, credit_account, amount,
                               debit_balance, credit_balance, posted_at)
  VALUES (p_id, 1, 'goal', CASE WHEN is_in THEN p_account ELSE p_goal END, CASE WHEN is_in THEN p_goal ELSE p_account END,
          abs(p_amount), CASE WHEN is_in THEN account_balance ELSE goal_balance END,
          CASE WHEN is_in THEN goal_balance ELSE account_balance END, p_at);
  INSERT INTO audit_log (at, actor_kind, actor_id, action, subject, address, data)
  VALUES (p_at, p_actor_kind, p_actor, 'goal.moved', p_id::text, p_address,
          jsonb_build_object('debit', CASE WHEN is_in THEN p_account ELSE p_goal END,
                             'credit', CASE WHEN is_in THEN p_goal ELSE p_account END, 'cents', abs(p_amount)));
END $$;

-- Moves money into a goal (p_amount > 0) or out of it. p_amount NULL: everything out, and the goal is closed. Outcomes, in the
-- order they are checked:
--    0 moved (with p_amount NULL also: closed, and there was nothing to move)
--    1 the key was used for the same request: its movement is the answer
--    2 the key was used for a different request
--   11 the account is closed
--   12 the account is not approved
--   13 the account is frozen
--   22 this account has no such goal
--   23 the balance of the account is too small
--   24 the other balance would leave the range of exact numbers
--   26 the balance of the goal is too small
-- Outcomes from 22 on are stored with the caller's key: the same request gets the same refusal again.
CREATE FUNCTION move_goal_at(
  p_at timestamptz, p_id uuid, p_account bigint, p_goal bigint, p_amount bigint, p_cause text, p_actor uuid, p_key uuid,
  p_request uuid, p_keyed boolean, p_address text, OUT outcome smallint, OUT id uuid
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  largest constant bigint := 7036874417766400;
  account ledger_accounts; goal ledger_accounts; prior goal_movements; refused refused_requests;
  cents bigint; at timestamptz;
BEGIN
  id := p_id;
  -- Lock in id order, as posting does, to avoid deadlocks. A goal's account has a higher id than its customer's account, and
  -- posting never locks accounts of goals.
  PERFORM FROM ledger_accounts a WHERE a.id IN (p_account, p_goal) ORDER BY a.id FOR NO KEY UPDATE;
  -- After the lock: the movements of an account are in the order of their times.
  at := coalesce(p_at, clock_timestamp());
  SELECT * INTO account FROM ledger_accounts a WHERE a.id = p_account AND a.kind = 'customer';
  SELECT * INTO goal FROM ledger_accounts a WHERE a.id = p_goal AND a.owner = p_account AND NOT a.is_closed;
  SELECT * INTO prior FROM goal_movements m WHERE m.key_hash = p_key;
  SELECT * INTO refused FROM refused_requests r WHERE r.key_hash = p_key;
  cents := coalesce(p_amount, -goal.balance);
  outcome := CASE
    WHEN prior.id IS NOT NULL THEN CASE WHEN prior.request_hash = p_request THEN 1 ELSE 2 END
    WHEN refused.key_hash IS NOT NULL THEN CASE WHEN refused.request_hash = p_request THEN refused.outcome ELSE 2 END
    WHEN account.id IS NULL OR account.is_closed THEN 11
    WHEN NOT account.is_approved THEN 12
    WHEN account.is_frozen AND cents <> 0 THEN 13
    WHEN goal.id IS NULL THEN 22
    WHEN account.balance < cents THEN 23
    WHEN goal.balance < -cents THEN 26
    WHEN account.balance > largest + cents OR goal.balance > largest - cents THEN 24
    ELSE 0 END;
  IF outcome = 1 THEN id := prior.id; END IF;
  IF outcome > 20 AND p_keyed AND refused.key_hash IS NULL THEN
    INSERT INTO refused_requests (key_hash, request_hash, outcome) VALUES (p_key, p_request, outcome);
  END IF;
  IF outcome <> 0 THEN RETURN; END IF;
  IF cents <> 0 THEN
    PERFORM write_goal_movement(at, p_id, p_account, p_goal, cents, p_cause,
      CASE WHEN p_cause IN ('rule', 'round-up') THEN 'system' ELSE 'customer' END, p_actor, p_key, p_request, p_address);
  END IF;
  IF p_amount IS NULL THEN UPDATE ledger_accounts SET is_closed = true WHERE id = p_goal; END IF;
END $$;

-- The variant for the running server, which can only move money with the current time.
CREATE FUNCTION move_goal(
  p_id uuid, p_account bigint, p_goal bigint, p_amount bigint, p_cause text, p_actor uuid, p_key uuid, p_request uuid,
  p_keyed boolean, p_address text, OUT outcome smallint, OUT id uuid
) LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT * FROM move_goal_at(NULL, p_id, p_account, p_goal, p_amount, p_cause, p_actor, p_key, p_request, p_keyed, p_address)
$$;

-- Returns the money of all goals of an account that closes. The caller has locked the account.
CREATE FUNCTION close_goals(p_account bigint, p_actor uuid, p_address text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  goal ledger_accounts; movement uuid;
BEGIN
  FOR goal IN SELECT * FROM ledger_accounts a WHERE a.kind = 'goal' AND a.owner = p_account AND NOT a.is_closed ORDER BY a.id FOR NO KEY UPDATE LOOP
    IF goal.balance > 0 THEN
      movement := new_id();
      PERFORM write_goal_movement(clock_timestamp(), movement, p_account, goal.id, -goal.balance, 'closing', 'admin', p_actor,
                                  movement, movement, p_address);
    END IF;
    UPDATE ledger_accounts a SET is_closed = true WHERE a.id = goal.id;
  END LOOP;
END $$;

REVOKE ALL ON FUNCTION open_goal, write_goal_movement, move_goal_at, move_goal, close_goals FROM PUBLIC;
GRANT EXECUTE ON FUNCTION open_goal, move_goal TO larkspur_app;
