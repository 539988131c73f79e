/**
 * Reading the books for people. Names are joined when shown, never stored, so that an erased person is gone here too.
 * An account's unfiltered list is an index range at any depth; filters are answered over the account's own rows.
 */
import { type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import { bank } from '#contract/constants.ts';
import type { TransactionBehindTheEdge, TransactionStatus, TransactionType } from '#contract/entities.ts';
import { messages } from '#contract/messages.ts';
import type { TransactionFilter } from '#contract/transactions.ts';
import type { Reader } from '../db/database.ts';
import { containing } from '../db/like.ts';
import { totals } from './figures.ts';

type Row = {
  id: string;
  reference: string;
  type: TransactionType;
  status: TransactionStatus;
  amount: bigint;
  created_at: Date;
  description: string;
  sender_id: string | null;
  sender_first: string | null;
  sender_last: string | null;
  receiver_id: string | null;
  receiver_first: string | null;
  receiver_last: string | null;
  bank_name: string | null;
  account_name: string | null;
  account_number: string | null;
};

/** Every column of a transaction as it is shown, before the source of the transactions `t`, and what is joined after it. */
const columns = `
  SELECT t.id, t.reference, t.type,
         CASE WHEN t.type = 'external-transfer' THEN x.status ELSE 'completed' END AS status,
         t.amount, t.created_at, t.description,
         s.id AS sender_id, s.first_name AS sender_first, s.last_name AS sender_last,
         r.id AS receiver_id, r.first_name AS receiver_first, r.last_name AS receiver_last,
         x.bank_name, x.account_name, x.account_number`;
const joined = `
    LEFT JOIN external_transfers x ON x.transaction_id = t.id AND t.type = 'external-transfer'
    LEFT JOIN customers s ON s.account_id = t.sender_account
    LEFT JOIN customers r ON r.account_id = t.receiver_account`;
const shown = (source: RawBuilder<unknown>) =>
  sql<Row>`${sql.raw(columns)} FROM ${source} t ${sql.raw(joined)}`;

function party(id: string | null, first: string | null, last: string | null) {
  if (id === null) return undefined;
  if (!first) return { _id: id, firstName: messages.transactions.closedAccount, lastName: '' };
  return { _id: id, firstName: first, lastName: last ?? '' };
}

function toTransaction(row: Row): TransactionBehindTheEdge {
  const sender = party(row.sender_id, row.sender_first, row.sender_last);
  const receiver = party(row.receiver_id, row.receiver_first, row.receiver_last);
  return {
    _id: row.id,
    reference: row.reference,
    type: row.type,
    status: row.status,
    amount: row.amount,
    timestamp: row.created_at,
    description: row.description,
    ...(sender && { sender }),
    ...(receiver && { receiver }),
    ...(row.bank_name !== null && {
      externalBankDetails: {
        bankName: row.bank_name,
        accountName: row.account_name ?? '',
        accountNumber: row.account_number ?? '',
      },
    }),
  };
}

/** Asked after every group of postings, so it is prepared once on each connection. */
const byId = {
  name: 'transactions by id',
  text: `${columns} FROM transactions t ${joined} WHERE t.id = ANY ($1::uuid[])`,
};

/** The transactions with these ids, in no particular order; unknown ids are left out. */
export async function readTransactions(pool: pg.Pool, ids: string[]): Promise<TransactionBehindTheEdge[]> {
  const found = await pool.query<Row>({ ...byId, values: [ids] });
  return found.rows.map(toTransaction);
}

type StoryRow = Row & {
  balance_after: bigint | null;
  ended: 'settle' | 'return' | null;
  ended_at: Date | null;
  expected_by: string | null;
  return_reason: string | null;
};

/**
 * One transaction with its story; undefined where there is none, or the account that asks has no part in it. Without an
 * account it is anybody's, and nobody's balance is told.
 */
export async function readTransaction(reader: Reader, accountId: bigint | undefined, id: string) {
  const isOwn =
    accountId === undefined ? sql`true` : sql`${accountId}::bigint IN (sender_account, receiver_account)`;
  const one = sql`(SELECT * FROM transactions WHERE id = ${id} AND ${isOwn})`;
  const found = await sql<StoryRow>`
    SELECT d.*, CASE ${accountId ?? null}::bigint WHEN p.debit_account THEN p.debit_balance
                WHEN p.credit_account THEN p.credit_balance END AS balance_after,
           e.kind AS ended, e.posted_at AS ended_at, to_char(x.expected_by, 'YYYY-MM-DD') AS expected_by, x.return_reason
      FROM (${shown(one)}) d
      JOIN journal_entries p ON p.transaction_id = d.id AND p.step = 1
      LEFT JOIN journal_entries e ON e.transaction_id = d.id AND e.step = 2
      LEFT JOIN external_transfers x ON x.transaction_id = d.id`.execute(reader);
  const row = found.rows[0];
  if (!row) return undefined;
  const { created_at, balance_after, ended, ended_at, expected_by, return_reason } = row;
  const timeline: { step: 'posted' | 'settled' | 'returned'; at: Date }[] = [
    { step: 'posted', at: created_at },
  ];
  if (ended && ended_at) timeline.push({ step: ended === 'settle' ? 'settled' : 'returned', at: ended_at });
  return {
    ...toTransaction(row),
    ...(balance_after !== null && { balanceAfter: balance_after }),
    timeline,
    ...(row.status === 'pending' && expected_by !== null && { expectedBy: expected_by }),
    ...(ended === 'return' && return_reason !== null && { returnReason: return_reason }),
  };
}

type Figures = { lines: bigint; sent: bigint; received: bigint };

/** One customer's page, with the figures of the whole account whatever the filter. */
export async function listTransactions(reader: Reader, accountId: bigint, filter: TransactionFilter) {
  const figures = await sql<Figures>`
    SELECT lines, sent, received FROM ledger_accounts WHERE id = ${accountId}`.execute(reader);
  const { lines, sent, received } = figures.rows[0]!;
  const total = isFiltered(filter) ? await countOwn(reader, accountId, filter) : Number(lines);
  const source = isFiltered(filter) ? ownFiltered(accountId, filter) : ownRange(accountId, lines, filter);
  const found = await sql<Row>`${shown(source)} ORDER BY t.line DESC`.execute(reader);
  return {
    transactions: found.rows.map(toTransaction),
    stats: { totalSent: sent, totalReceived: received, totalTransactions: Number(lines) },
    ...pages(filter, total),
  };
}

function pages(filter: { page: number; limit: number }, total: number) {
  return {
    currentPage: filter.page,
    totalPages: Math.max(1, Math.ceil(total / filter.limit)),
    totalTransactions: total,
  };
}

function isFiltered(filter: TransactionFilter): boolean {
  return Boolean(filter.type || filter.status || filter.startDate || filter.endDate || filter.search);
}

/** Lines are dense, so page p of an account with n lines is the lines from n-(p-1)*limit downwards. */
function ownRange(accountId: bigint, lines: bigint, { page, limit }: TransactionFilter) {
  const last = lines - BigInt(page - 1) * BigInt(limit);
  const first = last - BigInt(limit);
  return sql`(
    SELECT *, sender_line AS line FROM transactions
     WHERE sender_account = ${accountId} AND sender_line > ${first} AND sender_line <= ${last}
    UNION ALL
    SELECT *, receiver_line FROM transactions
     WHERE receiver_account = ${accountId} AND receiver_line > ${first} AND receiver_line <= ${last})`;
}

function own(accountId: bigint) {
  return sql`(
    SELECT *, sender_line AS line FROM transactions WHERE sender_account = ${accountId}
    UNION ALL
    SELECT *, receiver_line FROM transactions WHERE receiver_account = ${accountId})`;
}

function ownFiltered(accountId: bigint, filter: TransactionFilter) {
  return sql`(SELECT f.* FROM ${own(accountId)} f WHERE ${matches(filter, accountId)}
    ORDER BY f.line DESC LIMIT ${filter.limit} OFFSET ${(filter.page - 1) * filter.limit})`;
}

async function countOwn(reader: Reader, accountId: bigint, filter: TransactionFilter): Promise<number> {
  const counted = await sql<{ n: bigint }>`
    SELECT count(*) AS n FROM ${own(accountId)} f WHERE ${matches(filter, accountId)}`.execute(reader);
  return Number(counted.rows[0]!.n);
}

/**
 * The filter as a condition on transactions named `f`. Days are inclusive and the bank's; a search for a person looks at
 * the other party only where the list is one account's own.
 */
function matches(filter: TransactionFilter, ownAccount: bigint | null = null): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [sql`true`];
  if (filter.type) conditions.push(sql`f.type = ${filter.type}::transaction_type`);
  if (filter.status) {
    conditions.push(sql`${filter.status}::transaction_status = CASE WHEN f.type = 'external-transfer'
      THEN (SELECT e.status FROM external_transfers e WHERE e.transaction_id = f.id) ELSE 'completed' END`);
  }
  if (filter.startDate) {
    conditions.push(sql`f.created_at >= ${filter.startDate}::date::timestamp AT TIME ZONE ${bank.timeZone}`);
  }
  if (filter.endDate) {
    conditions.push(
      sql`f.created_at < (${filter.endDate}::date + 1)::timestamp AT TIME ZONE ${bank.timeZone}`,
    );
  }
  if (filter.search) {
    const text = filter.search;
    const pattern = containing(text);
    const digits = text.replace(/[\s-]/g, '');
    const number = containing(/^\d+$/.test(digits) ? digits : text);
    conditions.push(sql`(f.reference ILIKE ${pattern} OR f.description ILIKE ${pattern}
      OR EXISTS (SELECT FROM customers c JOIN ledger_accounts a ON a.id = c.account_id
                  WHERE c.account_id IN (f.sender_account, f.receiver_account) AND c.account_id IS DISTINCT FROM ${ownAccount}::bigint
                    AND (concat_ws(' ', c.first_name, c.last_name) ILIKE ${pattern} OR a.number LIKE ${number}))
      OR EXISTS (SELECT FROM external_transfers e WHERE e.transaction_id = f.id
                    AND (e.bank_name ILIKE ${pattern} OR e.account_name ILIKE ${pattern}
                         OR e.account_number ILIKE ${number})))`);
  }
  return sql.join(conditions, sql` AND `);
}

/** All customers' transactions, newest first. Ids sort by time. */
export async function listAllTransactions(reader: Reader, filter: TransactionFilter) {
  const total = isFiltered(filter)
    ? Number(
        (
          await sql<{ n: bigint }>`SELECT count(*) AS n FROM transactions f WHERE ${matches(filter)}`.execute(
            reader,
          )
        ).rows[0]!.n,
      )
    : (await totals(reader)).totalTransactions;
  const found = await sql<Row>`${shown(sql`(
    SELECT f.* FROM transactions f WHERE ${matches(filter)}
     ORDER BY f.id DESC LIMIT ${filter.limit} OFFSET ${(filter.page - 1) * filter.limit})`)} ORDER BY t.id DESC`.execute(
    reader,
  );
  return { transactions: found.rows.map(toTransaction), ...pages(filter, total) };
}

/** Money in and out of an account in each of the last twelve months of the bank's calendar, oldest first. */
export async function readMonths(reader: Reader, accountId: bigint, now: Date) {
  const found = await sql<{
    month: string;
    in: bigint;
    out: bigint;
    largest: bigint | null;
    largest_name: string | null;
  }>`
    WITH months AS (
      SELECT to_char(date_trunc('month', ${now}::timestamptz AT TIME ZONE ${bank.timeZone}) - n * interval '1 month', 'YYYY-MM') AS month
        FROM generate_series(0, 11) n
    ), own AS (
      SELECT to_char(t.created_at AT TIME ZONE ${bank.timeZone}, 'YYYY-MM') AS month, t.amount, t.is_out,
             CASE WHEN t.is_out THEN coalesce(nullif(concat_ws(' ', c.first_name, c.last_name), ''), x.account_name) END AS name
        FROM (
          SELECT *, true AS is_out FROM transactions WHERE sender_account = ${accountId}
          UNION ALL
          SELECT *, false FROM transactions WHERE receiver_account = ${accountId}
        ) t
        LEFT JOIN external_transfers x ON x.transaction_id = t.id
        LEFT JOIN customers c ON c.account_id = t.receiver_account AND t.is_out
       WHERE t.created_at >= (date_trunc('month', ${now}::timestamptz AT TIME ZONE ${bank.timeZone}) - interval '11 months') AT TIME ZONE ${bank.timeZone}
         AND x.status IS DISTINCT FROM 'failed'
    )
    SELECT m.month, coalesce(sum(o.amount) FILTER (WHERE NOT o.is_out), 0)::bigint AS in,
           coalesce(sum(o.amount) FILTER (WHERE o.is_out), 0)::bigint AS out,
           max(o.amount) FILTER (WHERE o.is_out) AS largest,
           (array_agg(o.name ORDER BY o.amount DESC) FILTER (WHERE o.is_out))[1] AS largest_name
      FROM months m LEFT JOIN own o ON o.month = m.month
     GROUP BY m.month ORDER BY m.month`.execute(reader);
  return found.rows.map(row => ({
    month: row.month,
    in: row.in,
    out: row.out,
    ...(row.largest !== null && {
      largestOut: { name: row.largest_name ?? messages.transactions.closedAccount, amount: row.largest },
    }),
  }));
}
