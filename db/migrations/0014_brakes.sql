-- Brakes on money: step-ups, the sum of a day for daily limits, and used links of security mails.

-- A challenge to confirm one act, and the proof once it is confirmed. act_hash covers customer, session, act, amount and
-- receiver. proof_hash covers the proof and act_hash, so a proof that is sent with another act is not found.
CREATE TABLE step_ups (
  id uuid PRIMARY KEY,
  customer_id uuid NOT NULL,
  session_id uuid NOT NULL,
  act text NOT NULL,
  amount bigint,
  receiver text NOT NULL,
  act_hash uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  -- The mailed code as a keyed hash, and when codes were mailed.
  code_hash bytea,
  codes_sent_at timestamptz[] NOT NULL DEFAULT '{}',
  attempts smallint NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  proof_hash uuid UNIQUE,
  proof_expires_at timestamptz,
  used_at timestamptz,
  -- A freeze or a change of the password ends challenges and proofs.
  voided_at timestamptz,
  CHECK ((proof_hash IS NULL) = (proof_expires_at IS NULL))
);
CREATE INDEX step_ups_of_customer ON step_ups (customer_id, created_at);
CREATE INDEX step_ups_age ON step_ups (created_at);
GRANT SELECT, INSERT, DELETE, UPDATE (expires_at, code_hash, codes_sent_at, attempts, proof_hash, proof_expires_at, voided_at)
  ON step_ups TO larkspur_app;

-- Uses up a proof in the transaction of its act. False if there is no such proof, or it is used, void or expired.
CREATE FUNCTION use_step_up_proof(p_hash uuid) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE step_ups SET used_at = now()
   WHERE proof_hash = p_hash AND used_at IS NULL AND voided_at IS NULL AND proof_expires_at > clock_timestamp();
  RETURN FOUND;
END $$;

-- What left an account on the bank day of p_at: completed and pending, without what was returned. Reads only that day's
-- transactions, in one pass: a sender can have made many of them, and postings of others wait. The caller has locked the account.
CREATE FUNCTION money_out_on_day(p_account bigint, p_at timestamptz) RETURNS bigint LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = public, pg_temp SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off AS $$
DECLARE
  since constant bigint := first_seq_since(p_account, bank_day(p_at)::timestamp AT TIME ZONE 'America/New_York');
BEGIN
  RETURN (SELECT coalesce(sum(t.amount), 0) FROM transactions t
           WHERE t.sender_account = p_account AND t.sender_seq >= since)
       - (SELECT coalesce(sum(t.amount), 0) FROM transactions t
           WHERE t.sender_account = p_account AND t.sender_seq >= since AND t.type = 'external-transfer'
             -- OFFSET 0: one index lookup per payment.
             AND EXISTS (SELECT FROM external_transfers x
                          WHERE x.transaction_id = t.id AND x.status = 'failed' OFFSET 0));
END $$;

-- Links "This wasn't me" of security mails that have been used.
CREATE TABLE used_freeze_links (
  id uuid PRIMARY KEY,
  customer_id uuid NOT NULL,
  used_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX used_freeze_links_age ON used_freeze_links (used_at);
GRANT SELECT, INSERT, DELETE ON used_freeze_links TO larkspur_app;

REVOKE ALL ON FUNCTION use_step_up_proof, money_out_on_day FROM PUBLIC;
GRANT EXECUTE ON FUNCTION use_step_up_proof, money_out_on_day TO larkspur_app;
