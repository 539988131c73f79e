-- A payment is added for its next file, and put into a file, only while it is submitted and pending. A file keeps its name,
-- message and bank, and is sent again as new only if it has answers and no payment. Without this, the server's login could let
-- a payment that was canceled or returned leave, or let one leave twice.
CREATE FUNCTION check_filing() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' AND num_nonnulls(NEW.file_id, NEW.line, NEW.key) > 0 THEN
    RAISE EXCEPTION 'a line is put into a file after it was added' USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF NEW.transaction_id IS NOT NULL
     AND NOT EXISTS (SELECT FROM external_transfers
                      WHERE transaction_id = NEW.transaction_id AND status = 'pending' AND submitted_at IS NOT NULL) THEN
    RAISE EXCEPTION 'payment % is not submitted and pending', NEW.transaction_id USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_filing BEFORE INSERT ON rail_outgoing FOR EACH ROW EXECUTE FUNCTION check_filing();
CREATE TRIGGER check_filing_later BEFORE UPDATE OF file_id ON rail_outgoing
  FOR EACH ROW WHEN (OLD.file_id IS NULL AND NEW.file_id IS NOT NULL) EXECUTE FUNCTION check_filing();

CREATE TRIGGER submitted_once BEFORE UPDATE OF submitted_at ON external_transfers
  FOR EACH ROW WHEN (NEW.submitted_at IS DISTINCT FROM OLD.submitted_at
                     AND (OLD.submitted_at IS NOT NULL OR OLD.status <> 'pending'))
  EXECUTE FUNCTION refuse_change();

CREATE TRIGGER keeps_its_name BEFORE UPDATE OF name, format, message_id, counterparty ON rail_files
  FOR EACH ROW WHEN (OLD.direction = 'out' AND (OLD.name, OLD.format, OLD.message_id, OLD.counterparty)
                     IS DISTINCT FROM (NEW.name, NEW.format, NEW.message_id, NEW.counterparty))
  EXECUTE FUNCTION refuse_change();

CREATE FUNCTION check_sending_again() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF OLD.state <> 'sent' OR EXISTS (SELECT FROM rail_outgoing WHERE file_id = OLD.id AND transaction_id IS NOT NULL) THEN
    RAISE EXCEPTION 'file % is not sent again', OLD.id USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER check_sending_again BEFORE UPDATE OF state ON rail_files
  FOR EACH ROW WHEN (OLD.direction = 'out' AND OLD.state <> 'made' AND NEW.state = 'made')
  EXECUTE FUNCTION check_sending_again();
