/** Stores incoming files of the payment rail: a file with all its lines in one transaction, or its refusal. */
import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { newId } from '../base/uuid.ts';
import { codeOf, type Database, type Tx } from '../db/database.ts';
import { type PaymentRail, RailFileError } from '../outside/rail/rail.ts';
import { readableText } from '../outside/rail/railText.ts';
import { type FileRows, readRowsAside } from './railRows.ts';

/**
 * `duplicate`: the same file was read before. The caller sends the answers to it again; nothing else changes. `busy`: another
 * process is storing a file with this message.
 */
export type Receipt = { status: 'read' | 'duplicate' | 'busy' } | { status: 'refused'; reason: string };

const maxReason = 300;
/** Refused files with the same content share a row. It lists their names up to this many characters. */
const maxNames = 500;

export const hashOf = (bytes: Buffer) => hash('sha256', bytes, 'buffer');

/** Stores a file, once. If the process dies before the end, nothing is stored. Throws if `signal` aborts. */
export async function storeFile(
  { database, rail }: { database: Database; rail: PaymentRail },
  name: string,
  bytes: Buffer,
  signal?: AbortSignal,
): Promise<Receipt> {
  const sha = hashOf(bytes);
  const known = await sql<{ state: string }>`
    SELECT state FROM rail_files WHERE direction = 'in' AND sha256 = ${sha}`.execute(database.reader);
  if (known.rows.some(({ state }) => state !== 'refused')) return { status: 'duplicate' };
  let file: RoutedFile | RailFileError;
  try {
    const read = await readRowsAside(bytes, rail.routingNumber, signal);
    const counterparty = rail.routeOf(read.from);
    if (counterparty === undefined)
      throw new RailFileError(
        `The file is from ${read.from || 'a bank that it does not name'}, which is not in the directory.`,
      );
    file = { ...read, counterparty };
  } catch (error) {
    if (!(error instanceof RailFileError)) throw error;
    file = error;
  }
  const work = (tx: Tx) =>
    file instanceof RailFileError
      ? storeRefusal(tx, name, sha, readableText(file.message, maxReason))
      : store(tx, name, sha, file, signal);
  return await database.inTransaction(work).catch(error => {
    // A server of 1.0.0, which does not take the lock of `store`, stored the file at the same time: the second attempt finds
    // it.
    if (codeOf(error) === '23505') return database.inTransaction(work);
    throw error;
  });
}

type RoutedFile = FileRows & { counterparty: string };

async function store(
  tx: Tx,
  name: string,
  sha: Buffer,
  { format, messageId, counterparty, lines, cents, currency, parts }: RoutedFile,
  signal: AbortSignal | undefined,
): Promise<Receipt> {
  // Does not wait for the lock: storing a large file can take longer than a statement may wait.
  const locked = await sql<{ isOwn: boolean }>`
    SELECT pg_try_advisory_xact_lock(
             hashtext(concat_ws(' ', 'larkspur rail incoming', ${counterparty}::text, ${messageId}::text))) AS "isOwn"`.execute(
    tx,
  );
  if (!locked.rows[0]!.isOwn) return { status: 'busy' };
  const known = await sql<{ isSame: boolean }>`
    SELECT sha256 = ${sha} AS "isSame" FROM rail_files
     WHERE direction = 'in' AND counterparty = ${counterparty} AND message_id = ${messageId} AND state <> 'refused'`.execute(
    tx,
  );
  if (known.rows[0]?.isSame) return { status: 'duplicate' };
  if (known.rows[0])
    return await storeRefusal(tx, name, sha, `Message ${messageId} was read before, with other content.`);
  const id = newId();
  // A file that was refused can be readable after an update of the bank's software. Then its row is updated.
  const stored = await sql<{ id: string }>`
    INSERT INTO rail_files (id, direction, name, format, message_id, counterparty, sha256, lines, cents, currency, state)
    VALUES (${id}, 'in', ${name}, ${format}, ${messageId}, ${counterparty}, ${sha}, ${lines}, ${cents}, ${currency}, 'read')
        ON CONFLICT (sha256) WHERE direction = 'in'
        DO UPDATE SET format = excluded.format, message_id = excluded.message_id, counterparty = excluded.counterparty,
                      lines = excluded.lines, cents = excluded.cents, currency = excluded.currency, state = 'read',
                      reason = NULL, done_at = NULL
    RETURNING id`.execute(tx);
  const fileId = stored.rows[0]!.id;
  for (const part of parts) {
    signal?.throwIfAborted();
    await sql`
      INSERT INTO rail_incoming (file_id, line, kind, amount, currency, keys, account_number, party_name, bank_name, code, text,
                                 ref, original)
      SELECT ${fileId}, line, kind, amount, currency, keys, account_number, party_name, bank_name, code, text, ref,
             original
        FROM jsonb_to_recordset(${part}::jsonb)
             AS r(line integer, kind text, amount bigint, currency text, keys text[], account_number text, party_name text,
                  bank_name text, code text, text text, ref text, original jsonb)`.execute(tx);
  }
  return { status: 'read' };
}

async function storeRefusal(tx: Tx, name: string, sha: Buffer, reason: string): Promise<Receipt> {
  await sql`
    INSERT INTO rail_files (id, direction, name, format, counterparty, sha256, lines, cents, state, reason, done_at)
    VALUES (${newId()}, 'in', ${name}, '', '', ${sha}, 0, 0, 'refused', ${reason}, now())
        ON CONFLICT (sha256) WHERE direction = 'in'
        -- The same bytes under another name, such as a second empty file: the row lists the names.
        DO UPDATE SET reason = excluded.reason,
                      name = CASE WHEN strpos(', ' || rail_files.name || ', ', ', ' || excluded.name || ', ') > 0
                             THEN rail_files.name ELSE left(rail_files.name || ', ' || excluded.name, ${maxNames}) END`.execute(
    tx,
  );
  return { status: 'refused', reason };
}
