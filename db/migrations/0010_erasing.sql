-- Erases the account names of a closed account's external transfers, which are often the owner's own name: the next p_count
-- transfers after the sequence number p_after. Returns the last sequence number it looked at (NULL past the end) and how many
-- names it erased. Bank and account number stay, because they document where the money went. A pending payment needs the name
-- until it ends; decide_external_transfer erases it then.
CREATE FUNCTION erase_account_names(p_account bigint, p_after bigint, p_count integer, OUT last_seq bigint, OUT erased integer)
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off SET enable_sort = off AS $$
  WITH batch AS MATERIALIZED (
    SELECT t.sender_seq AS seq, t.id FROM transactions t
     WHERE t.sender_account = p_account AND t.type = 'external-transfer' AND t.sender_seq > p_after
       AND (SELECT a.is_closed FROM ledger_accounts a WHERE a.id = p_account)
     ORDER BY t.sender_seq LIMIT p_count
  ), erased AS (
    UPDATE external_transfers x SET account_name = ''
      FROM batch
     WHERE x.transaction_id = batch.id AND x.account_name <> '' AND x.status <> 'pending'
    RETURNING 1
  )
  SELECT (SELECT max(seq) FROM batch), (SELECT count(*)::integer FROM erased)
$$;
REVOKE ALL ON FUNCTION erase_account_names FROM PUBLIC;
GRANT EXECUTE ON FUNCTION erase_account_names TO larkspur_app;

-- Customers whose erasure is unfinished (erased_at is NULL) or recent.
CREATE INDEX customers_erased ON customers (erased_at) WHERE deleted_at IS NOT NULL;
