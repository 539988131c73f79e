/**
 * A copy of what the bank holds about a customer, as a ZIP file: the rows of tables with personal data, the activity, the
 * transactions, the pictures and the statements. `people/personalData.ts` says what is left out, and why. The file is written
 * while it is sent, so memory does not grow with the account.
 */
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { ZipFile } from 'yazl';
import { dayAndTime } from '#contract/bankTime.ts';
import { bank } from '#contract/constants.ts';
import { fullName } from '#contract/fullName.ts';
import { fill } from '#contract/messages/fill.ts';
import * as recordsMessages from '#contract/messages/records.ts';
import { centsToDollars } from '#contract/money.ts';
import { streamText } from '../base/textStream.ts';
import { inSnapshot, type Reader } from '../db/database.ts';
import { type Export, openExportIn } from '../ledger/exportLines.ts';
import { openStatement, readMonthFigures, UnsoundStatement } from '../ledger/statements.ts';
import type { Parts } from '../parts.ts';
import { isEmailProven } from '../people/customers.ts';
import { type CustomerKey, personalData } from '../people/personalData.ts';

type Owner = { customerId: string; accountId: bigint };
export type CopyParts = Pick<Parts, 'database' | 'documents' | 'clock'> & {
  files: Pick<Parts['files'], 'read'>;
};

const pageSize = 1000;
const activityFile = 'activity.json';
const transactionsFile = 'transactions.json';

/** The statement of a month could not be made, so the ZIP file that should contain it ends with this error. */
export class StatementFailed extends Error {
  readonly month: string;
  constructor(month: string, cause: Error) {
    super(`the statement of ${month} could not be made`, { cause });
    this.month = month;
  }
}

/**
 * The ZIP file as a stream. `onFile` is called when a file in it begins, with the number of complete files and of the files
 * added so far. `leftOut`: the months whose statements are left out, with the reasons; the README in the file says both. If
 * `onUnsound` is passed, each statement is checked before it is added. A statement whose figures and movements do not agree is
 * left out and passed to `onUnsound`, and one that is too long is left out. A file that is sent while it is written needs this:
 * it cannot be sent a second time without that statement.
 */
export async function writeEverything(
  { database: { reader }, documents, files, clock }: CopyParts,
  { customerId, accountId }: Owner,
  {
    onFile = () => {},
    leftOut = new Map(),
    onUnsound,
  }: {
    onFile?: (done: number, all: number) => void;
    leftOut?: ReadonlyMap<string, string>;
    onUnsound?: (month: string, error: UnsoundStatement) => void;
  } = {},
): Promise<Readable> {
  const now = clock.now();
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error: Error) => output.destroy(error));
  // The ZIP may fail before anyone reads `output`; a later reader still gets the error. Unheard, it would end the process.
  output.on('error', () => {});
  // If the reader goes away, destroy the current stream: a document frees its memory only when its stream ends.
  let current: Readable | undefined;
  output.once('close', () => current?.destroy());
  const about: string[] = [];
  let [begun, added] = [0, 0];
  const add = (
    name: string,
    text: string,
    open: () => Promise<Readable> | Readable,
    toFailure = (error: Error) => error,
  ) => {
    if (text !== '') about.push(`${name}: ${text}`);
    added++;
    zip.addReadStreamLazy(name, { mtime: now }, done => {
      Promise.resolve()
        .then(open)
        .then(
          stream => {
            onFile(begun++, added);
            stream.once('error', error => output.destroy(toFailure(error)));
            if (output.destroyed) stream.destroy();
            current = stream;
            done(null, stream);
          },
          (error: Error) => output.destroy(toFailure(error)),
        );
    });
  };

  // If the email is not proven, it may belong to someone else, whose messages from this email are not the customer's.
  const person = await sql<{ email: string | null; avatar_file: string | null; id_card_file: string | null }>`
    SELECT CASE WHEN ${isEmailProven} THEN email END AS email, avatar_file, id_card_file
      FROM customers c WHERE id = ${customerId}`.execute(reader);
  const { email, avatar_file, id_card_file } = person.rows[0]!;
  const keys = { customerId, accountId, email };
  // From one snapshot, so that the balance is that after the last transaction.
  const { account, history } = await inSnapshot(reader, async snapshot => ({
    account: (await readTable(snapshot, 'ledger_accounts', keys).next()).value as Row,
    history: await openExportIn(snapshot, reader, accountId, {}),
  }));
  const pictures = [];
  for (const [name, file, text] of [
    ['avatar.webp', avatar_file, 'your picture'],
    ['id-document.webp', id_card_file, 'your ID document'],
  ] as const) {
    const bytes = file === null ? undefined : await files.read(file);
    if (bytes) pictures.push({ name, text, bytes });
  }
  const months = await readMonthFigures(reader, accountId, now);
  // The ZIP begins with the first `add`. So everything that could fail here is read before.
  for (const [table, { file, about: text = '', copied }] of Object.entries(personalData)) {
    if (file === undefined || copied === undefined) continue;
    add(file, text, () => toJson(table === 'ledger_accounts' ? [account] : readTable(reader, table, keys)));
  }
  add(transactionsFile, 'your transactions, oldest first', () => toJson(toRows(history)));
  add(activityFile, 'what you did, and what the bank did with your account', () =>
    toJson(readActivity(reader, customerId)),
  );
  for (const { name, text, bytes } of pictures) add(name, text, () => Readable.from([bytes]));
  about.push('statements/: your statements');
  /** Why a statement must be left out; undefined if it can be made. */
  const check = async (month: string): Promise<string | undefined> => {
    try {
      const { count, pendingCount, lines } = (await openStatement(reader, accountId, month, now))!;
      if (count + pendingCount > documents.maxLines) return recordsMessages.notOneFile;
      for await (const _ of lines) if (output.destroyed) break;
      return undefined;
    } catch (error) {
      if (!(error instanceof UnsoundStatement)) throw error;
      onUnsound?.(month, error);
      return recordsMessages.disagrees;
    }
  };
  const addStatements = async () => {
    for (const { month } of months) {
      if (output.destroyed) return;
      const name = `statements/${month}.pdf`;
      const reason = leftOut.get(month) ?? (onUnsound && (await check(month)));
      const open = async () => documents.statement((await openStatement(reader, accountId, month, now))!);
      if (reason === undefined) add(name, '', open, error => new StatementFailed(month, error));
      else
        about.push(`${name}: ${fill(recordsMessages.statementLeftOut, { reason, file: transactionsFile })}`);
    }
    const readme = fill(recordsMessages.readme, {
      bank: bank.name,
      time: dayAndTime(now),
      files: about.join('\n'),
      left: fill(recordsMessages.leftOut, { secrets: 'your password and codes, the keys of your sessions' }),
      phone: bank.phone,
      email: bank.supportEmail,
    });
    zip.addBuffer(Buffer.from(`${readme}\n`), 'README.txt', { mtime: now });
    zip.end();
  };
  // Not awaited: the reader gets the first files while the statements are checked.
  addStatements().catch((error: Error) => output.destroy(error));
  return output;
}

type Row = Record<string, unknown>;

/** The customer's rows of a table. Large tables have an `id` and are read in pages. */
async function* readTable(
  reader: Reader,
  table: string,
  keys: Record<CustomerKey, unknown>,
): AsyncGenerator<Row> {
  const { partOf, copied = '', copiedIf = 'true', cents = '', days = '' } = personalData[table]!;
  const columns = copied.split(' ');
  const owning = partOf?.table ?? table;
  const { foundBy, deletedWhere, deletedInBatches } = personalData[owning]!;
  const owned: [string, CustomerKey][] = Object.entries(foundBy ?? deletedWhere ?? deletedInBatches ?? {});
  const isOwn = sql`(${sql.join(
    owned.map(([column, key]) => sql`${sql.ref(column)} = ${keys[key]}`),
    sql` OR `,
  )})`;
  const isChosen = partOf
    ? sql`${sql.ref(partOf.column)} IN (SELECT id FROM ${sql.table(owning)} WHERE ${isOwn})`
    : isOwn;
  const isPaged = columns.includes('id');
  const toColumn = (name: string) =>
    days.split(' ').includes(name) ? sql`${sql.ref(name)}::text` : sql.ref(name);
  for (let last: unknown, size = pageSize; size === pageSize; ) {
    const found = await sql<Row>`
      SELECT ${sql.join(columns.map(toColumn))} FROM ${sql.table(table)}
       WHERE ${isChosen} AND ${sql.raw(copiedIf)} AND ${last === undefined ? sql`true` : sql`id > ${last}`}
       ${isPaged ? sql`ORDER BY id LIMIT ${pageSize}` : sql``}`.execute(reader);
    for (const row of found.rows) yield { ...row, ...toDollars(row, cents.split(' ')) };
    size = isPaged ? found.rows.length : 0;
    last = found.rows.at(-1)?.id;
  }
}

const toDollars = (row: Row, columns: string[]): Row =>
  Object.fromEntries(
    columns.filter(name => row[name] != null).map(name => [name, centsToDollars(row[name] as bigint)]),
  );

/** The audit records of the customer's own acts, and of what others did to the account, except screening, oldest first. */
async function* readActivity(reader: Reader, customerId: string): AsyncGenerator<Row> {
  for (let last = 0n, size = pageSize; size === pageSize; ) {
    const found = await sql<Row & { id: bigint }>`
      SELECT id, at, actor_kind AS by, action, CASE WHEN actor_id = ${customerId} THEN address END AS address
        FROM audit_log
       WHERE (actor_id = ${customerId} OR subject = ${customerId}) AND id > ${last} AND action NOT LIKE 'screening.%'
       ORDER BY id LIMIT ${pageSize}`.execute(reader);
    for (const { id: _, ...row } of found.rows) yield row;
    size = found.rows.length;
    last = found.rows.at(-1)?.id ?? last;
  }
}

async function* toRows({ lines }: Export): AsyncGenerator<Row> {
  for await (const { id, at, cents, balanceAfter, isReturn, returnReason, goal, transaction } of lines) {
    const { type, status, reference, description, sender, receiver, externalBankDetails } = transaction;
    yield {
      id,
      at,
      reference,
      type,
      status: isReturn ? 'returned' : status,
      amount: centsToDollars(cents),
      balanceAfter: centsToDollars(balanceAfter),
      from: sender && fullName(sender),
      to: receiver && fullName(receiver),
      ...externalBankDetails,
      goal,
      description,
      returnReason,
    };
  }
}

/** A JSON array with a row on each line. */
function toJson(rows: AsyncIterable<Row> | Iterable<Row>): Readable {
  let comma = '';
  const line = (row: Row) => {
    const text = JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? Number(value) : value));
    const separated = `${comma}\n  ${text}`;
    comma = ',';
    return separated;
  };
  return streamText(rows, { begin: '[', line, end: '\n]\n' });
}
