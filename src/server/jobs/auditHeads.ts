/**
 * Stores heads of the audit chain outside the database: in a file of the data directory, in the log, in the store of FILES_URL
 * and at AUDIT_ANCHOR_URL, if those are set. A chain that is rewritten or truncated later does not contain them anymore.
 */
import { appendFile, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type DiskCalls, limitDiskCalls } from '../base/diskCalls.ts';
import { ignore } from '../base/durableFiles.ts';
import type { AuditHead } from '../db/audit.ts';
import type { Parts } from '../parts.ts';

export type HeadParts = {
  config: Pick<Parts['config'], 'dataDir' | 'filesUrl' | 'auditAnchorUrl'>;
  store: Pick<Parts['store'], 'create' | 'list'>;
  log: Parts['log'];
};

const anchorTimeoutMs = 10_000;

const fileOf = (dataDir: string) => join(dataDir, 'audit-heads.log');
const write = ({ position, hash }: AuditHead) => `${position}:${hash}`;

/** Parses a head such as `12:0a…`; undefined if the text is not a head. */
export function parseHead(text: string): AuditHead | undefined {
  const match = /^(\d{1,18}):([0-9a-f]{64})$/.exec(text);
  return match ? { position: BigInt(match[1]!), hash: match[2]! } : undefined;
}

/** The file in the store for a head. Its name contains the whole head, so heads are read by listing the files. */
const keyOf = (head: AuditHead) => `audit-heads/${write(head).replace(':', '-')}`;

/** The heads in the data directory, oldest first, then the others that any process of the bank put into the store. */
export async function readStoredHeads({
  config,
  store,
}: {
  config: Pick<Parts['config'], 'dataDir'>;
  store: Pick<Parts['store'], 'list'>;
}): Promise<AuditHead[]> {
  const heads = new Map(parseHeads(await readOwn(config.dataDir)).map(head => [write(head), head]));
  for await (const { key } of store.list('audit-heads/')) {
    const head = parseHead(basename(key).replace('-', ':'));
    if (head) heads.set(write(head), head);
  }
  return [...heads.values()];
}

const readOwn = async (dataDir: string): Promise<string> =>
  (await readFile(fileOf(dataDir), 'utf8').catch(ignore('ENOENT'))) ?? '';

const parseHeads = (text: string): AuditHead[] =>
  text.split('\n').flatMap(line => parseHead(line.split(' ')[1] ?? '') ?? []);

/** The last head that this process stored in every place. */
let storedEverywhere: string | undefined;

/**
 * Stores a head, unless it is the one that this process stored last. Rejects if the disk, the store or AUDIT_ANCHOR_URL
 * does not accept it.
 */
export async function storeHead(parts: HeadParts, head: AuditHead): Promise<void> {
  if (storedEverywhere === write(head)) return;
  const at = new Date().toISOString();
  await storeHere(parts, head, at);
  await storeElsewhere(parts, head, at);
  storedEverywhere = write(head);
}

/** The disk calls of each data directory. A server process uses only one directory. */
const disks = new Map<string, DiskCalls>();

/** Appends to the file of the data directory, one head at a time. Throws `BUSY` if the disk does not answer. */
async function storeHere(parts: HeadParts, head: AuditHead, at: string): Promise<void> {
  const { dataDir } = parts.config;
  const disk = disks.get(dataDir) ?? limitDiskCalls(dataDir, 1);
  disks.set(dataDir, disk);
  await disk.inTime(() => append(parts, head, at));
}

async function append({ config, log }: HeadParts, head: AuditHead, at: string): Promise<void> {
  const text = await readOwn(config.dataDir);
  const last = parseHeads(text).at(-1);
  if (last?.position === head.position && last.hash === head.hash) return;
  // A full disk may have cut off the last line.
  const begin = text === '' || text.endsWith('\n') ? '' : '\n';
  await appendFile(fileOf(config.dataDir), `${begin}${at} ${write(head)}\n`, { mode: 0o600 });
  // At level `warn`, a child logger at level `info` writes this line. At `error` and above, the line is not logged.
  const headLog = log.level === 'warn' ? log.child({}, { level: 'info' }) : log;
  headLog.info({ head: write(head) }, 'audit head');
}

async function storeElsewhere({ config, store }: HeadParts, head: AuditHead, at: string): Promise<void> {
  if (config.filesUrl) await store.create(keyOf(head), Buffer.from(`${at}\n`));
  if (config.auditAnchorUrl === undefined) return;
  const answer = await fetch(config.auditAnchorUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ at, position: String(head.position), hash: head.hash }),
    // A redirected POST becomes a GET, whose answer says nothing about the head.
    redirect: 'error',
    signal: AbortSignal.timeout(anchorTimeoutMs),
  });
  if (!answer.ok) throw new Error(`AUDIT_ANCHOR_URL answered ${answer.status}`);
}
