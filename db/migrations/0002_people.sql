-- Customers, administrators, their credentials and sessions. Balances and account states are in the ledger; a customer
-- refers to its ledger account by account_id.

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
  -- Not part of the registration form: asked while the customer waits for approval.
  city text,
  date_of_birth date,
  email text NOT NULL,
  phone_number text NOT NULL,
  avatar_file text,
  id_card_file text,
  -- When the ID document was uploaded.
  id_card_at timestamptz,
  is_verified boolean NOT NULL DEFAULT false,
  -- Registering accepts the terms.
  terms_version text,
  terms_accepted_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  -- When the last of the personal data was erased. Long lists are erased in batches after deleted_at.
  erased_at timestamptz,
  CONSTRAINT email_in_lower_case CHECK (email = lower(email)),
  CONSTRAINT id_card_has_time CHECK ((id_card_file IS NULL) = (id_card_at IS NULL))
);
-- One active customer per email; the email of a deleted customer can register again.
CREATE UNIQUE INDEX customers_email ON customers (email) WHERE deleted_at IS NULL;
CREATE INDEX customers_newest ON customers (created_at DESC, id DESC) WHERE deleted_at IS NULL;
-- The queue of ID verifications, read from these indexes alone: first customers with a document, then those without.
CREATE INDEX customers_to_verify ON customers (id_card_at, account_id)
  WHERE NOT is_verified AND deleted_at IS NULL AND id_card_file IS NOT NULL;
CREATE INDEX customers_without_id ON customers (created_at, account_id)
  WHERE NOT is_verified AND deleted_at IS NULL AND id_card_file IS NULL;
-- Finds the owner of a stored file: the clean-up job asks for each file.
CREATE INDEX customers_avatar ON customers (avatar_file) WHERE avatar_file IS NOT NULL;
CREATE INDEX customers_id_card ON customers (id_card_file) WHERE id_card_file IS NOT NULL;

CREATE TABLE admins (
  id uuid PRIMARY KEY,
  email text NOT NULL UNIQUE CHECK (email = lower(email)),
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  disabled_at timestamptz
);

-- The password hash is encrypted with a key outside the database and bound to the person's id: reading this table, or
-- copying a row to another person, gives no login.
CREATE TABLE credentials (
  person_id uuid PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('customer', 'admin')),
  password_hash bytea NOT NULL,
  wrong_passwords smallint NOT NULL DEFAULT 0 CHECK (wrong_passwords >= 0),
  wrong_codes smallint NOT NULL DEFAULT 0 CHECK (wrong_codes >= 0),
  locked_until timestamptz,
  -- False from the attempt that locks the login until the owner is notified. If the process dies in between, the next
  -- attempt sends the mail.
  lock_notified boolean NOT NULL DEFAULT true
) WITH (fillfactor = 80);

CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  person_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('customer', 'admin')),
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  ended_at timestamptz,
  address text NOT NULL,
  -- A readable device name and the network part of the address. Together they decide whether a later login is from a
  -- known device.
  device text NOT NULL,
  network text NOT NULL,
  -- When the person last acted; written in batches every 15 seconds.
  last_seen_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 70);
CREATE INDEX sessions_of_person ON sessions (person_id);
-- Sessions that are neither ended, expired nor idle. A token is valid only while its session is in this view. Idle is 16
-- minutes without an action, and 15 seconds more, because the time of an action is written that late.
CREATE VIEW live_sessions AS
  SELECT * FROM sessions
   WHERE ended_at IS NULL AND expires_at > now() AND last_seen_at > now() - interval '975 seconds';
CREATE INDEX sessions_expiry ON sessions (expires_at, id);

-- One-time codes, stored as a keyed hash. begun_at is when the password was accepted (or the reset requested). Resending
-- keeps it, so a login attempt cannot be extended forever.
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

-- Login and code requests per email, whether or not it has an account, so that both cases get the same answer in the same
-- time. The primary key is a keyed hash, so no email is stored here. Rows expire after a day.
CREATE TABLE address_attempts (
  address_key bytea PRIMARY KEY,
  unknown_attempts bigint NOT NULL DEFAULT 0,
  codes_requested_at timestamptz[] NOT NULL DEFAULT '{}',
  touched_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX address_attempts_age ON address_attempts (touched_at);

GRANT SELECT, INSERT, UPDATE ON customers, admins TO larkspur_app;
GRANT SELECT, UPDATE (ended_at) ON live_sessions TO larkspur_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON credentials, sessions, codes, address_attempts TO larkspur_app;
