-- The notifications of transfers and credits are derived from the transactions. When they were stored, with one row for each
-- party, they took a third of the bytes of a transaction and a sixth of the time of its posting. Now a row is stored only when
-- the customer has read the notification, and then replaces the derived one. Rows that servers of version 1.0.0 wrote also
-- replace derived ones. The notifications of all other events are stored at once.

-- The sender's notification counts as read from the start, because the sender knows what they sent.
CREATE VIEW posted_notifications AS
  SELECT sender_account AS account_id, sender_seq AS seq, id, 'money-sent' AS kind, id AS transaction_id, created_at,
         created_at AS read_at
    FROM transactions WHERE type IN ('transfer', 'external-transfer')
   UNION ALL
  SELECT receiver_account, receiver_seq, id, CASE type WHEN 'admin-credit' THEN 'credited' ELSE 'money-received' END, id,
         created_at, NULL
    FROM transactions WHERE type IN ('transfer', 'admin-credit');

-- The newest notifications of an account: up to p_limit stored ones, and up to p_limit derived ones of the last 13 months.
CREATE FUNCTION newest_notifications(p_account bigint, p_limit integer) RETURNS SETOF notifications
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp
-- Accounts differ in size by a factor of a million. Only index scans read no more than the limit.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off AS $$
DECLARE
  -- Every transaction has a notification, so the newest p_limit notifications are all about transactions after this one.
  oldest_seq constant bigint := (SELECT a.entry_count - p_limit FROM ledger_accounts a WHERE a.id = p_account);
BEGIN
  RETURN QUERY
    SELECT n.account_id, n.id, n.kind, n.transaction_id, n.created_at, n.read_at
      FROM ((SELECT * FROM notifications s WHERE s.account_id = p_account ORDER BY s.id DESC LIMIT p_limit)
             UNION ALL
            (SELECT p.account_id, p.id, p.kind, p.transaction_id, p.created_at, p.read_at
               FROM posted_notifications p
              WHERE p.account_id = p_account AND p.seq > oldest_seq AND p.created_at > now() - interval '13 months'
                AND NOT EXISTS (SELECT FROM notifications s WHERE s.account_id = p.account_id AND s.id = p.id OFFSET 0))) n
     ORDER BY n.id DESC;
END $$;

GRANT SELECT ON posted_notifications TO larkspur_app;
REVOKE ALL ON FUNCTION newest_notifications FROM PUBLIC;
GRANT EXECUTE ON FUNCTION newest_notifications TO larkspur_app;

-- Enqueues pushes of notifications to their customers' browsers, in the transaction that creates the notifications.
CREATE FUNCTION push_notifications(p_accounts bigint[], p_ids uuid[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  INSERT INTO pushes (device_id, notification_id)
  SELECT d.id, n.id FROM unnest(p_accounts, p_ids) AS n(account_id, id) JOIN push_devices d ON d.account_id = n.account_id
   -- A device that is being removed is left out: the event must neither wait for the removal nor fail because of it.
     FOR KEY SHARE OF d SKIP LOCKED
      ON CONFLICT DO NOTHING
$$;
REVOKE ALL ON FUNCTION push_notifications FROM PUBLIC;

-- Pushes the notifications that are new. Rows with an earlier time are demo history, or derived notifications that were read.
CREATE OR REPLACE FUNCTION enqueue_pushes() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM push_devices) THEN
    PERFORM push_notifications(array_agg(n.account_id), array_agg(n.id)) FROM written n WHERE n.created_at >= now();
  END IF;
  RETURN NULL;
END $$;
