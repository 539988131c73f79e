-- What the bank tells a customer inside the app. Not evidence: it may be read, and it may go. Ids are UUIDv7, so that
-- the newest of an account are one backward scan of the key; that of a posting is its transaction's own.
CREATE TABLE notifications (
  account_id bigint NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL,
  transaction_id uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  read_at timestamptz,
  PRIMARY KEY (account_id, id)
);

GRANT SELECT, INSERT, UPDATE (read_at), DELETE ON notifications TO larkspur_app;
