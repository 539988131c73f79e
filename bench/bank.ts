/** The bank that the benchmarks measure: an embedded PostgreSQL with customers, and a server process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { session } from '#contract/constants.ts';
import { newId } from '#server/base/uuid.ts';
import type { Database } from '#server/db/database.ts';
import type { PersonKind } from '#server/db/personKind.ts';
import { startEmbedded } from '#server/embedded/embedded.ts';
import { makeTokens } from '#server/http/tokens.ts';
import { openLedger } from '#server/ledger/ledger.ts';
import { deriveSecrets } from '#server/secrets.ts';
import { databaseUrl } from '../tests/serverProcess.ts';
import { median } from './quiet.ts';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const appSecret = 'only for benchmarks, 32 characters or more';
export const say = (line: string) => process.stdout.write(`${line}\n`);

/** Starts the PostgreSQL cluster with its data in `dataDir` and enough memory for millions of transactions. */
export const startCluster = (dataDir: string) =>
  startEmbedded({
    dataDir,
    settings: { shared_buffers: '1GB', max_wal_size: '8GB', max_connections: '200' },
  });
export type Cluster = Awaited<ReturnType<typeof startCluster>>;

const numberOf = (position: number) => String(100_000_000_001 + position);

/** Opens accounts for `count` customers, the first `approved` of them approved. Returns ids and account numbers in order. */
export async function addCustomers(owner: pg.Pool, count: number, approved = count) {
  const ids = Array.from({ length: count }, newId);
  await owner.query(
    `WITH opened AS (
      INSERT INTO ledger_accounts (number, is_approved)
      SELECT (100000000000 + g)::text, g <= $2 FROM generate_series(1, $3::int) g RETURNING id, number)
    INSERT INTO customers (id, account_id, first_name, middle_name, last_name, gender, address, region, zip_code, email, phone_number)
    SELECT ($1::uuid[])[right(number, 6)::int], id, 'Bench', '', 'Number ' || number, 'female', 'a', 'b', 'c', number || '@bench.example', '2125550100'
      FROM opened`,
    [ids, approved, count],
  );
  return { ids, numbers: ids.map((_, position) => numberOf(position)) };
}

/** Adds `count` owners to the back office. Returns their ids. */
export async function addStaff(owner: pg.Pool, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, newId);
  await owner.query(
    `INSERT INTO admins (id, email, name, role) SELECT id, id || '@bench.example', 'Bench', 'owner' FROM unnest($1::uuid[]) id`,
    [ids],
  );
  return ids;
}

/** Gives each account money to send: $1,000,000.00. */
export async function fund(database: Database, numbers: string[]): Promise<void> {
  const ledger = openLedger(database);
  const adminId = newId();
  const credit = { adminId, sessionId: null, amountCents: 1_000_000_00n, description: 'start', address: '' };
  for (let at = 0; at < numbers.length; at += 500)
    await Promise.all(
      numbers.slice(at, at + 500).map(accountNumber => ledger.credit({ ...credit, accountNumber })),
    );
  await ledger.close();
}

/**
 * Opens a session for each person, all of the same kind. They are valid for an hour, the longest that the bank accepts, and do
 * not end without activity. Returns the tokens in the order of `ids`.
 */
export async function logIn(owner: pg.Pool, kind: PersonKind, ids: string[]): Promise<string[]> {
  const sessions = ids.map(newId);
  const expiresAt = new Date(Date.now() + session.lifeSeconds * 1000);
  await owner.query(
    `INSERT INTO sessions (id, person_id, kind, expires_at, last_seen_at, address, device, network)
    SELECT s, p, $3, $4, $4, '::1', 'bench', '' FROM unnest($1::uuid[], $2::uuid[]) u(s, p)`,
    [sessions, ids, kind, expiresAt],
  );
  const tokens = makeTokens(deriveSecrets(appSecret));
  const issue = (personId: string, position: number) =>
    tokens.issue({ kind, personId, sessionId: sessions[position]!, expiresAt, browser: undefined });
  return await Promise.all(ids.map(issue));
}

/** The environment with which the bank's commands and server work on `cluster`. */
export function environmentOf(cluster: Cluster, dataDir: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl(cluster.connection),
    APP_SECRET: appSecret,
    PUBLIC_URL: 'https://bank.example',
    ADMIN_EMAIL: 'admin@bank.example',
    ADMIN_PASSWORD: 'only for benchmarks',
    RATE_LIMITS: 'off',
  };
}

/** The options that a script of package.json passes to Node. */
export function nodeOptions(script: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  return scripts[script]!.match(/--\S+/g) ?? [];
}

/** Starts the server as `npm run serve` does, and waits until it is ready. `seconds` is how long that took. */
export async function startServer(
  environment: NodeJS.ProcessEnv,
): Promise<{ url: string; server: ChildProcess; seconds: number }> {
  const startedAt = performance.now();
  const port = String(20_000 + Math.floor(Math.random() * 20_000));
  const server = spawn(process.execPath, [...nodeOptions('serve'), 'scripts/serve.ts'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...environment, PORT: port },
  });
  process.once('exit', () => server.kill('SIGTERM'));
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; ; tries++) {
    const ready = await fetch(`${url}/readyz`).then(
      r => r.ok,
      () => false,
    );
    if (ready) return { url, server, seconds: (performance.now() - startedAt) / 1000 };
    if (tries > 3_000) throw new Error('The bank did not start.');
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}

/** The memory of a process in megabytes: `VmRSS` is its present size, `VmHWM` its peak. 0 once the process has ended. */
export function readMemory(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

export type Goal = { atLeast: number } | { atMost: number };
let missed = 0;

/** Prints a line of the result table: the median of `values`, the goal and whether it was reached. */
export function report(name: string, values: number[], goal?: Goal, digits = 2): void {
  const value = values.length > 0 ? median(values) : Number.NaN;
  const isReached = !goal || ('atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost);
  const limit = goal ? ('atLeast' in goal ? `at least ${goal.atLeast}` : `at most ${goal.atMost}`) : '';
  const verdict = !goal ? '' : values.length === 0 ? 'not measured' : isReached ? 'reached' : 'missed';
  if (!isReached) missed++;
  const shown = values.length === 0 ? '-' : value.toFixed(digits);
  const spread =
    values.length > 1
      ? `(${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)})`
      : '';
  say(`${name.padEnd(60)}${limit.padEnd(15)}${shown.padStart(8)}  ${verdict.padEnd(13)}${spread}`.trimEnd());
}

export const reportHead = () => say(`\n${''.padEnd(60)}${'goal'.padEnd(15)}  median  verdict`);
/** How many goals were missed or not measured so far. */
export const countMissed = () => missed;
