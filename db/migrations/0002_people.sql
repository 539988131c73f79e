-- People: customers, administrators, how they prove who they are, and their sessions. Money and what an account may do
-- stand in the books; a customer is joined to them by account_id.

CREATE TABLE customers (
  id uuid PRIMARY KEY,
  account_id bigint NOT NULL UNIQUE REFERENCES ledger_accounts (id),
  first_name text NOT NULL,
  middle_name text NOT NULL,
  last_name text NOT NULL,
  gender text NOT NULL,
  address text NOT NULL,
  region text NOT NULL,
  zip_code text NOT NULL,
  email text NOT NULL,
  phone_number text NOT NULL,
  avatar_file text,
  id_card_file text,
  is_verified boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  CONSTRAINT email_in_lower_case CHECK (email = lower(email))
);
-- One living customer per address; the address of a deleted one is free again.
CREATE UNIQUE INDEX customers_email ON customers (email) WHERE deleted_at IS NULL;
CREATE INDEX customers_newest ON customers (created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX customers_unverified ON customers (created_at) WHERE NOT is_verified AND deleted_at IS NULL;
-- Whose file this is: asked about every stored file by the cleaning up.
CREATE INDEX customers_avatar ON customers (avatar_file) WHERE avatar_file IS NOT NULL;
CREATE INDEX customers_id_card ON customers (id_card_file) WHERE id_card_file IS NOT NULL;

CREATE TABLE admins (
  id uuid PRIMARY KEY,
  email text NOT NULL UNIQUE CHECK (email = lower(email)),
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  disabled_at timestamptz
);

-- The hash is encrypted and bound to its person, so that neither a reader nor a writer of this table gains a login.
CREATE TABLE credentials (
  person_id uuid PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('customer', 'admin')),
  password_hash bytea NOT NULL,
  wrong_passwords smallint NOT NULL DEFAULT 0 CHECK (wrong_passwords >= 0),
  wrong_codes smallint NOT NULL DEFAULT 0 CHECK (wrong_codes >= 0),
  locked_until timestamptz,
  -- False from the guess that locks until its owner is told: whoever comes next tells for a process that died between.
  lock_told boolean NOT NULL DEFAULT true
) WITH (fillfactor = 80);

CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  person_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('customer', 'admin')),
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  ended_at timestamptz,
  address text NOT NULL,
  -- The device in words, and the provider's part of the address: by these a later login is familiar or new.
  device text NOT NULL,
  network text NOT NULL,
  -- When it last asked for anything, to a quarter of a minute: written for many at a time.
  last_seen_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 70);
CREATE INDEX sessions_of_person ON sessions (person_id);
-- What a token must name to be worth anything.
CREATE VIEW standing_sessions AS
  SELECT * FROM sessions WHERE ended_at IS NULL AND expires_at > now();
CREATE INDEX sessions_expiry ON sessions (expires_at, id);

-- One-time codes, kept as a keyed hash. begun_at is when the password was right (or the reset was asked): resending
-- passes it on, so that a login cannot be kept under way for ever.
CREATE TABLE codes (
  id uuid PRIMARY KEY,
  person_id uuid NOT NULL,
  purpose text NOT NULL CHECK (purpose IN ('login', 'reset')),
  code_hash bytea NOT NULL,
  begun_at timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  attempts smallint NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  consumed_at timestamptz,
  superseded_at timestamptz
);
CREATE UNIQUE INDEX codes_one_live ON codes (person_id, purpose) WHERE consumed_at IS NULL AND superseded_at IS NULL;
CREATE INDEX codes_recent ON codes (person_id, created_at);
CREATE INDEX codes_age ON codes (created_at);

-- What was asked of the bank in the name of an address, whether or not it has an account, so that both are answered
-- alike in words and in time. The key is a keyed hash: this table knows no addresses. Rows last a day.
CREATE TABLE asked_addresses (
  address_key bytea PRIMARY KEY,
  unknown_tries bigint NOT NULL DEFAULT 0,
  codes_asked_at timestamptz[] NOT NULL DEFAULT '{}',
  touched_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX asked_addresses_age ON asked_addresses (touched_at);

GRANT SELECT, INSERT, UPDATE ON customers, admins TO larkspur_app;
GRANT SELECT, UPDATE (ended_at) ON standing_sessions TO larkspur_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON credentials, sessions, codes, asked_addresses TO larkspur_app;
