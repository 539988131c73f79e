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
  -- Whether the date of birth was there when the ID document was verified.
  is_date_of_birth_verified boolean NOT NULL DEFAULT false,
  -- The first time that a mailed code was entered. Until then anyone may have registered this email.
  email_proven_at timestamptz,
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
CREATE INDEX customers_unproven ON customers (id) WHERE email_proven_at IS NULL AND deleted_at IS NULL;
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
  role text NOT NULL CHECK (role IN ('viewer', 'support', 'operator', 'auditor', 'owner')),
  created_at timestamptz NOT NULL DEFAULT now(),
  disabled_at timestamptz
);

-- The password hash is encrypted with a key outside the database and bound to the person's id: reading this table, or
-- copying a row to another person, gives no login.
CREATE TABLE credentials (
  person_id uuid PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('customer', 'admin')),
  password_hash bytea NOT NULL
);

-- Counts of wrong attempts: one row for each browser that completed a login (a known device), and the row with an empty
-- browser for all other clients together. Guesses from elsewhere therefore never lock out a known device. browser is the
-- SHA-256 hash of the 256 random bits in the browser's cookie, so reading this table gives no cookie.
CREATE TABLE login_devices (
  person_id uuid NOT NULL,
  browser bytea NOT NULL,
  wrong_passwords smallint NOT NULL DEFAULT 0 CHECK (wrong_passwords >= 0),
  wrong_codes smallint NOT NULL DEFAULT 0 CHECK (wrong_codes >= 0),
  wrong_reset_codes smallint NOT NULL DEFAULT 0 CHECK (wrong_reset_codes >= 0),
  locked_until timestamptz,
  -- Wrong reset codes lock the password reset, not the login.
  reset_locked_until timestamptz,
  -- False from the attempt that locks the login until the owner is notified. If the process dies in between, the next
  -- attempt sends the mail.
  lock_notified boolean NOT NULL DEFAULT true,
  -- When the owner was last mailed about a lock: under a lasting attack once a day, not four times an hour.
  lock_mailed_at timestamptz,
  -- Half a year after the device's last completed login it is unknown again.
  expires_at timestamptz NOT NULL DEFAULT 'infinity',
  PRIMARY KEY (person_id, browser)
) WITH (fillfactor = 80);
CREATE INDEX login_devices_expiry ON login_devices (expires_at) WHERE expires_at < 'infinity';

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
-- keeps it, so a login attempt cannot be extended forever. A code works only in the browser that requested it; a client
-- without cookies has no browser (NULL).
CREATE TABLE codes (
  id uuid PRIMARY KEY,
  person_id uuid NOT NULL,
  browser bytea,
  purpose text NOT NULL CHECK (purpose IN ('login', 'reset')),
  code_hash bytea NOT NULL,
  begun_at timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  attempts smallint NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  consumed_at timestamptz,
  superseded_at timestamptz
);
CREATE UNIQUE INDEX codes_one_live ON codes (person_id, purpose, browser) NULLS NOT DISTINCT
  WHERE consumed_at IS NULL AND superseded_at IS NULL;
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

-- Failed attempts of an hour, by person and action; no person for all unknown emails together. The first ones are in the
-- audit log. When the hour is over, one audit record says how many more there were.
CREATE TABLE failed_attempts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('customer', 'admin')),
  person_id uuid,
  action text NOT NULL,
  attempts integer NOT NULL DEFAULT 1,
  began_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE NULLS NOT DISTINCT (kind, person_id, action)
);
CREATE INDEX failed_attempts_age ON failed_attempts (began_at);

GRANT SELECT, INSERT, UPDATE ON customers, admins TO larkspur_app;
GRANT SELECT, UPDATE (ended_at) ON live_sessions TO larkspur_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON credentials, login_devices, sessions, codes, address_attempts, failed_attempts
  TO larkspur_app;
