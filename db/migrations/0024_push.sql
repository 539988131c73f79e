-- Push notifications: the browsers that a customer chose, and what is waiting to be sent to them.

CREATE TABLE push_devices (
  id uuid PRIMARY KEY,
  account_id bigint NOT NULL,
  -- The address at the browser's push service. It belongs to the browser, not to the person who uses it.
  endpoint text NOT NULL UNIQUE,
  -- The browser's public key and secret (RFC 8291), base64url.
  p256dh text NOT NULL,
  auth text NOT NULL,
  device text NOT NULL,
  money boolean NOT NULL,
  security boolean NOT NULL,
  shows_amounts boolean NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX push_devices_account ON push_devices (account_id);
GRANT SELECT, INSERT, UPDATE (account_id, p256dh, auth, device, money, security, shows_amounts), DELETE
  ON push_devices TO larkspur_app;

CREATE TABLE pushes (
  device_id uuid NOT NULL REFERENCES push_devices ON DELETE CASCADE,
  notification_id uuid NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  -- A claimed row is due again when its lease ends.
  due_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (device_id, notification_id)
);
CREATE INDEX pushes_due ON pushes (due_at);
GRANT SELECT, INSERT, UPDATE (tries, due_at), DELETE ON pushes TO larkspur_app;

-- A notification is pushed in the transaction that writes it, whichever function that is. Once per statement: a group of
-- transfers is one statement.
CREATE FUNCTION enqueue_pushes() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM push_devices) THEN
    INSERT INTO pushes (device_id, notification_id)
    SELECT d.id, n.id FROM written n JOIN push_devices d ON d.account_id = n.account_id
     -- Not for demonstration history, which is dated in the past.
     WHERE n.created_at > now() - interval '1 hour'
       -- A device that is being removed is left out: the event must neither wait for it nor fail with it.
       FOR KEY SHARE OF d SKIP LOCKED
        ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER enqueue_pushes AFTER INSERT ON notifications REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION enqueue_pushes();
