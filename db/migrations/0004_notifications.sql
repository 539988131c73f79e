-- In-app notifications. They are not evidence: they can be marked as read and deleted. Ids are UUIDv7, so the newest of an
-- account are one backward scan of the primary key. The notification of a posting has the id of its transaction.
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
