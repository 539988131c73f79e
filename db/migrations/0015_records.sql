-- Statements of closed months: the figures, and hashes of what was in them. The document is made again from the books when a
-- customer asks for it. The same values are in the audit chain, so that a change of a row shows.

CREATE TABLE statements (
  account_id bigint NOT NULL,
  -- As 2026-11.
  month text NOT NULL CHECK (month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  opening bigint NOT NULL,
  closing bigint NOT NULL,
  money_in bigint NOT NULL CHECK (money_in >= 0),
  money_out bigint NOT NULL CHECK (money_out >= 0),
  count bigint NOT NULL CHECK (count >= 0),
  -- SHA-256 of the movements, without names: it stays the same when a customer is erased.
  content_hash bytea NOT NULL CHECK (length(content_hash) = 32),
  -- SHA-256 of the PDF as it was made.
  file_hash bytea NOT NULL CHECK (length(file_hash) = 32),
  made_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, month),
  CONSTRAINT figures_tie CHECK (opening + money_in - money_out = closing)
);

CREATE TRIGGER insert_only BEFORE UPDATE OR DELETE OR TRUNCATE ON statements
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE statements ENABLE ALWAYS TRIGGER insert_only;

GRANT SELECT ON statements TO larkspur_app;
GRANT INSERT (account_id, month, opening, closing, money_in, money_out, count, content_hash, file_hash)
  ON statements TO larkspur_app;
