/**
 * Monthly statements: the figures of every month of an account, and the movements of a single month. A movement belongs to the
 * month of its own time, so each is in exactly one statement, and each month opens with the balance that the month before
 * closed with.
 */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { calendarDay, monthOf } from '#contract/bankTime.ts';
import { bank } from '#contract/constants.ts';
import { fill } from '#contract/messages/fill.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import { startOfDay } from '../db/bankDay.ts';
import { inSnapshot, type Reader, type Tx } from '../db/database.ts';
import { type ExportLine, nameOfParty, noteOf, openExportIn, readExportedAccount } from './exportLines.ts';
import { maxDisorder } from './filter.ts';
import { referenceOf } from './ledger.ts';

/** The figures of a month. `from` and `to` are days, both inclusive; the first month begins with the account. */
export type MonthFigures = {
  month: string;
  from: string;
  to: string;
  isSoFar: boolean;
  openingCents: bigint;
  closingCents: bigint;
  inCents: bigint;
  outCents: bigint;
  count: number;
  /** The hash of the movements; set if the statement of the month is sealed. */
  contentHash?: Buffer;
};

/** A movement as a statement shows it. `cents` is negative for money out. `name`: the other party. */
export type StatementLine = { at: Date; cents: bigint; name: string; note: string; reference: string };

export type Statement = MonthFigures & {
  holder: string;
  accountNumber: string;
  /** The end of the month; for the current month, the time at which the statement was opened. */
  at: Date;
  /** Payments to other banks that were pending at the time `at`, oldest first, in chunks. */
  pending: AsyncGenerator<StatementLine[]>;
  pendingCount: number;
  /** The movements, oldest first, in chunks. At the end, throws `UnsoundStatement` if their sum or hash is wrong. */
  lines: AsyncGenerator<StatementLine[]>;
  /** The hash of the movements. Available after all of them were read. */
  contentHashOf: () => Buffer;
};

/** The figures and the movements of a statement do not agree. */
export class UnsoundStatement extends Error {}

const chunkSize = 250;

/** The month after a month like `2026-12`. */
function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`;
}

/** The month before a month like `2027-01`. */
export function monthBefore(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return number === 1 ? `${year - 1}-12` : `${year}-${String(number - 1).padStart(2, '0')}`;
}

function lastDayOf(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return `${month}-${new Date(Date.UTC(year, number, 0)).getUTCDate()}`;
}

/** The figures of every month of an account, oldest first. The last month is the current month up to now. */
export async function readMonthFigures(
  reader: Reader,
  accountId: bigint,
  now: Date,
): Promise<MonthFigures[]> {
  const { openedOn } = await readExportedAccount(reader, accountId);
  const stored = await readStored(reader, accountId);
  const [today, current] = [calendarDay(now), monthOf(now)];
  let month = openedOn.slice(0, 7);
  let isFirst = true;
  let openingCents = 0n;
  let sums: Awaited<ReturnType<typeof sumMonths>> | undefined;
  const figures: MonthFigures[] = [];
  for (; month <= current; month = monthAfter(month)) {
    const days = {
      month,
      from: isFirst ? openedOn : `${month}-01`,
      to: month === current ? today : lastDayOf(month),
      isSoFar: month === current,
    };
    isFirst = false;
    const sealed = stored.get(month);
    // The first month that is not stored reads the books once, for itself and all later months.
    if (!sealed) sums ??= await sumMonths(reader, accountId, `${month}-01`);
    const { inCents, outCents, count } = sealed ??
      sums?.get(month) ?? { inCents: 0n, outCents: 0n, count: 0 };
    const closingCents: bigint = openingCents + inCents - outCents;
    const contentHash = sealed && { contentHash: sealed.contentHash };
    figures.push({ ...days, openingCents, closingCents, inCents, outCents, count, ...contentHash });
    openingCents = closingCents;
  }
  return figures;
}

type Sums = { inCents: bigint; outCents: bigint; count: number };

async function readStored(reader: Reader, accountId: bigint) {
  type Row = { month: string; money_in: bigint; money_out: bigint; count: bigint; content_hash: Buffer };
  const found = await sql<Row>`
    SELECT month, money_in, money_out, count, content_hash FROM statements WHERE account_id = ${accountId}`.execute(
    reader,
  );
  return new Map(
    found.rows.map(row => [
      row.month,
      {
        inCents: row.money_in,
        outCents: row.money_out,
        count: Number(row.count),
        contentHash: row.content_hash,
      },
    ]),
  );
}

/**
 * Money in and out of each month that has movements. `since`: the first day of the first month. Counts transactions, returns of
 * payments, and movements to and from savings goals.
 */
export async function sumMonths(
  reader: Reader,
  accountId: bigint,
  since: string,
): Promise<Map<string, Sums>> {
  const start = startOfDay(since);
  const found = await sql<{ month: string; in: bigint; out: bigint; count: bigint }>`
    WITH span AS MATERIALIZED (SELECT first_seq_since(${accountId}, ${start}) - ${maxDisorder} AS seq),
    movements AS (
      SELECT created_at AS at, -amount AS cents FROM span, transactions
       WHERE sender_account = ${accountId} AND sender_seq >= span.seq
      UNION ALL
      SELECT created_at, amount FROM span, transactions
       WHERE receiver_account = ${accountId} AND receiver_seq >= span.seq
      UNION ALL
      SELECT e.posted_at, e.amount
        FROM transactions t JOIN journal_entries e ON e.transaction_id = t.id AND e.step = 2 AND e.kind = 'return'
       WHERE t.sender_account = ${accountId} AND t.type = 'external-transfer' AND e.credit_account = ${accountId}
      UNION ALL
      SELECT created_at, -amount FROM goal_movements WHERE account = ${accountId} AND created_at >= ${start})
    SELECT to_char(at AT TIME ZONE ${bank.timeZone}, 'YYYY-MM') AS month, count(*) AS count,
           coalesce(sum(cents) FILTER (WHERE cents > 0), 0)::bigint AS in,
           coalesce(-sum(cents) FILTER (WHERE cents < 0), 0)::bigint AS out
      FROM movements WHERE at >= ${start} GROUP BY 1`.execute(reader);
  return new Map(
    found.rows.map(row => [row.month, { inCents: row.in, outCents: row.out, count: Number(row.count) }]),
  );
}

/** Opens the statement of a month; undefined if the account has no statement for that month. Leaves out later movements. */
export function openStatement(
  reader: Reader,
  accountId: bigint,
  month: string,
  now: Date,
): Promise<Statement | undefined> {
  return inSnapshot(reader, async snapshot => {
    const figures = (await readMonthFigures(snapshot, accountId, now)).find(each => each.month === month);
    if (!figures) return undefined;
    const { holder, accountNumber } = await readExportedAccount(snapshot, accountId);
    const end = figures.isSoFar ? now : await readEnd(snapshot, month);
    const days = { startDate: `${month}-01`, endDate: lastDayOf(month) };
    const { lines } = await openExportIn(snapshot, reader, accountId, days);
    const hash = createHash('sha256');
    let digest: Buffer | undefined;
    return {
      ...figures,
      holder,
      accountNumber,
      at: end,
      ...(await openPending(snapshot, reader, accountId, end)),
      lines: readLines(),
      contentHashOf: () => digest!,
    };

    async function* readLines(): AsyncGenerator<StatementLine[]> {
      let chunk: StatementLine[] = [];
      // Sealed hashes have the order of `statementProof.ts`: between two transactions, returns come before movements of goals.
      // After the last transaction, both are in time order.
      let between: { text: string; isReturn: boolean }[] = [];
      let balance = figures!.openingCents;
      for await (const line of lines) {
        const text = `${line.id} ${line.at.toISOString()} ${line.cents}\n`;
        const { isReturn } = line;
        balance += line.cents;
        if (line.goal !== undefined || (isReturn && between.length > 0)) between.push({ text, isReturn });
        else {
          if (!isReturn) {
            for (const each of between) if (each.isReturn) hash.update(each.text);
            for (const each of between) if (!each.isReturn) hash.update(each.text);
            between = [];
          }
          hash.update(text);
        }
        chunk.push(toStatementLine(line));
        if (chunk.length < chunkSize) continue;
        yield chunk;
        chunk = [];
      }
      for (const { text } of between) hash.update(text);
      digest = hash.digest();
      if (balance !== figures!.closingCents)
        throw new UnsoundStatement(
          `the movements of ${month} of account ${accountId} add up to ${balance}, not to ${figures!.closingCents}`,
        );
      if (figures!.contentHash && !digest.equals(figures!.contentHash))
        throw new UnsoundStatement(
          `the movements of ${month} of account ${accountId} are not those that were sealed`,
        );
      yield chunk;
    }
  });
}

async function readEnd(reader: Reader, month: string): Promise<Date> {
  const found = await sql<{ at: Date }>`SELECT ${startOfDay(lastDayOf(month), 1)} AS at`.execute(reader);
  return found.rows[0]!.at;
}

/** The kind of movement, with the same words as in the list of transactions. */
function titleOf({ transaction: { externalBankDetails: other, type }, cents }: ExportLine): string {
  // The description of such a movement already says its kind.
  if (type === 'goal') return '';
  if (type === 'admin-credit') return transactionsMessages.titleAdminCredit;
  if (type === 'reversal') return transactionsMessages.titleReversal;
  if (other && type === 'deposit')
    return [transactionsMessages.titleReceived, other.bankName].filter(Boolean).join(' · ');
  if (other) return titleOfExternal(other.bankName, other.accountNumber);
  return cents > 0n ? transactionsMessages.titleReceived : transactionsMessages.titleSent;
}

const titleOfExternal = (bankName: string, accountNumber: string) =>
  `${fill(transactionsMessages.titleExternal, { bank: bankName })}, ${accountNumber}`;

function toStatementLine(line: ExportLine): StatementLine {
  const { transaction, cents, isReturn } = line;
  const title = isReturn ? '' : titleOf(line);
  return {
    at: line.at,
    cents,
    name: nameOfParty(line),
    note: [title, noteOf(line)].filter(Boolean).join(' · '),
    reference: transaction.reference,
  };
}

/**
 * The payments to other banks that were pending at a time. There may be hundreds of thousands, so only their sequence numbers
 * are read at once, and everything else in chunks.
 */
async function openPending(
  snapshot: Reader,
  reader: Reader,
  accountId: bigint,
  at: Date,
): Promise<Pick<Statement, 'pending' | 'pendingCount'>> {
  const found = await sql<{ seqs: string | null }>`
    SELECT string_agg(t.sender_seq::text, ',' ORDER BY t.sender_seq) AS seqs FROM transactions t
     WHERE t.sender_account = ${accountId} AND t.type = 'external-transfer' AND t.created_at < ${at}
       AND NOT EXISTS (SELECT FROM journal_entries e WHERE e.transaction_id = t.id AND e.step = 2 AND e.posted_at < ${at})`.execute(
    snapshot,
  );
  const seqs = (found.rows[0]!.seqs?.split(',') ?? []).map(Number);
  return { pending: readLines(), pendingCount: seqs.length };

  async function* readLines(): AsyncGenerator<StatementLine[]> {
    for (let from = 0; from < seqs.length; from += chunkSize)
      yield await readPending(reader, accountId, seqs.slice(from, from + chunkSize));
  }
}

async function readPending(reader: Reader, accountId: bigint, seqs: number[]): Promise<StatementLine[]> {
  type Row = {
    id: string;
    created_at: Date;
    amount: bigint;
    description: string;
    bank_name: string;
    account_name: string;
    account_number: string;
  };
  const found = await sql<Row>`
    SELECT t.id, t.created_at, t.amount, t.description, x.bank_name, x.account_name, x.account_number
      FROM transactions t JOIN external_transfers x ON x.transaction_id = t.id
     WHERE t.sender_account = ${accountId} AND t.sender_seq = ANY (${seqs}::bigint[])
     ORDER BY t.sender_seq`.execute(reader);
  return found.rows.map(row => ({
    at: row.created_at,
    cents: -row.amount,
    name: row.account_name || transactionsMessages.closedAccount,
    note: [titleOfExternal(row.bank_name, row.account_number), row.description].filter(Boolean).join(' · '),
    reference: referenceOf(row.id),
  }));
}

/** A statement to seal. */
export type SealedStatement = Pick<
  MonthFigures,
  'month' | 'openingCents' | 'closingCents' | 'inCents' | 'outCents' | 'count'
> & { accountId: bigint; contentHash: Buffer; fileHash: Buffer };

/** Stores statements and returns those that were not stored before. */
export async function storeStatements(tx: Tx, statements: SealedStatement[]): Promise<SealedStatement[]> {
  const rows = JSON.stringify(
    statements.map(each => ({
      account_id: String(each.accountId),
      month: each.month,
      opening: String(each.openingCents),
      closing: String(each.closingCents),
      money_in: String(each.inCents),
      money_out: String(each.outCents),
      count: each.count,
      content_hash: `\\x${each.contentHash.toString('hex')}`,
      file_hash: `\\x${each.fileHash.toString('hex')}`,
    })),
  );
  const stored = await sql<{ account_id: bigint; month: string }>`
    INSERT INTO statements (account_id, month, opening, closing, money_in, money_out, count, content_hash, file_hash)
    SELECT account_id, month, opening, closing, money_in, money_out, count, content_hash, file_hash
      FROM jsonb_to_recordset(${rows}::jsonb) AS made (account_id bigint, month text, opening bigint, closing bigint,
             money_in bigint, money_out bigint, count bigint, content_hash bytea, file_hash bytea)
        ON CONFLICT DO NOTHING RETURNING account_id, month`.execute(tx);
  const keys = new Set(stored.rows.map(row => `${row.account_id} ${row.month}`));
  return statements.filter(each => keys.has(`${each.accountId} ${each.month}`));
}

/** How many accounts one search reads. It stays far below the statement timeout, even if all of them have a statement. */
const searchedAccounts = 2_000;

/**
 * The next approved, open accounts after `after`, in id order, that have no statement for a month, at most `limit`. Reads at
 * most `searchedAccounts` accounts. The next search begins after `last`, which is undefined if there are no more accounts.
 */
export async function findAccountsWithout(
  reader: Reader,
  month: string,
  after: bigint,
  limit: number,
): Promise<{ accounts: bigint[]; last: bigint | undefined }> {
  // OFFSET 0 forces one index lookup per account.
  const found = await sql<{ id: bigint; isMissing: boolean }>`
    SELECT a.id, NOT EXISTS (
             SELECT FROM statements s WHERE s.account_id = a.id AND s.month = ${month} OFFSET 0) AS "isMissing"
      FROM (SELECT id FROM ledger_accounts
             WHERE id > ${after} AND kind = 'customer' AND is_approved AND NOT is_closed
             ORDER BY id LIMIT ${searchedAccounts}) a
     ORDER BY a.id`.execute(reader);
  const missing = found.rows.filter(row => row.isMissing);
  const accounts = missing.slice(0, limit).map(row => row.id);
  return { accounts, last: missing.length > limit ? accounts.at(-1) : found.rows.at(-1)?.id };
}
