/**
 * Reads an incoming file and makes the rows of its lines. A thread of its own reads a large file: reading 100,000 lines takes
 * seconds, in which the process would answer nothing else.
 */
import { runThread } from '../base/runThread.ts';
import { readRailFile } from '../outside/rail/formats.ts';
import { type IncomingFile, type IncomingLine, maxFileCents, RailFileError } from '../outside/rail/rail.ts';

/**
 * `currency`: that of the lines, '' if there are several, null if there are no lines. `parts`: the rows of all lines, as JSON
 * arrays of at most `linesPerPart` rows.
 */
export type FileRows = Omit<IncomingFile, 'lines'> & {
  lines: number;
  cents: bigint;
  currency: string | null;
  parts: string[];
};
/** What the thread gets. */
export type ReadWork = { bytes: Uint8Array; own: string };
/** What the thread sends. */
export type ReadReply = { rows: FileRows } | { refused: string };

/** PostgreSQL stores this many lines in a fraction of the server's time limit for a statement. */
const linesPerPart = 1_000;
/** Smaller files are read sooner than a thread starts. */
const threadFrom = 64 * 1024;

/** Reads a file in this thread. Throws `RailFileError` if it is refused. `own`: the bank's routing number. */
export async function readRows(bytes: Buffer, own: string): Promise<FileRows> {
  const { lines, ...file } = await readRailFile(bytes, own);
  const cents = lines.reduce((total, { amountCents }) => total + amountCents, 0n);
  if (cents > maxFileCents) throw new RailFileError('The sum of the file is too large.');
  const [currency = null, ...others] = new Set(lines.map(line => line.currency));
  const parts: string[] = [];
  for (let at = 0; at < lines.length; at += linesPerPart)
    parts.push(
      JSON.stringify(lines.slice(at, at + linesPerPart).map((line, index) => toRow(line, at + index + 1))),
    );
  return { ...file, lines: lines.length, cents, currency: others.length > 0 ? '' : currency, parts };
}

const toRow = (line: IncomingLine, number: number) => ({
  line: number,
  kind: line.kind,
  amount: String(line.amountCents),
  currency: line.currency,
  keys: line.keys,
  account_number: line.accountNumber,
  party_name: line.partyName,
  bank_name: line.bankName,
  code: line.code,
  text: line.text,
  ref: line.ref,
  original: line.original,
});

/** Does what `readRows` does, a large file in a thread. Throws if `signal` aborts. */
export async function readRowsAside(bytes: Buffer, own: string, signal?: AbortSignal): Promise<FileRows> {
  if (bytes.length < threadFrom) return await readRows(bytes, own);
  const reply = await runThread(
    new URL('./railThread.ts', import.meta.url),
    { bytes, own } satisfies ReadWork,
    signal,
    async (message: ReadReply) => message,
  );
  if ('refused' in reply) throw new RailFileError(reply.refused);
  return reply.rows;
}
