/**
 * Measures a large bank: pages far into a list compared with the first page, each view of the back office while twenty
 * administrators work, the bytes of a transaction, the start of the server, and `npm run ledger -- verify`. Prints each
 * goal with the measured value and a verdict. Measurements that other programs disturbed do not count (`quiet.ts`). Fails if a
 * goal is missed or could not be measured.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { customerSorts } from '#contract/adminCustomers.ts';
import { areas } from '#contract/api.ts';
import { bank } from '#contract/constants.ts';
import { newId } from '#server/base/uuid.ts';
import { readCommandLine } from '#server/commands/commandLine.ts';
import type { Database } from '#server/db/database.ts';
import { openServerDatabase } from '#server/db/migrate.ts';
import { toPostRequest } from '#server/ledger/ledger.ts';
import { updateCheckpoints } from '#server/ledger/pageCheckpoints.ts';
import { type PostRequest, postParameters, postStatement } from '#server/ledger/postStatement.ts';
import { sealRecords } from '#server/ledger/sealing.ts';
import { updateSearchTexts } from '#server/ledger/searchTexts.ts';
import { deriveSecrets } from '#server/secrets.ts';
import {
  addCustomers,
  addStaff,
  appSecret,
  countMissed,
  environmentOf,
  logIn,
  nodeOptions,
  readMemory,
  report,
  reportHead,
  root,
  say,
  startCluster,
  startServer,
} from './bank.ts';
import { isQuiet, median, runWhileQuiet } from './quiet.ts';

const { values } = readCommandLine(
  `Usage: npm run bench:lists [-- --transactions N] [--folder <path>]

Measures lists, the back office and the proof of the books, and fails if a goal is missed. Needs a quiet machine.
  --transactions  how many to measure with (1,000,000 by default, which takes about five minutes)
  --folder        keeps the bank in this folder, and adds only the transactions that it lacks
`,
  { options: { transactions: { type: 'string', default: '1000000' }, folder: { type: 'string' } } },
);
const wanted = Number(values.transactions);
const customers = 100_000;
const approved = 80_000;
const staff = 20;
/** How many times the whole staff together requests each view. */
const visits = 60;
const group = 128;
const startCents = 1_000_000_00n;

const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'larkspur-lists-'));
mkdirSync(folder, { recursive: true });
const cluster = await startCluster(join(folder, 'cluster'));
const secrets = deriveSecrets(appSecret);

const post = (database: Database, requests: PostRequest[]) =>
  database.ownerPool.query({
    name: postStatement.name,
    text: postStatement.text,
    values: postParameters(0, requests),
  });

/** Returns the customers of the bank. In a new bank it first adds them, and gives money to the approved ones. */
async function openCustomers(database: Database): Promise<{ ids: string[]; numbers: string[] }> {
  const { rows } = await database.ownerPool.query<{ id: string; number: string }>(
    'SELECT c.id, a.number FROM customers c JOIN ledger_accounts a ON a.id = c.account_id ORDER BY a.number',
  );
  if (rows.length > 0) return { ids: rows.map(row => row.id), numbers: rows.map(row => row.number) };
  const found = await addCustomers(database.ownerPool, customers, approved);
  const actor = newId();
  const order = { amountCents: startCents, description: 'start', address: '' };
  for (let at = 0; at < approved; at += group) {
    const receivers = found.numbers.slice(at, Math.min(approved, at + group));
    await post(
      database,
      receivers.map(receiver => toPostRequest('admin-credit', order, { actor, session: null, receiver })),
    );
  }
  return found;
}

/** Posts transfers until the bank has `wanted` transactions, and seals them. The first customer is a party to one in ten. */
async function fill(database: Database): Promise<{ ids: string[]; numbers: string[] }> {
  const { ids, numbers } = await openCustomers(database);
  const { rows } = await database.ownerPool.query<{ n: string }>('SELECT count(*) AS n FROM transactions');
  let missing = wanted - Number(rows[0]!.n);
  await database.ownerPool.query('ALTER TABLE transfer_mails DISABLE TRIGGER USER');
  const pick = () => Math.floor(Math.random() * approved);
  const makeRequest = (): PostRequest => {
    const large = Math.random();
    const from = large < 0.05 ? 0 : pick();
    let to = large > 0.95 ? 0 : pick();
    if (to === from) to = (from + 1) % approved;
    const order = {
      amountCents: 100n + BigInt(Math.floor(Math.random() * 900)),
      description: 'Lunch',
      address: '203.0.113.7',
    };
    const who = { actor: ids[from]!, session: null, receiver: numbers[to]! };
    return toPostRequest('transfer', order, who);
  };
  const poster = async () => {
    while (missing > 0) {
      const size = Math.min(group, missing);
      missing -= size;
      await post(database, Array.from({ length: size }, makeRequest));
    }
  };
  let isFilled = false;
  const sealer = async () => {
    for (;;) {
      const isLast = isFilled;
      const { hasMore } = await sealRecords(database, secrets.sealKey);
      if (hasMore) continue;
      if (isLast) return;
      await database.ownerPool.query('TRUNCATE transfer_mails');
      await sleep(500);
    }
  };
  const sealing = sealer();
  await Promise.all([poster(), poster()]);
  isFilled = true;
  await sealing;
  await database.ownerPool.query('TRUNCATE transfer_mails');
  await database.ownerPool.query('ALTER TABLE transfer_mails ENABLE TRIGGER USER');
  await database.ownerPool.query('VACUUM (FREEZE, ANALYZE)');
  // A running server makes page checkpoints and search texts all the time. The newest minute gets no checkpoints, so wait until
  // all transactions are older.
  await sleep(61_000);
  while (await updateCheckpoints(database));
  while (await updateSearchTexts(database));
  return { ids, numbers };
}

/** The bytes of a transaction in the tables below, with indexes. Seals, checkpoints and search texts are not measured. */
async function measureBytes(database: Database): Promise<number> {
  const { rows } = await database.ownerPool.query<{ bytes: number }>(
    `SELECT (sum(pg_total_relation_size(grows::regclass)) / (SELECT count(*) FROM transactions))::float8 AS bytes
       FROM unnest(ARRAY['transactions', 'journal_entries', 'notifications', 'audit_log']) AS grows`,
  );
  return rows[0]!.bytes;
}

say(`Preparing a bank with ${wanted.toLocaleString(bank.locale)} transactions …`);
const database = await openServerDatabase(cluster.connection, secrets);
const { ids } = await fill(database);
const bytes = await measureBytes(database);
const [large, small] = await logIn(database.ownerPool, 'customer', [ids[0]!, ids[1]!]);
const staffTokens = await logIn(database.ownerPool, 'admin', await addStaff(database.ownerPool, staff));
const [admin] = staffTokens;
await database.close();

const environment = {
  ...environmentOf(cluster, join(folder, 'server')),
  // The alerts and mails about all these transfers would disturb the measurements.
  JOBS: 'off',
  SMTP_URL: 'smtp://127.0.0.1:9',
  ADMIN_SECOND_FACTOR: 'offered',
};
const { url, server } = await startServer(environment);

/** Sends a request and measures its time. Throws unless the answer is a success. */
async function time(token: string | undefined, path: string): Promise<{ ms: number; body: unknown }> {
  const startedAt = performance.now();
  const answer = await fetch(`${url}${path}`, { headers: { Authorization: `Bearer ${token}` } });
  const body = await answer.json();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(body)}`);
  return { ms: performance.now() - startedAt, body };
}

/** Requests `far` and `near` alternately. Returns the median time of `far` divided by that of `near`, for each quiet round. */
async function compare(far: [string | undefined, string], near: [string | undefined, string]) {
  return await runWhileQuiet(3, async () => {
    const times: { far: number[]; near: number[] } = { far: [], near: [] };
    for (let n = 0; n < 25; n++) {
      times.far.push((await time(...far)).ms);
      times.near.push((await time(...near)).ms);
    }
    return median(times.far) / median(times.near);
  });
}

const pageGoal = { atMost: 1.5 };
async function reportPages(name: string, path: string, token = admin): Promise<void> {
  const { body } = await time(token, `${path}?limit=10`);
  const { totalPages } = (body as { data: { totalPages: number } }).data;
  for (const page of [Math.ceil(totalPages / 2), totalPages])
    report(
      `${name}: page ${page.toLocaleString(bank.locale)} / page 1`,
      await compare([token, `${path}?limit=10&page=${page}`], [token, `${path}?limit=10`]),
      pageGoal,
    );
}

/** The paths of all back-office lists and figures that need no id, and of the list of customers in each sort order. */
const views = Object.values(areas)
  .flatMap(area => Object.values(area))
  .filter(({ method, access, path }) => method === 'GET' && access === 'admin' && !/\{|export/.test(path))
  .map(({ path }) => path as string);
const customersPath = areas.adminCustomers.customers.path;
views.push(...customerSorts.map(sort => `${customersPath}?sort=${sort}`));

/** All administrators request every view, each in a different order, with half a second between two requests on average. */
async function work(): Promise<Map<string, number[]>> {
  const times = new Map(views.map(view => [view, [] as number[]]));
  const rounds = visits / staff;
  await Promise.all(
    staffTokens.map(async token => {
      const order = Array.from({ length: rounds }, () => views)
        .flat()
        .map(view => ({ view, place: Math.random() }))
        .toSorted((a, b) => a.place - b.place);
      for (const { view } of order) {
        await sleep(Math.random() * 1000);
        times.get(view)!.push((await time(token, view)).ms);
      }
    }),
  );
  return times;
}

reportHead();
await reportPages('all transactions', areas.admin.adminTransactions.path);
await reportPages('users', customersPath);
await reportPages(`an account in one of ten transactions`, areas.transactions.listTransactions.path, large);
report(
  "that account's first page / a small account's",
  await compare(
    [large, areas.transactions.listTransactions.path],
    [small, areas.transactions.listTransactions.path],
  ),
  pageGoal,
);

await work();
const worked = await runWhileQuiet(1, work);
for (const view of views) {
  const times = worked[0]?.get(view)?.toSorted((a, b) => a - b) ?? [];
  const p95 = times[Math.floor(times.length * 0.95)];
  report(`${view}, p95 in ms`, p95 === undefined ? [] : [p95], { atMost: 150 }, 0);
}
server.kill('SIGTERM');
await once(server, 'exit');

report('bytes of a transaction, without seals', [bytes], { atMost: 600 }, 0);
report(
  'npm run serve until it is ready, seconds',
  await runWhileQuiet(3, async () => {
    const started = await startServer(environment);
    started.server.kill('SIGTERM');
    await once(started.server, 'exit');
    return started.seconds;
  }),
  { atMost: 2 },
);

/** Runs the proof of the books. */
async function verify(): Promise<{ seconds: number; memory: number }> {
  const startedAt = performance.now();
  const command = spawn(
    process.execPath,
    [...nodeOptions('ledger'), 'src/server/commands/ledger.ts', 'verify'],
    {
      cwd: root,
      env: environment,
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let errors = '';
  command.stderr.on('data', text => (errors += text));
  let memory = 0;
  const exited = once(command, 'exit');
  while (command.exitCode === null) {
    memory = Math.max(memory, readMemory(command.pid!, 'VmHWM'));
    await Promise.race([exited, sleep(200)]);
  }
  if (command.exitCode !== 0) throw new Error(`The proof failed: ${errors}`);
  return { seconds: (performance.now() - startedAt) / 1000, memory };
}
const wasQuiet = await isQuiet();
const proof = await verify();
const isCounted = wasQuiet && (await isQuiet());
report(
  'proof of the books, seconds per ten million transactions',
  isCounted ? [(proof.seconds * 10_000_000) / wanted] : [],
  { atMost: 600 },
  0,
);
report('most memory of the proof, MB', [proof.memory], { atMost: 300 }, 0);

await cluster.stop();
if (!values.folder) rmSync(folder, { recursive: true, force: true });
process.exit(countMissed() === 0 ? 0 : 1);
