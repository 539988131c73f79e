-- Second factors of customers and administrators: authenticator apps, recovery codes, passkeys.

-- The secret is encrypted with a key outside the database and bound to the person's id.
CREATE TABLE authenticator_apps (
  person_id uuid PRIMARY KEY,
  secret bytea NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  -- Until a code of the app confirms it, the row has no effect on a login.
  confirmed_at timestamptz,
  -- From when on the app confirms step-ups.
  trusted_at timestamptz,
  -- The time step (RFC 6238) of the last accepted code. Only later steps are accepted, so a code works once.
  last_step bigint NOT NULL DEFAULT 0
);

-- Stored as a keyed hash. A used one stays, so that the person sees how many are left of how many.
CREATE TABLE recovery_codes (
  person_id uuid NOT NULL,
  code_hash bytea NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (person_id, code_hash)
);

CREATE TABLE passkeys (
  id uuid PRIMARY KEY,
  person_id uuid NOT NULL,
  credential_id bytea NOT NULL UNIQUE,
  public_key bytea NOT NULL,
  -- The authenticator's signature counter; 0 if it has none. It must never go back.
  counter bigint NOT NULL,
  transports text[] NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz,
  -- From when on the passkey confirms step-ups.
  trusted_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX passkeys_of_person ON passkeys (person_id);

-- Challenges are signed and not stored. The ones that were used are stored until they have expired, so that each works once.
CREATE TABLE used_challenges (
  challenge bytea PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE INDEX used_challenges_age ON used_challenges (expires_at);

-- Resets of a customer's factors that staff requested and that have not taken effect.
CREATE TABLE factor_resets (
  person_id uuid PRIMARY KEY,
  id uuid NOT NULL UNIQUE,
  requested_by uuid NOT NULL,
  requested_at timestamptz NOT NULL DEFAULT now(),
  effective_at timestamptz NOT NULL
);

GRANT SELECT, INSERT, UPDATE, DELETE ON authenticator_apps, recovery_codes, passkeys TO larkspur_app;
GRANT SELECT, INSERT, DELETE ON used_challenges, factor_resets TO larkspur_app;
