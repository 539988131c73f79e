-- A payment or an answer is put into a file once. Without this, the server's login could take a payment out of a file that was
-- sent, and the payment would leave again in another file.
CREATE TRIGGER filed_once BEFORE UPDATE OF file_id, line, key ON rail_outgoing
  FOR EACH ROW WHEN (OLD.file_id IS NOT NULL AND (OLD.file_id, OLD.line, OLD.key) IS DISTINCT FROM (NEW.file_id, NEW.line, NEW.key))
  EXECUTE FUNCTION refuse_change();
