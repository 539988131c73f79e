-- Whom a closed account sent money to at other banks. Often it was its own owner elsewhere, so the name goes with the person;
-- bank and number stay, by which the books say where the money went. A payment still on its way needs the name until its
-- fate is known.
CREATE FUNCTION erase_account_names(p_account bigint) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE external_transfers x SET account_name = ''
    FROM transactions t JOIN ledger_accounts a ON a.id = t.sender_account
   WHERE t.sender_account = p_account AND t.type = 'external-transfer' AND a.is_closed
     AND x.transaction_id = t.id AND x.status <> 'pending'
$$;
REVOKE ALL ON FUNCTION erase_account_names FROM PUBLIC;
GRANT EXECUTE ON FUNCTION erase_account_names TO larkspur_app;

-- Whoever decides a transfer holds its sender's account, as closing does: one of the two comes first and the other sees it.
CREATE FUNCTION erase_decided_name() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM transactions t JOIN ledger_accounts a ON a.id = t.sender_account
              WHERE t.id = NEW.transaction_id AND a.is_closed)
  THEN NEW.account_name := ''; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER erase_decided_name BEFORE UPDATE OF status ON external_transfers
  FOR EACH ROW WHEN (NEW.status <> 'pending') EXECUTE FUNCTION erase_decided_name();
