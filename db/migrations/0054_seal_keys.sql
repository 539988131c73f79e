-- A row of seal_keys is stored with the first seal of its key, in one transaction, and names a secret that the bank needs, so
-- every server has it. Before, the server's login could store any row, and the sealing stopped where the chain reached it.
GRANT SELECT (key_id, released_at) ON app_secrets TO larkspur_app;

CREATE FUNCTION check_seal_key() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM audit_seals WHERE position = NEW.from_position AND xmin = pg_current_xact_id()::xid)
     OR NOT EXISTS (SELECT FROM app_secrets WHERE key_id = NEW.key_id AND released_at IS NULL) THEN
    RAISE EXCEPTION 'a seal key is stored only with its first seal, and only for a secret that the bank needs';
  END IF;
  RETURN NULL;
END $$;
-- Checked at the commit: servers of 1.0.0 store the row before the seal.
CREATE CONSTRAINT TRIGGER check_seal_key AFTER INSERT ON seal_keys DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION check_seal_key();
