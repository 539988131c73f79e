/**
 * Measures how many transfers per second the complete bank posts over HTTP (session check, transfer mails,
 * audit log, durable commits), compared with `pgbench` on the same cluster in the same run. Only the ratios are meaningful,
 * because the speed of a shared machine drifts. Prints each goal with the measured median and a verdict. A round that other
 * programs disturbed does not count (`quiet.ts`). Fails if a goal is missed, too few rounds count, or the books have a fault.
 * Needs `wrk` and `pgbench`, and takes five to nine minutes.
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { readCommandLine } from '#server/commands/commandLine.ts';
import { openDatabase } from '#server/db/database.ts';
import { openServerDatabase } from '#server/db/migrate.ts';
import { verifyBooks } from '#server/ledger/verify.ts';
import { openInbox } from '#server/outside/inbox.ts';
import { deriveSecrets } from '#server/secrets.ts';
import {
  addCustomers,
  appSecret,
  countMissed,
  environmentOf,
  fund,
  type Goal,
  logIn,
  readMemory,
  report,
  reportHead,
  root,
  say,
  startCluster,
  startServer,
} from './bank.ts';
import { becomesQuiet } from './quiet.ts';

readCommandLine(`Usage: npm run bench

Measures transfers per second, compared with pgbench. Takes no options; needs wrk, pgbench, a quiet machine, and five to
nine minutes. Fails if a goal is missed.
Environment: ROUNDS (default 3), SECONDS per measurement (8), SCALE of pgbench's tables (100), WORKERS of the bank (1).
`);

const rounds = Number(process.env.ROUNDS ?? 3);
const seconds = Number(process.env.SECONDS ?? 8);
/** No round begins after this time, so that the books can still be verified within nine minutes. */
const lastRoundAtMs = 370_000;
const people = 10_000;
const scale = Number(process.env.SCALE ?? 100);

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

const embedded = await startCluster(folder);
const { host, port, user, password } = embedded.connection;
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
  const { ids, numbers } = await addCustomers(database.ownerPool, people);
  const tokens = await logIn(database.ownerPool, 'customer', ids);
  await fund(database, numbers);
  const file = join(folder, 'people.txt');
  writeFileSync(file, tokens.map((token, i) => `${token} ${numbers[i]}`).join('\n'));
  await database.ownerPool.query('TRUNCATE transfer_mails');
  await database.ownerPool.query('VACUUM ANALYZE');
  await database.close();
  return file;
}

const peopleFile = await prepare();
const inbox = await openInbox();
const { url, server } = await startServer({
  ...environmentOf(embedded, join(folder, 'server')),
  SMTP_URL: inbox.smtpUrl,
  WORKERS: process.env.WORKERS,
});

type Http = {
  requests: number;
  tps: number;
  p50: number;
  p99: number;
  errors: number;
  serverMicros: number;
  databaseMicros: number;
};

/** CPU seconds used by a process and its exited children; 0 once the process has ended. */
function cpuSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').map(Number);
    return (fields[11]! + fields[12]! + fields[13]! + fields[14]!) / 100;
  } catch {
    return 0;
  }
}

/** A process and its running children. */
function listTree(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return [pid, ...children.split(' ').filter(Boolean).map(Number)];
}

/** CPU seconds of a process and its children, running or exited. */
const treeCpu = (pid: number): number => listTree(pid).reduce((sum, each) => sum + cpuSeconds(each), 0);
const databaseCpu = (): number => treeCpu(embedded.pid()!);
const serverCpu = (): number => treeCpu(server.pid!);

/** The resident memory of the server's processes, in megabytes. */
const serverMemory = (): number =>
  listTree(server.pid!).reduce((sum, pid) => sum + readMemory(pid, 'VmRSS'), 0);
let mostMemory = 0;

function runHttp(mode: 'random' | 'hot', connections: number, duration = seconds): Http {
  const before = { server: serverCpu(), database: databaseCpu() };
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
  mostMemory = Math.max(mostMemory, serverMemory());
  const micro = (seconds: number) => (seconds * 1e6) / Math.max(1, requests);
  return {
    requests,
    tps: ((requests - errors) / micros) * 1e6,
    p50,
    p99,
    errors,
    serverMicros: micro(serverCpu() - before.server),
    databaseMicros: micro(databaseCpu() - before.database),
  };
}

/** Bytes of the write-ahead log for each transfer, with the page images that follow a checkpoint. */
async function measureLog(): Promise<number> {
  const position = async () =>
    Number(
      (await admin.query<{ at: string }>(`SELECT pg_current_wal_insert_lsn() - '0/0' AS at`)).rows[0]!.at,
    );
  await admin.query('CHECKPOINT');
  const before = await position();
  const { requests } = runHttp('random', 64);
  const bytes = (await position()) - before;
  return bytes / requests;
}

const onceRandom = join(folder, 'random.sql');
const onceHot = join(folder, 'hot.sql');
const call = (from: string) =>
  `\\set a ${from}\n\\set b random(2, ${people})\nSELECT transfer_once(:a, :b, 100, gen_random_uuid());\n`;
writeFileSync(onceRandom, call(`random(1, ${people})`));
writeFileSync(onceHot, call('1'));

const admin = new pg.Client(embedded.connection);
await admin.connect();

/**
 * Waits until the bank has finished its work. Waiting mails are deleted, because sending them would disturb the next
 * measurement. Returns whether no other program uses the machine.
 */
async function settle(): Promise<boolean> {
  await admin.query('TRUNCATE transfer_mails');
  return await becomesQuiet();
}

/** Runs one round of all measurements. Returns undefined if other programs disturbed it. */
async function runRound() {
  let wasQuiet = true;
  const measure = async <T>(run: () => T): Promise<T> => {
    wasQuiet &&= await settle();
    return run();
  };
  const bench = (...args: string[]) =>
    measure(() => runPgbench(['-T', String(seconds), '-n', '-c', '32', '-j', '2', ...args]));
  const tpcb = await bench('-b', 'tpcb-like', 'tpcb');
  const random128 = await measure(() => runHttp('random', 128));
  const once32 = await bench('-f', onceRandom, 'baseline');
  const random64 = await measure(() => runHttp('random', 64));
  const hot64 = await measure(() => runHttp('hot', 64));
  const hot128 = await measure(() => runHttp('hot', 128));
  const onceHot32 = await bench('-f', onceHot, 'baseline');
  wasQuiet &&= await settle();
  const rate = ({ tps }: { tps: number }) => `${tps.toFixed(0)}/s`;
  say(
    `round${wasQuiet ? '' : ', disturbed by other programs, does not count'}: tpcb-like ${rate(tpcb)} · once ${rate(once32)} · once hot ${rate(onceHot32)} · HTTP 128 ${rate(random128)} · HTTP 64 ${rate(random64)} (p50 ${random64.p50} ms, p99 ${random64.p99} ms) · HTTP hot 64 ${rate(hot64)}, hot 128 ${rate(hot128)} · CPU per transfer at 128: server ${random128.serverMicros.toFixed(0)} µs, database ${random128.databaseMicros.toFixed(0)} µs · errors ${random128.errors + random64.errors + hot64.errors + hot128.errors}`,
  );
  if (!wasQuiet) return undefined;
  return {
    'HTTP 128 connections / pgbench tpcb-like (G1)': random128.tps / tpcb.tps,
    'HTTP 64 connections / pgbench tpcb-like': random64.tps / tpcb.tps,
    'HTTP 128 connections / one transfer per commit': random128.tps / once32.tps,
    'hot account: HTTP 128 / one transfer per commit (G2)': hot128.tps / onceHot32.tps,
    'hot account: HTTP 64 / one transfer per commit': hot64.tps / onceHot32.tps,
    'hot / random at 64 connections (G3)': hot64.tps / random64.tps,
    'p99 at 64 connections, ms (G4)': random64.p99,
    'CPU of server and database at 128 / database at tpcb-like':
      (random128.serverMicros + random128.databaseMicros) / tpcb.databaseMicros,
  };
}

type Name = keyof NonNullable<Awaited<ReturnType<typeof runRound>>>;
const goals: Partial<Record<Name, Goal>> = {
  'HTTP 128 connections / pgbench tpcb-like (G1)': { atLeast: 3.2 },
  'hot account: HTTP 128 / one transfer per commit (G2)': { atLeast: 7 },
  'hot / random at 64 connections (G3)': { atLeast: 1 },
  'p99 at 64 connections, ms (G4)': { atMost: 25 },
  'CPU of server and database at 128 / database at tpcb-like': { atMost: 0.2 },
};

runHttp('random', 64, 3);
const measured: Record<Name, number>[] = [];
while (measured.length < rounds && performance.now() < lastRoundAtMs) {
  const found = await runRound();
  if (found) measured.push(found);
}

reportHead();
const names: Name[] = [
  ...(Object.keys(goals) as Name[]),
  'HTTP 64 connections / pgbench tpcb-like',
  'HTTP 128 connections / one transfer per commit',
  'hot account: HTTP 64 / one transfer per commit',
];
for (const name of names)
  report(
    name,
    measured.map(ratios => ratios[name]),
    goals[name],
  );
report(
  'log after a checkpoint at 64 connections, bytes a transfer',
  [await measureLog()],
  { atMost: 4096 },
  0,
);
report('most memory of the server after a run, MB', [mostMemory], { atMost: 250 }, 0);
if (measured.length < rounds)
  say(`Only ${measured.length} of ${rounds} rounds were quiet: other programs used the machine.`);
await admin.end();

server.kill('SIGTERM');
await once(server, 'exit');
const database = openDatabase(embedded.connection);
const { faults, checked } = await verifyBooks(database.reader);
say(faults.length === 0 ? `The books are true: ${checked.transactions} transactions.` : faults.join('\n'));
await database.close();
await inbox.close();
await embedded.stop();
rmSync(folder, { recursive: true, force: true });
process.exit(faults.length === 0 && countMissed() === 0 && measured.length === rounds ? 0 : 1);
