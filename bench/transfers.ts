/**
 * Measures how many transfers per second the complete bank posts over HTTP (session check, notifications, transfer mails,
 * audit log, durable commits), compared with `pgbench` on the same cluster in the same run. Only the ratios are meaningful,
 * because the speed of a shared machine drifts. Needs `wrk` and `pgbench`; takes about six minutes.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { newId } from '#server/base/uuid.ts';
import { readCommandLine } from '#server/commands/commandLine.ts';
import { openDatabase } from '#server/db/database.ts';
import { openServerDatabase } from '#server/db/migrate.ts';
import { startEmbedded } from '#server/embedded/embedded.ts';
import { makeTokens } from '#server/http/tokens.ts';
import { openLedger } from '#server/ledger/ledger.ts';
import { verifyBooks } from '#server/ledger/verify.ts';
import { openInbox } from '#server/outside/inbox.ts';
import { deriveSecrets } from '#server/secrets.ts';

readCommandLine(`Usage: npm run bench

Measures transfers per second, compared with pgbench. Takes no options; needs wrk and pgbench, and about six minutes.
Environment: ROUNDS (default 3), SECONDS per measurement (12), SCALE of pgbench's tables (100).
`);

const root = fileURLToPath(new URL('..', import.meta.url));
const rounds = Number(process.env.ROUNDS ?? 3);
const seconds = Number(process.env.SECONDS ?? 12);
const people = 10_000;
const scale = Number(process.env.SCALE ?? 100);
const appSecret = 'only for benchmarks, 32 characters or more';

function findProgram(name: string): string {
  const folders = [...(process.env.PATH ?? '').split(':'), ...debianPostgres()];
  const found = folders
    .map(folder => join(folder, name))
    .find(path => spawnSync(path, ['--version'], { stdio: 'ignore' }).error === undefined);
  if (!found)
    throw new Error(`The benchmark needs ${name}; on Debian: apt-get install wrk postgresql-contrib`);
  return found;
}

function debianPostgres(): string[] {
  try {
    return readdirSync('/usr/lib/postgresql').map(version => `/usr/lib/postgresql/${version}/bin`);
  } catch {
    return [];
  }
}

const wrk = findProgram('wrk');
const pgbench = findProgram('pgbench');
const folder = mkdtempSync(join(tmpdir(), 'larkspur-bench-'));
const say = (line: string) => process.stdout.write(`${line}\n`);

const embedded = await startEmbedded({
  dataDir: folder,
  settings: { shared_buffers: '1GB', max_wal_size: '8GB', max_connections: '200' },
});
const { host, port, user, password, database: mainName } = embedded.connection;
const pgEnv = { ...process.env, PGHOST: host, PGPORT: String(port), PGUSER: user, PGPASSWORD: password };

/** Transactions per second, and processor time of the database for each, in microseconds. */
function runPgbench(args: string[]): { tps: number; databaseMicros: number } {
  const before = databaseCpu();
  const ran = spawnSync(pgbench, args, { env: pgEnv, encoding: 'utf8' });
  const tps = /tps = ([\d.]+)/.exec(ran.stdout)?.[1];
  const count = /actually processed: (\d+)/.exec(ran.stdout)?.[1];
  if (tps === undefined || count === undefined) throw new Error(`pgbench failed: ${ran.stderr}`);
  return { tps: Number(tps), databaseMicros: ((databaseCpu() - before) * 1e6) / Number(count) };
}

async function prepare(): Promise<string> {
  say('Preparing the bank and the baselines …');
  const admin = new pg.Client(embedded.connection);
  await admin.connect();
  for (const name of ['tpcb', 'baseline']) await admin.query(`CREATE DATABASE ${name}`);
  await admin.end();
  const initialized = spawnSync(pgbench, ['-i', '-q', '-s', String(scale), 'tpcb'], {
    env: pgEnv,
    encoding: 'utf8',
  });
  if (initialized.status !== 0) throw new Error(initialized.stderr);

  const baseline = new pg.Client({ ...embedded.connection, database: 'baseline' });
  await baseline.connect();
  await baseline.query(readFileSync(join(root, 'bench/baseline.sql'), 'utf8'));
  await baseline.query(`INSERT INTO accounts SELECT g, 1000000000000 FROM generate_series(1, ${people}) g`);
  await baseline.query('VACUUM ANALYZE');
  await baseline.end();

  const database = await openServerDatabase(embedded.connection, deriveSecrets(appSecret));
  const owner = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: database.ownerPool }) });
  const ids = Array.from({ length: people }, newId);
  const sessions = Array.from({ length: people }, newId);
  await sql`
    WITH opened AS (
      INSERT INTO ledger_accounts (number, is_approved) SELECT (100000000000 + g)::text, true FROM generate_series(1, ${people}::int) g
      RETURNING id, number
    )
    INSERT INTO customers (id, account_id, first_name, middle_name, last_name, gender, address, region, zip_code, email, phone_number)
    SELECT (${ids}::uuid[])[right(number, 6)::int], id, 'Bench', '', 'Number ' || number, 'female', 'a', 'b', 'c', number || '@bench.example', '2125550100'
      FROM opened`.execute(owner);
  await sql`
    INSERT INTO sessions (id, person_id, kind, expires_at, address, device, network)
    SELECT s, p, 'customer', now() + interval '1 day', '::1', 'bench', '' FROM unnest(${sessions}::uuid[], ${ids}::uuid[]) u(s, p)`.execute(
    owner,
  );
  const ledger = openLedger(database);
  const adminId = newId();
  const numbers = ids.map((_, i) => String(100_000_000_001 + i));
  for (let at = 0; at < people; at += 2000) {
    await Promise.all(
      numbers.slice(at, at + 2000).map(accountNumber =>
        ledger.credit({
          adminId,
          sessionId: null,
          accountNumber,
          amountCents: 1_000_000_00n,
          description: 'start',
          address: '',
        }),
      ),
    );
  }
  await ledger.close();
  const tokens = makeTokens(deriveSecrets(appSecret));
  const expiresAt = new Date(Date.now() + 80_000_000);
  const lines = await Promise.all(
    ids.map(
      async (personId, i) =>
        `${await tokens.issue({ kind: 'customer', personId, sessionId: sessions[i]!, expiresAt, browser: undefined })} ${numbers[i]}`,
    ),
  );
  const file = join(folder, 'people.txt');
  writeFileSync(file, lines.join('\n'));
  await sql`TRUNCATE transfer_mails`.execute(owner);
  await sql`VACUUM ANALYZE`.execute(owner);
  await database.close();
  return file;
}

const peopleFile = await prepare();
const inbox = await openInbox();
const servePort = 20_000 + Math.floor(Math.random() * 20_000);
const server = spawn(process.execPath, ['src/server/main.ts'], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
  env: {
    PATH: process.env.PATH,
    PORT: String(servePort),
    DATA_DIR: join(folder, 'server'),
    DATABASE_URL: `postgres://${user}:${encodeURIComponent(password)}@/${mainName}?host=${encodeURIComponent(host)}&port=${port}`,
    APP_SECRET: appSecret,
    PUBLIC_URL: 'https://bank.example',
    SMTP_URL: inbox.smtpUrl,
    ADMIN_EMAIL: 'admin@bank.example',
    ADMIN_PASSWORD: 'only for benchmarks',
    RATE_LIMITS: 'off',
  },
});
process.once('exit', () => server.kill('SIGTERM'));
const url = `http://127.0.0.1:${servePort}`;
for (let tries = 0; ; tries++) {
  const ready = await fetch(`${url}/readyz`).then(
    r => r.ok,
    () => false,
  );
  if (ready) break;
  if (tries > 200) throw new Error('The bank did not start.');
  await new Promise(resolve => setTimeout(resolve, 100));
}

type Http = {
  requests: number;
  tps: number;
  p50: number;
  p99: number;
  errors: number;
  serverMicros: number;
  databaseMicros: number;
};

/** CPU seconds used by a process and its exited children; 0 if the system has no /proc. */
function cpuSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').map(Number);
    return (fields[11]! + fields[12]! + fields[13]! + fields[14]!) / 100;
  } catch {
    return 0;
  }
}

/** CPU seconds of the database: the postmaster and all its processes, running or exited. */
function databaseCpu(): number {
  const postmaster = embedded.pid()!;
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
    .trim()
    .split(' ')
    .map(Number);
  return [postmaster, ...children].reduce((sum, pid) => sum + cpuSeconds(pid), 0);
}

function runHttp(mode: 'random' | 'hot', connections: number, duration = seconds): Http {
  const before = { server: cpuSeconds(server.pid!), database: databaseCpu() };
  const ran = spawnSync(
    wrk,
    ['-t', '1', '-c', String(connections), '-d', `${duration}s`, '-s', join(root, 'bench/load.lua'), url],
    {
      env: { ...process.env, MODE: mode, PEOPLE: peopleFile },
      encoding: 'utf8',
    },
  );
  const match = /RESULT (\d+) (\d+) (\d+) ([\d.]+) ([\d.]+)/.exec(ran.stdout);
  if (!match) throw new Error(`wrk failed: ${ran.stdout}${ran.stderr}`);
  const [, requests, micros, errors, p50, p99] = match.map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const micro = (seconds: number) => (seconds * 1e6) / Math.max(1, requests);
  return {
    requests,
    tps: ((requests - errors) / micros) * 1e6,
    p50,
    p99,
    errors,
    serverMicros: micro(cpuSeconds(server.pid!) - before.server),
    databaseMicros: micro(databaseCpu() - before.database),
  };
}

/** Bytes of the write-ahead log for each transfer, with the page images that follow a checkpoint. */
async function measureLog(): Promise<number> {
  const admin = new pg.Client(embedded.connection);
  await admin.connect();
  const position = async () =>
    Number(
      (await admin.query<{ at: string }>(`SELECT pg_current_wal_insert_lsn() - '0/0' AS at`)).rows[0]!.at,
    );
  await admin.query('CHECKPOINT');
  const before = await position();
  const { requests } = runHttp('random', 64);
  const bytes = (await position()) - before;
  await admin.end();
  return bytes / requests;
}

const onceRandom = join(folder, 'random.sql');
const onceHot = join(folder, 'hot.sql');
const call = (from: string) =>
  `\\set a ${from}\n\\set b random(2, ${people})\nSELECT transfer_once(:a, :b, 100, gen_random_uuid());\n`;
writeFileSync(onceRandom, call(`random(1, ${people})`));
writeFileSync(onceHot, call('1'));

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
runHttp('random', 64, 3);

const measured = [];
for (let round = 1; round <= rounds; round++) {
  const duration = ['-T', String(seconds), '-n'];
  const tpcbRun = runPgbench([...duration, '-c', '32', '-j', '2', '-b', 'tpcb-like', 'tpcb']);
  const tpcb = tpcbRun.tps;
  const random128 = runHttp('random', 128);
  const once32 = runPgbench([...duration, '-c', '32', '-j', '2', '-f', onceRandom, 'baseline']).tps;
  const random64 = runHttp('random', 64);
  const hot64 = runHttp('hot', 64);
  const hot128 = runHttp('hot', 128);
  const onceHot32 = runPgbench([...duration, '-c', '32', '-j', '2', '-f', onceHot, 'baseline']).tps;
  measured.push({
    'HTTP 128 connections / pgbench tpcb-like (G1)': random128.tps / tpcb,
    'HTTP 64 connections / pgbench tpcb-like': random64.tps / tpcb,
    'HTTP 128 connections / one transfer per commit': random128.tps / once32,
    'hot account: HTTP 128 / one transfer per commit (G2)': hot128.tps / onceHot32,
    'hot account: HTTP 64 / one transfer per commit': hot64.tps / onceHot32,
    'hot / random at 64 connections (G3)': hot64.tps / random64.tps,
    'p99 at 64 connections, ms (G4)': random64.p99,
    'CPU of server and database at 128 / database at tpcb-like':
      (random128.serverMicros + random128.databaseMicros) / tpcbRun.databaseMicros,
  });
  say(
    `round ${round}: tpcb-like ${tpcb.toFixed(0)}/s · once ${once32.toFixed(0)}/s · once hot ${onceHot32.toFixed(0)}/s · HTTP 128 ${random128.tps.toFixed(0)}/s · HTTP 64 ${random64.tps.toFixed(0)}/s (p50 ${random64.p50} ms, p99 ${random64.p99} ms) · HTTP hot 64 ${hot64.tps.toFixed(0)}/s, hot 128 ${hot128.tps.toFixed(0)}/s · CPU per transfer at 128: server ${random128.serverMicros.toFixed(0)} µs, database ${random128.databaseMicros.toFixed(0)} µs · errors ${random128.errors + random64.errors + hot64.errors + hot128.errors}`,
  );
}

say('');
for (const name of Object.keys(measured[0]!) as (keyof (typeof measured)[0])[]) {
  const values = measured.map(ratios => ratios[name]);
  say(`${name.padEnd(60)}${median(values).toFixed(2)}  (${values.map(v => v.toFixed(2)).join(', ')})`);
}

const afterCheckpoint = await measureLog();
say(
  `${'log after a checkpoint at 64 connections, bytes a transfer'.padEnd(60)}${afterCheckpoint.toFixed(0)}`,
);

server.kill('SIGTERM');
await once(server, 'exit');
const database = openDatabase(embedded.connection);
const { faults, checked } = await verifyBooks(database.reader);
say(faults.length === 0 ? `The books are true: ${checked.transactions} transactions.` : faults.join('\n'));
await database.close();
await inbox.close();
await embedded.stop();
rmSync(folder, { recursive: true, force: true });
process.exit(faults.length === 0 ? 0 : 1);
