/**
 * The run contract: how the bank is started and stopped, where it listens, how commands read its books, and how it behaves
 * while its database is down. Uses real processes, started as people and process managers start them.
 */
import { existsSync, mkdtempSync, readdirSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminApi } from '#contract/admin.ts';
import { authApi } from '#contract/auth.ts';
import { transactionsApi } from '#contract/transactions.ts';
import { demoAdmin, demoCustomers, demoPassword } from '#server/demo/people.ts';
import { isAlive, openEmbedded } from '#server/embedded/embedded.ts';
import {
  databasePid,
  expectStopped,
  firstAdmin,
  ownerPid,
  removeFolder,
  run,
  type ServerProcess,
  type Settings,
  startServer,
  stopAll,
  testSettings,
  waitForExit,
} from '../serverProcess.ts';
import { becomesReady, eventually, waitLimitMs, waitUntil } from '../waiting.ts';

/** The promised time for an orderly stop. */
const maxStopMs = 10_000;

const folder = mkdtempSync(join(tmpdir(), 'larkspur-run-'));
const dataDirs: string[] = [];

/** Returns a new data directory for one bank; it is cleaned up at the end. */
function newDataDir(name: string): string {
  const dataDir = join(folder, name);
  dataDirs.push(dataDir);
  return dataDir;
}

const verifyLedger = (settings: Settings) =>
  run('npm', ['run', '--silent', 'ledger', '--', 'verify'], settings);

async function post(url: string, path: string, body: unknown) {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as { data: Record<string, string> } };
}

/** The bank of most tests: with demo data, as `npm start` opens it. */
const demoDir = newDataDir('demo');
const demoSettings: Settings = { PORT: '0', DATA_DIR: demoDir };
let demo: ServerProcess;
beforeAll(async () => {
  demo = await startServer(demoSettings);
});

/** The data directory of a bank without demo data, which tests start and stop. */
const ownDir = newDataDir('own');

afterAll(async () => {
  await stopAll(dataDirs);
  removeFolder(folder);
});

test('with PORT=0 the server picks a free port, prints it, and answers there [RC-06, RC-14, RC-33, RC-36, RC-37, RC-38]', async () => {
  expect(demo.output()).toMatch(/Bank\s+http:\/\/localhost:\d+\n/);
  expect(new URL(demo.url).hostname).toBe('127.0.0.1');
  expect((await fetch(`${demo.url}/healthz`)).status).toBe(200);
  await becomesReady(demo.url);
  const document = await (await fetch(`${demo.url}/api/openapi.json`)).json();
  expect(document).toMatchObject({ servers: [{ url: `http://localhost:${new URL(demo.url).port}` }] });
  const metrics = await fetch(`${demo.url}/metrics`);
  expect(metrics.headers.get('content-type')).toMatch('text/plain');
  expect(await metrics.text()).toContain('larkspur_http_request_duration_seconds_bucket');
});

test('the demo customers that the server lists can log in, with the code from the inbox, and so can the administrator [RC-06, RC-16, RC-22, RC-25]', async () => {
  const named = demoCustomers.filter(({ shows }) => shows !== undefined);
  expect(named.length).toBeGreaterThan(5);
  for (const { email, firstName, state } of named) {
    expect(demo.output()).toContain(email);
    const begun = await post(demo.url, authApi.initiateLogin.path, { email, password: demoPassword });
    expect(begun.status, email).toBe(200);
    const otp = await waitUntil(`the code of ${email}`, waitLimitMs, async () => {
      const mails = await fetch(`${demo.url}/dev/inbox.json?to=${email}`);
      const [newest] = (await mails.json()) as { text: string }[];
      return /\b\d{6}\b/.exec(newest?.text ?? '')?.[0];
    });
    const { status, body } = await post(demo.url, authApi.verifyCode.path, { email, otp });
    expect({ status, firstName: body.data.firstName }).toEqual({ status: 200, firstName });
    const list = await fetch(`${demo.url}${transactionsApi.listTransactions.path}`, {
      headers: { authorization: `Bearer ${body.data.token}` },
    });
    expect(list.status).toBe(state === 'pending' ? 403 : 200);
  }
  const { email, password, name } = demoAdmin;
  const admin = await post(demo.url, adminApi.adminLogin.path, { email, password });
  expect(admin.body.data).toMatchObject({ email, name });
  expect(readdirSync(demoDir)).toEqual(expect.arrayContaining(['files', 'postgres', 'secrets']));
});

test('the books are verified while the server is running, and it keeps running [RC-25]', async () => {
  const { code, output } = await verifyLedger(demoSettings);
  expect(output).toMatch(/Checked \d+ accounts, [1-9]\d* transactions, [1-9]\d* journal entries/);
  expect(output).toContain('The books are true.');
  expect(code).toBe(0);
  await becomesReady(demo.url);
});

test('a second server on the same data directory exits with a message, and the first continues', async () => {
  const second = await run(process.execPath, ['src/server/main.ts'], demoSettings);
  expect(second.code).toBe(1);
  expect(second.output).toContain(
    `Another server (process ${demo.pid}) is using ${demoDir}. Stop it first, or set DATA_DIR to another directory.`,
  );
  await becomesReady(demo.url);
});

test('a server whose port is in use exits with a message', async () => {
  const { port } = new URL(demo.url);
  const second = await run(
    process.execPath,
    ['src/server/main.ts'],
    testSettings(newDataDir('late'), { PORT: port }),
  );
  expect(second.code).toBe(1);
  expect(second.output).toMatch(new RegExp(`The bank could not start\\.\\n.*${port}`));
});

test('while the database is down the server is alive but not ready, asks customers to wait, and recovers automatically [RC-36, RC-37, C-42]', async () => {
  const clusterDir = join(demoDir, 'postgres');
  const movedDir = join(demoDir, 'postgres.moved');
  const postgres = databasePid(demoDir);
  const { token } = (
    await post(demo.url, adminApi.adminLogin.path, { email: demoAdmin.email, password: demoAdmin.password })
  ).body.data;
  const fetchApprovals = () =>
    fetch(`${demo.url}${adminApi.pendingApprovals.path}`, { headers: { authorization: `Bearer ${token}` } });
  await eventually(async () => (await fetchApprovals()).ok || undefined);

  renameSync(clusterDir, movedDir);
  process.kill(postgres, 'SIGKILL');
  await waitForExit([postgres], waitLimitMs);
  const notReady = await waitUntil('the server to notice', waitLimitMs, async () => {
    const answer = await fetch(`${demo.url}/readyz`);
    return answer.ok ? undefined : answer;
  });
  expect(notReady.status).toBe(503);
  expect(Number(notReady.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await fetch(`${demo.url}/healthz`)).status).toBe(200);
  const refused = await fetchApprovals();
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({ success: false, code: 'BUSY' });
  const login = await post(demo.url, authApi.initiateLogin.path, {
    email: demoCustomers[0]!.email,
    password: demoPassword,
  });
  expect(login.status).toBe(503);

  renameSync(movedDir, clusterDir);
  await becomesReady(demo.url);
  await eventually(async () => (await fetchApprovals()).ok || undefined);
});

test('SIGTERM sent only to npm stops the server and its database within ten seconds [RC-07, RC-12]', async () => {
  const npm = await startServer(testSettings(ownDir), 'npm run serve');
  const all = [npm.pid, ownerPid(ownDir), databasePid(ownDir)];
  npm.signal('SIGTERM');
  await waitForExit(all, maxStopMs * npm.slowness);
  expect(existsSync(join(ownDir, 'owner.lock'))).toBe(false);
});

test('if npm is killed, the server and its database stop too', async () => {
  const npm = await startServer(testSettings(ownDir), 'npm run serve');
  const all = [npm.pid, ownerPid(ownDir), databasePid(ownDir)];
  npm.signal('SIGKILL');
  await waitForExit(all, maxStopMs * npm.slowness);
  expect(npm.output()).toContain('The process that started the bank is gone');
});

test('Ctrl-C stops everything, and the database shuts down cleanly [RC-04, RC-06, RC-07, RC-19]', async () => {
  const npm = await startServer(testSettings(ownDir), 'npm start');
  expect(npm.output()).toContain(`Administration  http://localhost:${new URL(npm.url).port}/admin/login`);
  const all = [npm.pid, ownerPid(ownDir), databasePid(ownDir)];
  npm.signalGroup('SIGINT');
  await waitForExit(all, maxStopMs * npm.slowness);
  expect(existsSync(join(ownDir, 'postgres', 'postmaster.pid'))).toBe(false);
});

test('two banks run side by side with separate administrators, and stopping one does not stop the other [RC-17]', async () => {
  const own = await startServer(testSettings(ownDir));
  expect(new URL(own.url).port).not.toBe(new URL(demo.url).port);
  const login = { email: demoAdmin.email, password: demoAdmin.password };
  expect((await post(own.url, adminApi.adminLogin.path, login)).status).toBe(401);
  expect((await post(demo.url, adminApi.adminLogin.path, firstAdmin)).status).toBe(401);
  expect((await post(own.url, adminApi.adminLogin.path, firstAdmin)).status).toBe(200);

  own.signal('SIGTERM');
  await expectStopped(own);
  expect(isAlive(demo.pid)).toBe(true);
});

test('the books can be verified without a running server, and the command leaves no process running', async () => {
  const { code, output } = await verifyLedger({ DATA_DIR: ownDir });
  expect(output).toContain('The books are true.');
  expect(code).toBe(0);
  expect(existsSync(join(ownDir, 'postgres', 'postmaster.pid'))).toBe(false);
});

/**
 * Changes rows as only the owner of the database can, with triggers disabled. Returns the values that `change` returns
 * and a function that undoes the change. `$id` in `undo` is the first of these values.
 */
async function tamper(
  table: string,
  change: string,
  undo: string,
): Promise<{ row: Record<string, string>; undo(): Promise<void> }> {
  const { connection } = await openEmbedded({ dataDir: demoDir });
  const withoutTriggers = async (statement: string) => {
    const client = new pg.Client(connection);
    await client.connect();
    try {
      await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
      const changed = await client.query(statement);
      // Triggers of the ledger are ENABLE ALWAYS: they also fire during replication.
      const triggers = await client.query(
        `SELECT tgname FROM pg_trigger WHERE tgrelid = '${table}'::regclass AND NOT tgisinternal`,
      );
      for (const { tgname } of triggers.rows)
        await client.query(`ALTER TABLE ${table} ENABLE ALWAYS TRIGGER ${tgname}`);
      return changed.rows[0] as Record<string, string>;
    } finally {
      await client.end();
    }
  };
  const row = await withoutTriggers(change);
  expect(row, 'a row was changed').toBeDefined();
  return {
    row,
    async undo() {
      await withoutTriggers(undo.replace('$id', Object.values(row)[0]!));
    },
  };
}

test('verification detects a change made directly in the database and names the row [M-23, M-24, M-26, M-27]', async () => {
  const cases = [
    {
      table: 'journal_entries',
      change: `UPDATE journal_entries SET amount = amount + 1 WHERE ctid = (SELECT min(ctid) FROM journal_entries)
               RETURNING transaction_id`,
      undo: `UPDATE journal_entries SET amount = amount - 1 WHERE transaction_id = '$id' AND step = 1 RETURNING 1`,
      named: 'transaction',
    },
    {
      table: 'ledger_accounts',
      change: `UPDATE ledger_accounts SET balance = balance + 100 WHERE id = 1000 RETURNING id`,
      undo: `UPDATE ledger_accounts SET balance = balance - 100 WHERE id = $id RETURNING 1`,
      named: 'account',
    },
    {
      table: 'audit_log',
      change: `UPDATE audit_log SET at = at + interval '1 hour' WHERE id = (SELECT min(id) FROM audit_log) RETURNING id`,
      undo: `UPDATE audit_log SET at = at - interval '1 hour' WHERE id = $id RETURNING 1`,
      named: 'record',
    },
  ];
  expect((await verifyLedger(demoSettings)).code).toBe(0);
  for (const { table, change, undo, named } of cases) {
    const tampered = await tamper(table, change, undo);
    const found = await verifyLedger(demoSettings);
    expect(found.code, table).toBe(1);
    expect(found.output).toContain(`${named} ${Object.values(tampered.row)[0]}`);
    expect(found.output).not.toContain('The books are true.');
    await tampered.undo();
    expect((await verifyLedger(demoSettings)).code, `${table} restored`).toBe(0);
  }
});
