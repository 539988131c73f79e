-- Whom a closed account sent money to at other banks. Often it was its own owner elsewhere, so the name goes with the person;
-- bank and number stay, by which the books say where the money went. A payment still on its way needs the name until its
-- fate is known, and loses it then.
CREATE FUNCTION erase_account_names(p_account bigint) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE external_transfers x SET account_name = ''
    FROM transactions t JOIN ledger_accounts a ON a.id = t.sender_account
   WHERE t.sender_account = p_account AND t.type = 'external-transfer' AND a.is_closed
     AND x.transaction_id = t.id AND x.status <> 'pending'
$$;
REVOKE ALL ON FUNCTION erase_account_names FROM PUBLIC;
GRANT EXECUTE ON FUNCTION erase_account_names TO larkspur_app;

-- Who left lately.
CREATE INDEX customers_erased ON customers (deleted_at) WHERE deleted_at IS NOT NULL;
