/**
 * Outgoing files of the payment rail. A file is stored with the lines that it contains, in one transaction, and then sent. If
 * the process dies in between, the file is sent later, byte for byte.
 */
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { bank } from '#contract/constants.ts';
import type { RailFormat } from '#contract/rail.ts';
import { newId } from '../base/uuid.ts';
import type { Database, Reader, Tx } from '../db/database.ts';
import type { StoredContent } from '../ledger/railProof.ts';
import { keyOf, settledLine, writers } from '../outside/rail/formats.ts';
import { writeNotice } from '../outside/rail/iso20022.ts';
import { nachaLimits, traceOf } from '../outside/rail/nacha.ts';
import {
  type FileFormat,
  maxFileCents,
  type OutgoingFile,
  type Payment,
  type PaymentLine,
  type PaymentRail,
  type ReturnLine,
  type WrittenFile,
} from '../outside/rail/rail.ts';
import type { Parts } from '../parts.ts';
import { findFault } from './railCompare.ts';

export type OutgoingParts = { database: Database; rail: PaymentRail; log?: Parts['log'] };

/** One query puts at most this many lines into files, so a file has no more. */
const maxLines = 500;
/** While more payments are being submitted, the file of a cut-off waits for them, this long at most. */
const gatherMs = 2_000;

/** Adds a submitted payment to the next file to its bank, once. Returns false if that bank cannot be reached. */
export async function addPayment(
  tx: Tx,
  rail: Pick<PaymentRail, 'routeTo'>,
  { id, bankName }: Pick<Payment, 'id' | 'bankName'>,
): Promise<boolean> {
  const counterparty = rail.routeTo(bankName);
  if (counterparty === undefined) {
    // If the payment was added while the rail still reached that bank, the bank's answer will end it.
    const found = await sql`SELECT FROM rail_outgoing WHERE transaction_id = ${id}`.execute(tx);
    return found.rows.length > 0;
  }
  await sql`
    INSERT INTO rail_outgoing (transaction_id, counterparty) VALUES (${id}, ${counterparty})
        ON CONFLICT DO NOTHING`.execute(tx);
  return true;
}

/** The answer to a deposit: a return with a code, or, if `code` is null, a notice that the deposit was booked. */
type Answer = { incomingId: bigint; code: string | null; counterparty: string };

/** Adds an answer to the file of the next cut-off. */
export async function addAnswer(
  tx: Tx,
  rail: PaymentRail,
  { incomingId, code, counterparty }: Answer,
): Promise<void> {
  const { now } = (await sql<{ now: Date }>`SELECT now()`.execute(tx)).rows[0]!;
  await sql`
    INSERT INTO rail_outgoing (answer_to, code, counterparty, due_at)
    VALUES (${incomingId}, ${code}, ${counterparty}, ${rail.cutOff(now)})`.execute(tx);
}

/** Puts due lines into files, unless payments are still being submitted, and sends every file that is not sent. */
export async function sendRailFiles(parts: OutgoingParts): Promise<void> {
  // Every pending payment has a job, so there can be very many jobs. The query searches them only if the oldest due line became
  // due within `gatherMs`.
  const found = await sql<{ isDue: boolean; isGathering: boolean }>`
    SELECT count(*) > 0 AS "isDue",
           count(*) < ${maxLines} AND coalesce(min(o.due_at) > now() - make_interval(secs => ${gatherMs / 1000}), false)
           AND EXISTS (SELECT FROM graphile_worker._private_jobs
                        WHERE key LIKE 'submit-payment:%' AND run_at <= now() AND attempts < max_attempts) AS "isGathering"
      FROM (SELECT due_at FROM rail_outgoing WHERE file_id IS NULL AND due_at <= now() LIMIT ${maxLines}) o`.execute(
    parts.database.reader,
  );
  const { isDue, isGathering } = found.rows[0]!;
  if (isDue && !isGathering) await makeFiles(parts);
  await sendMade(parts);
}

/** Sends our answers to an incoming file again: its bank sent the file twice, so the answers may be lost. */
export async function repeatAnswers(tx: Tx, sha256: Buffer): Promise<void> {
  await sql`
    UPDATE rail_files SET state = 'made'
     WHERE state = 'sent'
       AND id IN (SELECT o.file_id FROM rail_files f JOIN rail_incoming i ON i.file_id = f.id JOIN rail_outgoing o ON o.answer_to = i.id
                   WHERE f.direction = 'in' AND f.sha256 = ${sha256})`.execute(tx);
}

/** Puts everything that is due into files. Two processes never make files at the same time. */
export async function makeFiles({ database, rail, log }: OutgoingParts): Promise<void> {
  for (;;) {
    const made = await database.inTransaction(async tx => {
      await sql`SELECT pg_advisory_xact_lock(hashtext('larkspur rail files'))`.execute(tx);
      return [...(await filePayments(tx, rail)), ...(await fileAnswers(tx, rail))];
    });
    for (const { name, lines } of made) log?.info({ file: name, lines }, 'a rail file was made');
    if (made.length === 0) return;
  }
}

/** Files that were logged in the last minute: the files are checked again about every second. */
const logged = new LRUCache<string, true>({ max: 1_000, ttl: 60_000 });

/**
 * Sends every file that is not sent, one by one: after an outage there can be hundreds. A file that does not agree with the
 * books stays, and counts as unsent in the metrics.
 */
export async function sendMade(parts: OutgoingParts): Promise<void> {
  const { database, rail, log } = parts;
  const { reader } = database;
  const made = await sql<{ id: string }>`
    SELECT id FROM rail_files WHERE state = 'made' ORDER BY made_at, id`.execute(reader);
  for (const { id } of made.rows) {
    const found = await sql<StoredFile>`
      SELECT ${fileColumns} FROM rail_files WHERE id = ${id} AND state = 'made'`.execute(reader);
    const [file] = found.rows;
    // Another process has sent it.
    if (!file) continue;
    const why = await findFault(parts, file);
    if (why !== undefined) {
      if (logged.has(id)) continue;
      logged.set(id, true);
      log?.error({ file: file.name, why }, 'a rail file does not agree with the books: it is not sent');
      continue;
    }
    await rail.send(file);
    await database.inTransaction(tx =>
      sql`UPDATE rail_files SET state = 'sent', done_at = now() WHERE id = ${id} AND state = 'made'`.execute(
        tx,
      ),
    );
    log?.info({ file: file.name }, 'a rail file was sent');
  }
}

/** `isUnchanged`: the stored content is still the one that was made. */
type StoredFile = OutgoingFile & StoredContent & { isUnchanged: boolean; hash: string };
const fileColumns = sql`
  id, name, format, counterparty, message_id AS "messageId", made_at AS "madeAt", content, encode(sha256, 'hex') AS hash,
  sha256 = sha256(convert_to(content, 'UTF8')) AS "isUnchanged"`;

/** The file in which a payment leaves. If the payment is in no file, makes one. */
export async function fileOfPayment(
  parts: OutgoingParts,
  payment: Pick<Payment, 'id' | 'bankName'>,
): Promise<OutgoingFile> {
  const { database, rail } = parts;
  const find = () =>
    sql<StoredFile>`
      SELECT ${fileColumns} FROM rail_files
       WHERE id = (SELECT file_id FROM rail_outgoing WHERE transaction_id = ${payment.id})`.execute(
      database.reader,
    );
  let found = await find();
  if (found.rows.length === 0) {
    await database.inTransaction(tx => addPayment(tx, rail, payment));
    await makeFiles(parts);
    found = await find();
  }
  const [file] = found.rows;
  if (!file) throw new Error(`payment ${payment.id} is in no file`);
  const why = await findFault(parts, file);
  if (why !== undefined) throw new Error(`${file.name} is not sent: ${why}`);
  return file;
}

type Filed = { name: string; lines: number };
type WaitingPayment = Omit<PaymentLine, 'trace' | 'senderNumber'> & {
  outgoingId: bigint;
  senderNumber: string | null;
  counterparty: string;
};

/** Groups lines by file: each bank and each kind of line has a file of its own. */
const groupsOf = <Line extends { counterparty: string }, Kind extends string>(
  lines: readonly Line[],
  kindOf: (line: Line) => Kind,
): { kind: Kind; counterparty: string; group: Line[] }[] =>
  [...Map.groupBy(lines, line => `${line.counterparty} ${kindOf(line)}`).values()].map(group => ({
    kind: kindOf(group[0]!),
    counterparty: group[0]!.counterparty,
    group,
  }));

async function filePayments(tx: Tx, rail: PaymentRail): Promise<Filed[]> {
  const waiting = await sql<WaitingPayment>`
    SELECT o.id AS "outgoingId", o.counterparty, t.id, t.created_at AS "sentAt", t.amount AS "amountCents", t.reference, t.description,
           x.bank_name AS "bankName", x.account_name AS "accountName", x.account_number AS "accountNumber",
           concat_ws(' ', c.first_name, c.last_name) AS "senderName", a.number AS "senderNumber"
      FROM rail_outgoing o
      JOIN transactions t ON t.id = o.transaction_id
      JOIN external_transfers x ON x.transaction_id = t.id
      LEFT JOIN ledger_accounts a ON a.id = t.sender_account
      LEFT JOIN customers c ON c.account_id = a.id
     WHERE o.file_id IS NULL AND o.due_at <= now() AND x.status = 'pending' ORDER BY o.due_at, o.id LIMIT ${maxLines}`.execute(
    tx,
  );
  const filed: Filed[] = [];
  for (const { kind: format, counterparty, group } of groupsOf(waiting.rows, payment =>
    rail.formatOf(payment),
  )) {
    const payments = (await withTraces(tx, upToFileLimit(format, group), rail.routingNumber)).map(
      ({ senderNumber, senderName, ...payment }) => ({
        ...payment,
        senderName: senderName.trim() || bank.name,
        ...(senderNumber !== null && { senderNumber }),
      }),
    );
    const head = await newHead(tx, rail, counterparty);
    const file = writers[format].writePayments(head, payments);
    const lines = payments.map(payment => ({ ...payment, key: keyOf(format, payment) }));
    filed.push(await store(tx, head, format === 'nacha' ? 'nacha' : 'pacs.008', file, lines));
  }
  return filed;
}

async function fileAnswers(tx: Tx, rail: PaymentRail): Promise<Filed[]> {
  type WaitingAnswer = Omit<ReturnLine, 'trace' | 'code'> &
    Omit<Answer, 'incomingId'> & { outgoingId: bigint; format: FileFormat };
  const waiting = await sql<WaitingAnswer>`
    SELECT o.id AS "outgoingId", o.counterparty, o.code, i.original, i.amount AS "amountCents",
           i.account_number AS "accountNumber", f.format
      FROM rail_outgoing o JOIN rail_incoming i ON i.id = o.answer_to JOIN rail_files f ON f.id = i.file_id
     WHERE o.file_id IS NULL AND o.due_at <= now() ORDER BY o.due_at, o.id LIMIT ${maxLines}`.execute(tx);
  const filed: Filed[] = [];
  const kindOf = ({ code, format }: WaitingAnswer): RailFormat | 'notice' =>
    code === null ? 'notice' : format === 'nacha' ? 'nacha' : 'iso20022';
  for (const { kind, counterparty, group } of groupsOf(waiting.rows, kindOf)) {
    const head = await newHead(tx, rail, counterparty);
    if (kind === 'notice') {
      const lines = group.map(line => ({ ...line, key: null }));
      const notice = writeNotice(
        head,
        group.map(line => settledLine(line.format, line)),
      );
      filed.push(await store(tx, head, 'camt.054', notice, lines));
    } else {
      const returns = await withTraces(tx, upToFileLimit(kind, group), rail.routingNumber);
      const file = writers[kind].writeReturns(
        head,
        returns.map(line => ({ ...line, code: line.code! })),
      );
      const lines = returns.map(line => ({ ...line, key: line.trace }));
      filed.push(await store(tx, head, kind === 'nacha' ? 'nacha' : 'pacs.004', file, lines));
    }
  }
  return filed;
}

/** The first lines whose sum a file of this format can hold. */
function upToFileLimit<Line extends { amountCents: bigint }>(
  format: RailFormat,
  lines: readonly Line[],
): Line[] {
  const most = format === 'nacha' ? nachaLimits.fileCents : maxFileCents;
  let total = 0n;
  const tooMany = lines.findIndex(({ amountCents }) => {
    total += amountCents;
    return total > most;
  });
  return lines.slice(0, tooMany === -1 ? lines.length : Math.max(tooMany, 1));
}

/** Gives each line the next trace number, in increasing order. */
async function withTraces<Line>(
  tx: Tx,
  lines: readonly Line[],
  routing: string,
): Promise<(Line & { trace: string })[]> {
  const numbers = await sql<{ number: bigint }>`
    SELECT nextval('rail_traces') AS number FROM generate_series(1, ${lines.length})`.execute(tx);
  return lines.map((line, index) => ({ ...line, trace: traceOf(routing, numbers.rows[index]!.number) }));
}

async function newHead(reader: Reader, rail: PaymentRail, to: string) {
  const { now } = (await sql<{ now: Date }>`SELECT now()`.execute(reader)).rows[0]!;
  return {
    id: newId(),
    madeAt: now,
    settlesOn: rail.settlesOn(now),
    from: rail.routingNumber,
    fromName: bank.name,
    to,
  };
}

async function store(
  tx: Tx,
  { id, madeAt, to }: { id: string; madeAt: Date; to: string },
  format: string,
  { name, messageId, content }: WrittenFile,
  lines: readonly { outgoingId: bigint; amountCents: bigint; key: string | null }[],
): Promise<Filed> {
  const cents = lines.reduce((total, { amountCents }) => total + amountCents, 0n);
  await sql`
    INSERT INTO rail_files (id, direction, name, format, message_id, counterparty, sha256, lines, cents, state, made_at, content)
    VALUES (${id}, 'out', ${name}, ${format}, ${messageId}, ${to}, sha256(convert_to(${content}, 'UTF8')),
            ${lines.length}, ${cents}, 'made', ${madeAt}, ${content})`.execute(tx);
  await sql`
    UPDATE rail_outgoing o SET file_id = ${id}, line = n.line, key = n.key
      FROM unnest(${lines.map(({ outgoingId }) => outgoingId)}::bigint[], ${lines.map(({ key }) => key)}::text[])
           WITH ORDINALITY AS n(id, key, line)
     WHERE o.id = n.id`.execute(tx);
  return { name, lines: lines.length };
}
