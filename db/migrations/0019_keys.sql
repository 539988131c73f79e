-- Rotation of APP_SECRET. Keys themselves are never stored here, except former seal keys, encrypted with the current secret.

-- Every secret with which a server of this bank has started. A server does not start without one that is still needed.
CREATE TABLE app_secrets (
  key_id text PRIMARY KEY,
  first_used_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- When everything that is stored was encrypted again with a newer secret.
  released_at timestamptz
);

-- Which key sealed the audit chain from which position on.
CREATE TABLE seal_keys (
  from_position bigint PRIMARY KEY,
  key_id text NOT NULL,
  -- The key, encrypted with a newer secret: seals stay verifiable after their secret was destroyed.
  wrapped bytea
);
GRANT SELECT, INSERT (from_position, key_id) ON seal_keys TO larkspur_app;

-- With RETENTION_YEARS: what identified a customer whose account was closed, encrypted with a key of its own. The key is not in
-- the database. After its time the key and the data are erased, and the row says that they were.
CREATE TABLE retained_identities (
  customer_id uuid PRIMARY KEY,
  -- Names the key among the keys of people.
  key_id uuid NOT NULL UNIQUE,
  closed_at timestamptz NOT NULL DEFAULT now(),
  erase_after timestamptz NOT NULL,
  sealed bytea
);
CREATE INDEX retained_identities_due ON retained_identities (erase_after) WHERE sealed IS NOT NULL;
GRANT SELECT, INSERT, UPDATE (sealed) ON retained_identities TO larkspur_app;
