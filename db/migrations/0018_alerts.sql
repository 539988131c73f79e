-- Alerts to customers and staff, how each customer is notified, and the transfer mails that are sent as one summary.

-- The queue of the staff. Which figures an alert has depends on its rule; the rules are in src/contract/alertRules.ts.
CREATE TABLE alerts (
  id uuid PRIMARY KEY,
  rule text NOT NULL CHECK (rule IN ('new-login', 'large-first-payment', 'many-payments', 'guessed-logins')),
  -- The day of the bank's calendar: a rule alerts at most once a day about a customer, or about a network.
  day date NOT NULL DEFAULT bank_day(now()),
  -- NULL for guessed logins: the customers are in guessed_customers.
  customer_id uuid,
  -- Of a login, its IP address; of guessed logins, the IP address or IPv6 /64 that they came from.
  network text,
  device text,
  transaction_id uuid,
  -- A payment, and the balance before it.
  amount bigint,
  balance bigint,
  -- How many payments, new receivers or guessed logins.
  payments integer,
  receivers integer,
  logins integer,
  at timestamptz NOT NULL DEFAULT now(),
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'assigned', 'closed')),
  assigned_to uuid REFERENCES admins (id),
  closed_by uuid REFERENCES admins (id),
  closed_at timestamptz,
  note text,
  CHECK ((customer_id IS NULL) = (rule = 'guessed-logins')),
  CHECK ((status = 'closed') = (closed_at IS NOT NULL))
);
CREATE UNIQUE INDEX alerts_once ON alerts (rule, day, coalesce(customer_id::text, network));
CREATE INDEX alerts_waiting ON alerts (id) WHERE status <> 'closed';
CREATE INDEX alerts_customer ON alerts (customer_id) WHERE customer_id IS NOT NULL;
CREATE INDEX alerts_age ON alerts (at);
GRANT SELECT, INSERT, DELETE, UPDATE (logins, status, assigned_to, closed_by, closed_at, note) ON alerts TO larkspur_app;

-- The customers who were notified of guessed logins, each at most once a day.
CREATE TABLE guessed_customers (
  customer_id uuid NOT NULL,
  day date NOT NULL DEFAULT bank_day(now()),
  alert_id uuid NOT NULL,
  PRIMARY KEY (customer_id, day)
);
CREATE INDEX guessed_customers_alert ON guessed_customers (alert_id);
CREATE INDEX guessed_customers_age ON guessed_customers (day);
GRANT SELECT, INSERT, DELETE ON guessed_customers TO larkspur_app;

-- The logins at which a network guessed a password, known or not, each with its last guess. address_key is a keyed hash of the
-- email. Rows expire after a day.
CREATE TABLE login_guesses (
  network text NOT NULL,
  address_key bytea NOT NULL,
  person_id uuid,
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (network, address_key)
);
CREATE INDEX login_guesses_age ON login_guesses (at);
CREATE INDEX login_guesses_person ON login_guesses (person_id) WHERE person_id IS NOT NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON login_guesses TO larkspur_app;

-- The last seal of the audit chain whose postings were checked for alerts. The chain is in the order of the commits, so no
-- posting is skipped, and posting pays nothing.
CREATE TABLE alert_progress (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  position bigint NOT NULL DEFAULT 0
);
INSERT INTO alert_progress DEFAULT VALUES;
GRANT SELECT, UPDATE (position) ON alert_progress TO larkspur_app;

-- How a customer is notified of a kind of event. Without a row: in the app, and one mail each.
CREATE TABLE notification_preferences (
  account_id bigint NOT NULL,
  kind text NOT NULL,
  bell boolean NOT NULL,
  mail text NOT NULL CHECK (mail IN ('each', 'daily', 'off')),
  PRIMARY KEY (account_id, kind)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON notification_preferences TO larkspur_app;

-- Transfer mails that wait to be sent as one summary. A row moves here from transfer_mails in one transaction. side: 0 the
-- sender of the transfer, 1 its receiver.
CREATE TABLE summary_mails (
  transaction_id uuid NOT NULL,
  step smallint NOT NULL CHECK (step IN (1, 2)),
  side smallint NOT NULL CHECK (side IN (0, 1)),
  account_id bigint NOT NULL,
  -- By the customer's preference. Otherwise because many mails were waiting.
  is_daily boolean NOT NULL,
  -- When the summary is sent; while it is being sent, the end of the lease.
  due_at timestamptz NOT NULL,
  -- The mail that contains it, from the first attempt on: every attempt sends the same mail.
  mail_id uuid,
  tries integer NOT NULL DEFAULT 0,
  PRIMARY KEY (transaction_id, step, side)
);
CREATE INDEX summary_mails_due ON summary_mails (due_at);
CREATE INDEX summary_mails_own ON summary_mails (account_id, is_daily);
CREATE INDEX summary_mails_mail ON summary_mails (mail_id) WHERE mail_id IS NOT NULL;
GRANT SELECT, INSERT, DELETE, UPDATE (due_at, mail_id, tries) ON summary_mails TO larkspur_app;

-- The next time that daily summaries are sent: at this hour of the bank's day.
CREATE FUNCTION next_summary_at(p_hour integer) RETURNS timestamptz LANGUAGE sql STABLE
SET search_path = public, pg_temp AS $$
  SELECT min(at) FROM (
    SELECT (bank_day(now()) + days + make_interval(hours => p_hour)) AT TIME ZONE 'America/New_York' AS at
      FROM generate_series(0, 1) days) days WHERE at > now()
$$;
GRANT EXECUTE ON FUNCTION next_summary_at TO larkspur_app;
