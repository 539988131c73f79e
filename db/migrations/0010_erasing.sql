-- Erases the account names of a closed account's external transfers: often they are the owner's own name. Bank and account
-- number stay, because they document where the money went. A pending payment needs the name until it ends;
-- decide_external_transfer erases it then.
CREATE FUNCTION erase_account_names(p_account bigint) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE external_transfers x SET account_name = ''
    FROM transactions t JOIN ledger_accounts a ON a.id = t.sender_account
   WHERE t.sender_account = p_account AND t.type = 'external-transfer' AND a.is_closed
     AND x.transaction_id = t.id AND x.status <> 'pending'
$$;
REVOKE ALL ON FUNCTION erase_account_names FROM PUBLIC;
GRANT EXECUTE ON FUNCTION erase_account_names TO larkspur_app;

-- Recently erased customers.
CREATE INDEX customers_erased ON customers (deleted_at) WHERE deleted_at IS NOT NULL;
