-- With RETENTION_YEARS: the verified identity of a customer as it was before an ID document or a name was replaced, encrypted
-- with the customer's key. When the account is closed, it becomes part of the row in `retained_identities`.
CREATE TABLE replaced_identities (
  customer_id uuid NOT NULL,
  replaced_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  sealed bytea NOT NULL,
  PRIMARY KEY (customer_id, replaced_at)
);
GRANT SELECT, INSERT, DELETE ON replaced_identities TO larkspur_app;
