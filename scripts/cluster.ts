/**
 * `npm run test:cluster`: what happens to a bank on several machines when its database, its network or its servers fail under
 * load. Prints a table of the measured times and their limits.
 */
import { accessSync, chmodSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readCommandLine } from '#server/commands/commandLine.ts';
import { openBankUnderTest } from '../tests/drills/bankUnderTest.ts';
import { startCluster } from '../tests/drills/cluster.ts';
import { type Drill, drills } from '../tests/drills/drills.ts';
import { closeNetwork } from '../tests/drills/machines.ts';
import { waitUntil } from '../tests/waiting.ts';

const usage = `Usage: npm run test:cluster [-- [--only TEXT] [--keep]]

Runs the drills of docs/cluster.md, or those whose names contain TEXT, in network namespaces of this machine. Needs root on
Linux, a built web app (npm run build), and the Debian packages of PostgreSQL 15, Patroni, etcd and HAProxy. Takes about
twelve minutes. --keep keeps the folder with all logs, as a failure does.
`;
/** The programs, and the Debian packages that have them. */
const programs: Record<string, string> = {
  postgres: 'postgresql-15',
  patroni: 'patroni python3-etcd',
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  openssl: 'openssl',
  ip: 'iproute2',
  setpriv: 'util-linux',
  sysctl: 'procps',
};
/** The load runs this long before the fault, before what is left of it is undone, and after that. */
const undisturbedMs = 3_000;
/** The load counts as running once more transfers than this are acknowledged. */
const warmUpTransfers = 30;

const { values } = readCommandLine(usage, {
  options: { only: { type: 'string', default: '' }, keep: { type: 'boolean', default: false } },
});

const searched = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/lib/postgresql/15/bin'];
process.env.PATH = searched.join(delimiter);
const isInstalled = (program: string) =>
  searched.some(folder => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

type Result = { name: string; measured: string; limit: string; passed: boolean; faults: string[] };

function refuse(why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(1);
}

if (process.platform !== 'linux' || process.getuid?.() !== 0)
  refuse('The drills need root on Linux, because they use network namespaces.');
const absent = Object.entries(programs).flatMap(([program, name]) => (isInstalled(program) ? [] : [name]));
if (absent.length > 0) refuse(`Debian packages are missing: apt-get install ${absent.join(' ')}`);
const chosen = drills.filter(({ name }) => name.includes(values.only));
if (chosen.length === 0) refuse(`No drill's name contains '${values.only}'.`);

const base = mkdtempSync(join(tmpdir(), 'larkspur-drills-'));
chmodSync(base, 0o755);
process.once('exit', code => {
  closeNetwork();
  if (values.keep || code !== 0) process.stdout.write(`Logs: ${base}\n`);
  else rmSync(base, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

process.stdout.write('Starting three database machines, three servers and HAProxy …\n');
const cluster = await startCluster(base);
const bank = await openBankUnderTest(cluster);
const results: Result[] = [];
for (const drill of chosen) {
  process.stdout.write(`${drill.name} …\n`);
  const result = await perform(drill);
  results.push(result);
  process.stdout.write(
    `  ${result.measured}; limit ${result.limit}: ${result.passed ? 'passed' : 'FAILED'}\n`,
  );
  for (const fault of result.faults) process.stdout.write(`  ${fault}\n`);
}
process.stdout.write('Waiting for the mails …\n');
const { faults: missing, arrived, repeated } = await bank.checkMails();
await bank.close();
await cluster.close();
const rows = results.map(
  ({ name, measured, limit, passed }) =>
    `| ${name} | ${measured} | ${limit} | ${passed ? 'passed' : 'FAILED'} |`,
);
process.stdout.write(
  `\n| Drill | Longest time without an acknowledged transfer | Limit | Verdict |\n|---|---|---|---|\n${rows.join('\n')}\n`,
);
// A server can die after the mail server has accepted a mail and before the mail is recorded as sent. Then it is sent again.
process.stdout.write(`\n${arrived} mails arrived, ${repeated} of them again with the same Message-ID.\n`);
for (const fault of missing) process.stdout.write(`${fault}\n`);
process.exit(results.every(({ passed }) => passed) && missing.length === 0 ? 0 : 1);

/**
 * Runs one drill under load and undoes what it did. If `happen` throws, only cut database machines are reconnected and
 * suspended ones resumed; killed processes stay dead.
 */
async function perform({ name, limitSeconds, breaksNoRequest, happen }: Drill): Promise<Result> {
  const faults: string[] = [];
  const load = bank.startLoad();
  await waitUntil('the load', 60_000, () => (load.acknowledged() > warmUpTransfers ? true : undefined));
  await sleep(undisturbedMs);
  const jobs = bank.startJobs();
  const from = Date.now();
  const restore = await happen(cluster).catch((error: Error) => {
    faults.push(error.message);
    for (const machine of cluster.databases) {
      machine.heal();
      machine.signal('SIGCONT');
    }
    return undefined;
  });
  await sleep(undisturbedMs);
  const served = load.acknowledged();
  await waitUntil('acknowledged transfers', 60_000, () =>
    load.acknowledged() > served ? true : undefined,
  ).catch((error: Error) => faults.push(error.message));
  await restore?.();
  await cluster.healthy().catch((error: Error) => faults.push(error.message));
  await sleep(undisturbedMs);
  const systemLoad = loadavg()[0]!.toFixed(0);
  await jobs.catch((error: Error) => faults.push(error.message));
  faults.push(...(await bank.check(load).catch((error: Error) => [error.message])));
  const times = [from, ...load.acknowledgedAt.filter(at => at > from)];
  const longestMs = Math.max(...times.slice(1).map((at, i) => at - times[i]!));
  const broken = load.broken.length;
  if (breaksNoRequest && broken > 0) faults.push(`${broken} requests were broken`);
  if (longestMs > limitSeconds * 1_000) faults.push(`longer than ${limitSeconds} s`);
  const counts = `${load.acknowledged()} acknowledged, ${load.busy()} × 503, ${broken} broken requests, load ${systemLoad}`;
  if (broken > 0) process.stdout.write(`  broken requests: ${[...new Set(load.broken)].join('; ')}\n`);
  return {
    name,
    measured: `${(longestMs / 1_000).toFixed(1)} s (${counts})`,
    limit: `${limitSeconds} s`,
    passed: faults.length === 0,
    faults,
  };
}
