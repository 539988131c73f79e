-- The files of the payment rail: what was sent, what came in, and the lines that match nothing. The money is moved by
-- decide_external_transfer and book_deposit_at alone.

-- The number of an entry in its trace number, of which Nacha has seven digits.
CREATE SEQUENCE rail_traces AS bigint;

CREATE TABLE rail_files (
  id uuid PRIMARY KEY,
  direction text NOT NULL CHECK (direction IN ('out', 'in')),
  name text NOT NULL,
  -- pacs.008, pacs.004, camt.054 or nacha; empty if a refused file could not be read.
  format text NOT NULL,
  message_id text,
  -- The routing number of the bank to which it goes or from which it came; empty if a refused file could not be read.
  counterparty text NOT NULL,
  sha256 bytea NOT NULL,
  lines integer NOT NULL,
  cents bigint NOT NULL,
  state text NOT NULL CHECK (state IN ('made', 'sent', 'ended', 'read', 'applied', 'refused')),
  reason text,
  made_at timestamptz NOT NULL DEFAULT now(),
  done_at timestamptz,
  -- Of an outgoing file until its last payment has ended: a file that is missing is written again from here.
  content text,
  CHECK ((state = 'refused') = (reason IS NOT NULL))
);
-- A file is applied once, and so is a message, whatever its bytes.
CREATE UNIQUE INDEX rail_files_content ON rail_files (sha256) WHERE direction = 'in';
CREATE UNIQUE INDEX rail_files_message ON rail_files (direction, counterparty, message_id) WHERE state <> 'refused';
CREATE INDEX rail_files_open ON rail_files (state) WHERE state IN ('made', 'sent', 'read');
CREATE INDEX rail_files_age ON rail_files (made_at, id);

-- The lines of incoming files. A line is applied once, in one transaction with what it changes.
CREATE TABLE rail_incoming (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  file_id uuid NOT NULL REFERENCES rail_files,
  line integer NOT NULL,
  kind text NOT NULL CHECK (kind IN ('settled', 'returned', 'deposit', 'credit', 'change', 'other')),
  amount bigint NOT NULL,
  currency text NOT NULL,
  keys text[] NOT NULL,
  account_number text NOT NULL,
  party_name text NOT NULL,
  bank_name text NOT NULL,
  code text NOT NULL,
  text text NOT NULL,
  ref text NOT NULL,
  original jsonb NOT NULL,
  outcome text CHECK (outcome IN ('applied', 'sent-back', 'exception')),
  transaction_id uuid,
  UNIQUE (file_id, line)
);
CREATE INDEX rail_incoming_waiting ON rail_incoming (file_id, line) WHERE outcome IS NULL;
CREATE INDEX rail_incoming_answered ON rail_incoming (id) WHERE outcome IN ('applied', 'sent-back') AND original <> '{}';
CREATE INDEX rail_incoming_keys ON rail_incoming USING gin (keys) WHERE kind = 'deposit';

-- What leaves: each submitted payment, and each answer to a deposit, is in exactly one file.
CREATE TABLE rail_outgoing (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  transaction_id uuid UNIQUE,
  answer_to bigint UNIQUE REFERENCES rail_incoming,
  -- The reason of a return; null: the answer says that the deposit was booked.
  code text,
  -- The routing number of the bank to which it goes.
  counterparty text NOT NULL,
  -- When it can leave: a payment at once, an answer at the next cut-off.
  due_at timestamptz NOT NULL DEFAULT now(),
  file_id uuid REFERENCES rail_files,
  line integer,
  -- How an answer names the payment.
  key text,
  UNIQUE (file_id, line),
  CHECK ((transaction_id IS NULL) = (answer_to IS NOT NULL)),
  CHECK ((file_id IS NULL) = (line IS NULL))
);
CREATE INDEX rail_outgoing_waiting ON rail_outgoing (due_at, id) WHERE file_id IS NULL;
CREATE INDEX rail_outgoing_keys ON rail_outgoing (key, id);

-- Lines that were not applied, for the staff.
CREATE TABLE rail_exceptions (
  id uuid PRIMARY KEY,
  incoming_id bigint NOT NULL UNIQUE REFERENCES rail_incoming,
  reason text NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  assigned_to uuid,
  resolved_by uuid,
  resolved_at timestamptz,
  note text,
  CHECK ((resolved_at IS NULL) = (note IS NULL AND resolved_by IS NULL))
);
CREATE INDEX rail_exceptions_open ON rail_exceptions (id) WHERE resolved_at IS NULL;

GRANT USAGE ON SEQUENCE rail_traces TO larkspur_app;
GRANT SELECT, INSERT ON rail_files, rail_incoming, rail_outgoing, rail_exceptions TO larkspur_app;
GRANT UPDATE (name, format, message_id, counterparty, lines, cents, state, reason, done_at, content) ON rail_files TO larkspur_app;
GRANT UPDATE (outcome, transaction_id, party_name, text, original) ON rail_incoming TO larkspur_app;
GRANT UPDATE (file_id, line, key) ON rail_outgoing TO larkspur_app;
GRANT UPDATE (assigned_to, resolved_by, resolved_at, note) ON rail_exceptions TO larkspur_app;

-- Books the deposit that a line of an incoming file describes, once. The server can book no other deposit. Outcomes: those of
-- book_deposit_at.
CREATE FUNCTION book_rail_deposit(
  p_incoming bigint, p_id uuid, p_reference text, OUT outcome smallint, OUT id uuid, OUT reason text
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_variable
DECLARE found_line rail_incoming;
BEGIN
  SELECT * INTO found_line FROM rail_incoming i
   WHERE i.id = p_incoming AND i.kind = 'deposit' AND i.currency = 'USD' AND i.outcome IS NULL FOR UPDATE;
  IF NOT FOUND THEN RAISE 'line % is no deposit that waits', p_incoming USING ERRCODE = 'no_data_found'; END IF;
  SELECT b.outcome, b.id, b.reason INTO outcome, id, reason
    FROM book_deposit_at(now(), p_id, p_reference, found_line.ref, found_line.account_number, found_line.amount,
                         found_line.party_name, found_line.bank_name) b;
END $$;
REVOKE ALL ON FUNCTION book_rail_deposit FROM PUBLIC;
GRANT EXECUTE ON FUNCTION book_rail_deposit TO larkspur_app;
