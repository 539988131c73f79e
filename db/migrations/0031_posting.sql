-- Posting. Servers of version 1.0.0 call the functions of 0005_posting.sql, which lists the outcomes. The functions here push
-- notifications instead of storing them (0029_derived_notifications.sql). For an account with a daily limit, they keep the sum
-- of what left it today (0030_daily_limit.sql). They look up payees for debited accounts only.
--
-- They post a credit only if its administrator is still an operator or owner and is not disabled. This is checked after the
-- accounts are locked, like the session: a colleague can change the role while the credit waits in the queue or for a lock. The
-- administrator's row is not locked, so that no transfer waits for a change of the staff: a role that changes after this check,
-- in the milliseconds until the commit, does not stop the credit. The outcomes are those of 0005_posting.sql, and:
--   15 the administrator of a credit may make none anymore (checked after the key) (FORBIDDEN)
CREATE FUNCTION post_group_at(
  p_at timestamptz,
  p_shard smallint,
  -- From this amount on, a customer's session needs a step-up; NULL for never. A customer can set a lower amount.
  p_step_up_from bigint,
  p_id uuid[],
  p_type transaction_type[],
  p_actor uuid[],
  -- If not null: a session of the actor that must still be live. The actor of a credit must then still be allowed to make it.
  p_session uuid[],
  p_receiver text[],
  p_amount bigint[],
  p_description text[],
  p_reference text[],
  p_key uuid[],
  p_request uuid[],
  p_keyed boolean[],
  p_address text[],
  p_bank_name text[],
  p_account_name text[],
  p_account_number text[],
  -- Hashes of step-up proofs; NULL if no request has a proof. A hash covers the customer, session, act, amount and receiver.
  p_proof uuid[],
  OUT outcomes smallint[],
  OUT ids uuid[],
  -- Sender and receiver of each request with their current names: id, first name, last name, joined by unit separators.
  -- Saves the caller another query per group.
  OUT senders text[],
  OUT receivers text[]
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
-- The statements below are planned once, perhaps while the tables are nearly empty. Without these settings the generic plan
-- could be a sequential scan, which gets slower as the table grows.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
-- Columns are qualified everywhere; a bare name is a variable.
#variable_conflict use_variable
DECLARE
  treasury constant bigint := treasury_id();
  clearing constant bigint := clearing_id();
  largest constant bigint := 7036874417766400;
  today constant date := bank_day(p_at);
  n constant int := cardinality(p_id);
  -- the touched accounts, by array position
  acc bigint[]; row_at tid[]; approved boolean[]; frozen boolean[]; closed boolean[];
  balance bigint[]; entry_count bigint[]; sent bigint[]; received bigint[];
  brake_from bigint[]; -- from this amount on, the daily limit and the need for a step-up are checked; null for never
  -- by request: whether its session is live, its accounts, their array positions, and the earlier use of its key
  session_live boolean[]; debit bigint[]; credit bigint[]; f int[]; t int[];
  lost_role boolean[]; -- by request: whether it is a credit by an administrator who may make none any more
  prior_id uuid[]; prior_request uuid[]; refused smallint[]; refused_request uuid[]; first int[];
  has_old_keys boolean; -- whether a key was used before, or twice in this group
  has_payees boolean;
  decided int[]; -- at the first request with a key in this group: which request decided the key's outcome, 0 if none has yet
  -- sequence numbers and balances of the new rows
  f_seq bigint[]; t_seq bigint[]; f_balance bigint[]; t_balance bigint[];
  step_up_from bigint; daily_out bigint;
  out_before bigint[]; -- by account with a daily limit: what had left it today, read when first needed
  out_today bigint[]; -- out_before plus the posted requests of this group
  posted int := 0; updated int; new_refusals boolean := false;
  i int; j int; a int; b int; m bigint; o smallint;
BEGIN
  -- A customer can only send from their own account; credits come from the treasury; clearing receives for other banks.
  -- LATERAL with OFFSET 0 forces one index lookup per row, here and below, whatever the planner believes about table sizes.
  SELECT array_agg(x.debit ORDER BY x.o), array_agg(x.credit ORDER BY x.o),
         array_agg(x.sender ORDER BY x.o), array_agg(x.receiver ORDER BY x.o)
    INTO debit, credit, senders, receivers
    FROM (
      SELECT q.o,
             CASE WHEN q.type = 'admin-credit' THEN treasury ELSE s.account_id END AS debit,
             CASE WHEN q.type = 'external-transfer' THEN clearing ELSE r.id END AS credit,
             s.name AS sender, r.name AS receiver
        FROM unnest(p_type, p_actor, p_receiver) WITH ORDINALITY AS q(type, actor, receiver, o)
        LEFT JOIN LATERAL (
          SELECT c.account_id, concat_ws(E'\x1f', c.id, c.first_name, c.last_name) AS name
            FROM customers c
           WHERE c.id = q.actor AND c.deleted_at IS NULL AND q.type <> 'admin-credit' OFFSET 0) s ON true
        LEFT JOIN LATERAL (
          SELECT a.id, concat_ws(E'\x1f', h.id, h.first_name, h.last_name) AS name
            FROM ledger_accounts a JOIN customers h ON h.account_id = a.id AND h.deleted_at IS NULL
           WHERE a.number = q.receiver OFFSET 0) r ON true
    ) x;

  -- Lock every touched account in id order (no deadlocks), then read: the accounts cannot change before the commit.
  SELECT array_agg(l.id), array_agg(l.row_at), array_agg(l.is_approved), array_agg(l.is_frozen), array_agg(l.is_closed),
         array_agg(l.balance), array_agg(l.entry_count), array_agg(l.sent), array_agg(l.received),
         array_agg(CASE WHEN l.kind = 'customer' THEN
                     least(p_step_up_from, l.step_up_from, CASE WHEN l.daily_out IS NOT NULL THEN 0 END) END)
    INTO acc, row_at, approved, frozen, closed, balance, entry_count, sent, received, brake_from
    FROM (SELECT *, ctid AS row_at FROM ledger_accounts WHERE id = ANY (debit || credit) ORDER BY id FOR NO KEY UPDATE) l;

  SELECT array_agg(x.f ORDER BY x.o), array_agg(x.t ORDER BY x.o), array_agg(x.session_live ORDER BY x.o),
         (SELECT count(DISTINCT k) FROM unnest(p_key) k) < n
           OR EXISTS (SELECT FROM transactions t WHERE t.key_hash = ANY (p_key))
           OR EXISTS (SELECT FROM refused_requests r WHERE r.key_hash = ANY (p_key)),
         EXISTS (SELECT FROM payees s WHERE s.account_id = ANY (debit))
    INTO f, t, session_live, has_old_keys, has_payees
    FROM (
      SELECT q.o, fa.p AS f, ta.p AS t,
             q.session IS NULL OR EXISTS (
               SELECT FROM live_sessions l
                WHERE l.id = q.session AND l.person_id = q.actor
                  AND l.kind = CASE WHEN q.type = 'admin-credit' THEN 'admin' ELSE 'customer' END) AS session_live
        FROM unnest(debit, credit, p_session, p_actor, p_type) WITH ORDINALITY AS q(debit, credit, session, actor, type, o)
        LEFT JOIN unnest(acc) WITH ORDINALITY AS fa(id, p) ON fa.id = q.debit
        LEFT JOIN unnest(acc) WITH ORDINALITY AS ta(id, p) ON ta.id = q.credit
    ) x;

  -- Without a credit, this array stays null.
  IF 'admin-credit' = ANY (p_type) THEN
    SELECT array_agg(q.type = 'admin-credit' AND q.session IS NOT NULL AND NOT EXISTS (
             SELECT FROM admins d
              WHERE d.id = q.actor AND d.disabled_at IS NULL AND d.role IN ('operator', 'owner')) ORDER BY q.o)
      INTO lost_role
      FROM unnest(p_type, p_session, p_actor) WITH ORDINALITY AS q(type, session, actor, o);
  END IF;

  -- Unless a key repeats, these arrays stay null.
  IF has_old_keys THEN
    SELECT array_agg(x.prior_id ORDER BY x.o), array_agg(x.prior_request ORDER BY x.o), array_agg(x.refused ORDER BY x.o),
           array_agg(x.refused_request ORDER BY x.o), array_agg(x.first ORDER BY x.o)
      INTO prior_id, prior_request, refused, refused_request, first
      FROM (
        SELECT q.o, pt.id AS prior_id, pt.request_hash AS prior_request,
               rr.outcome AS refused, rr.request_hash AS refused_request,
               (min(q.o) OVER (PARTITION BY q.key))::int AS first
          FROM unnest(p_key) WITH ORDINALITY AS q(key, o)
          LEFT JOIN LATERAL (SELECT t.id, t.request_hash FROM transactions t WHERE t.key_hash = q.key OFFSET 0) pt ON true
          LEFT JOIN LATERAL (SELECT r.outcome, r.request_hash FROM refused_requests r WHERE r.key_hash = q.key OFFSET 0) rr ON true
      ) x;
    decided := array_fill(0, ARRAY[n]);
  END IF;

  outcomes := array_fill(0::smallint, ARRAY[n]);
  ids := p_id;
  f_seq := array_fill(NULL::bigint, ARRAY[n]);
  t_seq := f_seq; f_balance := f_seq; t_balance := f_seq;
  -- No account is touched if the sender was erased and the receiver is unknown.
  out_before := array_fill(NULL::bigint, ARRAY[coalesce(cardinality(acc), 0)]);

  FOR i IN 1..n LOOP
    a := f[i]; b := t[i]; m := p_amount[i]; j := decided[first[i]];
    o := CASE
      -- 1. the session
      WHEN NOT session_live[i] THEN 10
      -- 2. earlier use of this key, stored or earlier in this group
      WHEN prior_id[i] IS NOT NULL THEN CASE WHEN prior_request[i] = p_request[i] THEN 1 ELSE 2 END
      WHEN refused[i] IS NOT NULL THEN CASE WHEN refused_request[i] = p_request[i] THEN refused[i] ELSE 2 END
      WHEN j > 0 THEN CASE WHEN p_request[i] <> p_request[j] THEN 2 WHEN outcomes[j] = 0 THEN 1 ELSE outcomes[j] END
      -- 3. the administrator's role, or the sender's state
      WHEN lost_role[i] THEN 15
      WHEN a IS NULL OR closed[a] THEN 11
      WHEN NOT approved[a] THEN 12
      WHEN frozen[a] THEN 13
      -- 4. the accounts and the balance
      WHEN a = b THEN 21
      WHEN b IS NULL OR closed[b] THEN 22
      WHEN NOT approved[b] THEN CASE WHEN p_type[i] = 'admin-credit' THEN 12 ELSE 22 END
      WHEN balance[a] < m AND acc[a] <> treasury THEN 23
      WHEN balance[b] > largest - m OR balance[a] < m - largest THEN 24
      ELSE 0 END;
    -- 5. the customer's own limit, then the step-up, so that a refused request does not use up its proof. The sender is locked,
    -- so no other request can use the rest of the limit or the proof at the same time.
    IF o = 0 AND m >= brake_from[a] THEN
      SELECT l.daily_out, l.step_up_from INTO daily_out, step_up_from FROM ledger_accounts l WHERE l.id = acc[a];
      IF daily_out IS NOT NULL THEN
        IF out_before[a] IS NULL THEN
          out_before[a] := money_out_on_day(acc[a], p_at);
          out_today[a] := out_before[a];
        END IF;
        out_today[a] := out_today[a] + m;
        IF out_today[a] > daily_out THEN o := 25; END IF;
      END IF;
      IF o = 0 AND p_session[i] IS NOT NULL AND m >= least(p_step_up_from, step_up_from) THEN
        IF NOT use_step_up_proof(p_proof[i]) THEN o := 14; END IF;
      END IF;
      IF o > 0 THEN out_today[a] := out_today[a] - m; END IF;
    END IF;
    IF o = 0 THEN
      -- the point of no return: from here on the request is posted
      posted := posted + 1;
      balance[a] := balance[a] - m; f_balance[i] := balance[a];
      balance[b] := balance[b] + m; t_balance[i] := balance[b];
      IF acc[a] <> treasury THEN
        entry_count[a] := entry_count[a] + 1; sent[a] := sent[a] + m; f_seq[i] := entry_count[a];
      END IF;
      IF acc[b] <> clearing THEN
        entry_count[b] := entry_count[b] + 1; received[b] := received[b] + m; t_seq[i] := entry_count[b];
      END IF;
    ELSE
      outcomes[i] := o;
      IF o = 1 THEN ids[i] := coalesce(prior_id[i], ids[j]); END IF;
    END IF;
    IF has_old_keys AND (o = 0 OR o > 20 AND p_keyed[i] AND refused[i] IS NULL AND j = 0) THEN decided[first[i]] := i; END IF;
    new_refusals := new_refusals OR o > 20;
  END LOOP;

  IF new_refusals THEN
    INSERT INTO refused_requests (key_hash, request_hash, outcome)
    SELECT q.key, q.request, q.outcome
      FROM unnest(p_key, p_request, p_keyed, outcomes, first, refused)
           WITH ORDINALITY AS q(key, request, keyed, outcome, first, refused, o)
     WHERE q.outcome > 20 AND q.keyed AND q.refused IS NULL AND (NOT has_old_keys OR decided[q.first] = q.o);
  END IF;

  IF posted = 0 THEN RETURN; END IF;

  WITH q AS MATERIALIZED (
    SELECT u.*, acc[u.f] AS debit, acc[u.t] AS credit
      FROM unnest(p_id, p_type, p_actor, p_amount, p_description, p_reference, p_key, p_request,
                  f, t, f_seq, t_seq, f_balance, t_balance, outcomes, p_address)
           AS u(id, type, actor, amount, description, reference, key, request,
                f, t, f_seq, t_seq, f_balance, t_balance, outcome, address)
     WHERE u.outcome = 0
  ), new_transactions AS (
    INSERT INTO transactions (id, type, amount, sender_account, sender_seq, receiver_account, receiver_seq,
                              created_at, actor, key_hash, request_hash, reference, description)
    SELECT q.id, q.type, q.amount, CASE WHEN q.f_seq IS NOT NULL THEN q.debit END, q.f_seq,
           CASE WHEN q.t_seq IS NOT NULL THEN q.credit END, q.t_seq, p_at, q.actor, q.key, q.request, q.reference,
           q.description
      FROM q
  ), new_entries AS (
    INSERT INTO journal_entries (transaction_id, step, kind, debit_account, credit_account, amount,
                                 debit_balance, credit_balance, posted_at)
    SELECT q.id, 1, 'post', q.debit, q.credit, q.amount, q.f_balance, q.t_balance, p_at FROM q
  ), new_totals AS (
    INSERT INTO transaction_totals AS total (day, type, status, shard, count, cents)
    SELECT bank_day(p_at), q.type,
           CASE WHEN q.type = 'external-transfer' THEN 'pending' ELSE 'completed' END::transaction_status,
           p_shard, count(*), sum(q.amount)
      FROM q GROUP BY q.type
        ON CONFLICT (day, type, status, shard)
        DO UPDATE SET count = total.count + excluded.count, cents = total.cents + excluded.cents
  ), new_mails AS (
    -- Postings dated in the past (demonstration history) send no mails.
    INSERT INTO transfer_mails (transaction_ids, step)
    SELECT array_agg(q.id), 1 FROM q HAVING p_at > now() - interval '1 hour'
  ), new_record AS (
    -- One audit record for the whole group. Each element is: transaction, actor, debited account, credited account, cents,
    -- address.
    INSERT INTO audit_log (at, actor_kind, action, data)
    SELECT p_at, 'system', 'transactions.posted',
           jsonb_build_object('posted', array_agg(concat_ws(' ', q.id, q.actor, q.debit, q.credit, q.amount, q.address)))
      FROM q
  )
  -- By ctid, which a locked row keeps: finding the rows by index again would cost as much as updating them.
  UPDATE ledger_accounts l
     SET balance = u.balance, entry_count = u.entry_count, sent = u.sent, received = u.received,
         out_day = CASE WHEN u.out_before IS NULL OR l.out_day BETWEEN today AND bank_day(p_at + interval '1 hour')
                        THEN l.out_day ELSE today END,
         out_base = coalesce(l.sent - u.out_before, l.out_base)
    FROM unnest(row_at, balance, entry_count, sent, received, out_before)
         AS u(row_at, balance, entry_count, sent, received, out_before)
   WHERE l.ctid = u.row_at;
  GET DIAGNOSTICS updated = ROW_COUNT;
  IF updated <> cardinality(acc) THEN
    RAISE EXCEPTION 'posting updated % of % accounts', updated, cardinality(acc);
  END IF;

  IF 'external-transfer' = ANY (p_type) THEN
    INSERT INTO external_transfers (transaction_id, bank_name, account_name, account_number)
    SELECT q.id, q.bank_name, q.account_name, q.account_number
      FROM unnest(p_id, p_type, outcomes, p_bank_name, p_account_name, p_account_number)
           AS q(id, type, outcome, bank_name, account_name, account_number)
     WHERE q.outcome = 0 AND q.type = 'external-transfer';
    PERFORM enqueue_payment_jobs('submit-payment', ARRAY(
      SELECT q.id FROM unnest(p_id, p_type, outcomes) AS q(id, type, outcome)
       WHERE q.outcome = 0 AND q.type = 'external-transfer'));
  END IF;

  IF has_payees THEN
    -- ARRAY and OFFSET force an index lookup per row, whatever the planner believes.
    UPDATE payees p SET last_paid_at = p_at
     WHERE p.id = ANY (ARRAY(
       SELECT x.id FROM unnest(f, p_receiver, p_bank_name, p_account_number, outcomes) AS q(f, receiver, bank, number, outcome),
              LATERAL (SELECT s.id FROM payees s
                        WHERE s.account_id = acc[q.f] AND s.account_number = coalesce(q.receiver, q.number)
                          AND s.bank_name = coalesce(q.bank, '') OFFSET 0) x
        WHERE q.outcome = 0));
  END IF;

  -- A customer's browsers get the notifications of these transactions. Postings dated in the past send none.
  IF p_at > now() - interval '1 hour' AND EXISTS (SELECT FROM push_devices) THEN
    PERFORM push_notifications(array_agg(x.account), array_agg(x.id))
       FROM (SELECT acc[q.f] AS account, q.id
               FROM unnest(p_id, f, f_seq) AS q(id, f, seq) WHERE q.seq IS NOT NULL
              UNION ALL
             SELECT acc[q.t], q.id FROM unnest(p_id, t, t_seq) AS q(id, t, seq) WHERE q.seq IS NOT NULL) x;
  END IF;

  -- A credit is also an act of an administrator, so it gets its own record, searchable by actor and customer.
  IF 'admin-credit' = ANY (p_type) THEN
    INSERT INTO audit_log (at, actor_kind, actor_id, action, subject, address, data)
    SELECT p_at, 'admin', q.actor, 'customer.credited', split_part(q.receiver, E'\x1f', 1), q.address,
           jsonb_build_object('transaction', q.id, 'cents', q.amount)
      FROM unnest(p_id, p_type, p_actor, p_amount, p_address, receivers, outcomes)
           AS q(id, type, actor, amount, address, receiver, outcome)
     WHERE q.outcome = 0 AND q.type = 'admin-credit';
  END IF;
END $$;

-- The variant for the running server, which can only post with the current time.
CREATE FUNCTION post_group(
  p_shard smallint, p_step_up_from bigint, p_id uuid[], p_type transaction_type[], p_actor uuid[], p_session uuid[],
  p_receiver text[], p_amount bigint[], p_description text[], p_reference text[], p_key uuid[], p_request uuid[], p_keyed boolean[],
  p_address text[], p_bank_name text[], p_account_name text[], p_account_number text[],
  p_proof uuid[],
  OUT outcomes smallint[], OUT ids uuid[], OUT senders text[], OUT receivers text[], OUT posted_at timestamptz
) LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT posted.*, now() FROM post_group_at(now(), p_shard, p_step_up_from, p_id, p_type, p_actor, p_session, p_receiver,
    p_amount, p_description, p_reference, p_key, p_request, p_keyed, p_address, p_bank_name, p_account_name, p_account_number,
    p_proof) posted;
$$;

REVOKE ALL ON FUNCTION post_group_at, post_group FROM PUBLIC;
GRANT EXECUTE ON FUNCTION post_group TO larkspur_app;
