/**
 * What outsiders rely on: how the bank is started and stopped, where it listens, how commands look at it, and what it
 * says while its database is away. Real processes, as people and process managers start them.
 */
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminApi } from '#contract/admin.ts';
import { authApi } from '#contract/auth.ts';
import { transactionsApi } from '#contract/transactions.ts';
import { demoAdmin, demoCustomers, demoPassword } from '#server/demo/people.ts';
import { openEmbedded } from '#server/embedded/embedded.ts';
import { isAlive } from '#server/embedded/processes.ts';
import {
  databasePid,
  endAll,
  firstAdmin,
  gone,
  ownerPid,
  ownSettings,
  run,
  type ServerProcess,
  type Settings,
  startServer,
  until,
} from '../serverProcess.ts';
import { waitLimitMs } from '../waiting.ts';

/** The promise for a stop. */
const stopMs = 10_000;

const folder = mkdtempSync(join(tmpdir(), 'larkspur-run-'));
const dataDirs: string[] = [];

/** A data directory of its own for one bank. */
function newPlace(name: string): string {
  const dataDir = join(folder, name);
  dataDirs.push(dataDir);
  return dataDir;
}

const ledger = (settings: Settings) => run('npm', ['run', '--silent', 'ledger', '--', 'verify'], settings);

async function post(url: string, path: string, body: unknown) {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as { data: Record<string, string> } };
}

/** The bank that most tests look at: a demonstration, as `npm start` opens one. */
const demoPlace = newPlace('demo');
const demoSettings: Settings = { PORT: '0', DATA_DIR: demoPlace };
let demo: ServerProcess;
beforeAll(async () => {
  demo = await startServer(demoSettings);
});

/** A bank without demo data that a test may ruin. */
const ownPlace = newPlace('own');

afterAll(async () => {
  await endAll(dataDirs);
  rmSync(folder, { recursive: true, force: true });
});

test('with PORT=0 the server picks a free port, prints it, and answers there [RC-06, RC-14, RC-33, RC-36, RC-37, RC-38]', async () => {
  expect(demo.said()).toMatch(/Bank\s+http:\/\/localhost:\d+\n/);
  expect(new URL(demo.url).hostname).toBe('127.0.0.1');
  expect((await fetch(`${demo.url}/healthz`)).status).toBe(200);
  expect((await fetch(`${demo.url}/readyz`)).status).toBe(200);
  const document = await (await fetch(`${demo.url}/api/openapi.json`)).json();
  expect(document).toMatchObject({ servers: [{ url: `http://localhost:${new URL(demo.url).port}` }] });
  const metrics = await fetch(`${demo.url}/metrics`);
  expect(metrics.headers.get('content-type')).toMatch('text/plain');
  expect(await metrics.text()).toContain('larkspur_http_request_duration_seconds_bucket');
});

test('everybody of the demonstration logs in with the password and the code from the mail page [RC-06, RC-16, RC-22, RC-25]', async () => {
  const named = demoCustomers.filter(({ shows }) => shows !== undefined);
  expect(named.length).toBeGreaterThan(5);
  for (const { email, firstName, state } of named) {
    expect(demo.said()).toContain(email);
    const begun = await post(demo.url, authApi.initiateLogin.path, { email, password: demoPassword });
    expect(begun.status, email).toBe(200);
    const otp = await until(`the code of ${email}`, waitLimitMs, async () => {
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
  expect(readdirSync(demoPlace)).toEqual(expect.arrayContaining(['files', 'postgres', 'secrets']));
});

test('the books of the demonstration are proved beside the running server, which goes on [RC-25]', async () => {
  const { code, said } = await ledger(demoSettings);
  expect(said).toMatch(/Looked at \d+ accounts, [1-9]\d* transactions, [1-9]\d* journal entries/);
  expect(said).toContain('The books are true.');
  expect(code).toBe(0);
  expect((await fetch(`${demo.url}/readyz`)).status).toBe(200);
});

test('a second server on the same data directory is refused with a sentence, and the first goes on', async () => {
  const second = await run(process.execPath, ['src/server/main.ts'], demoSettings);
  expect(second.code).toBe(1);
  expect(second.said).toContain(
    `Another server (process ${demo.pid}) is using ${demoPlace}. Stop it first, or set DATA_DIR to another directory.`,
  );
  expect((await fetch(`${demo.url}/readyz`)).status).toBe(200);
});

test('a port that is taken is told with a sentence', async () => {
  const { port } = new URL(demo.url);
  const second = await run(
    process.execPath,
    ['src/server/main.ts'],
    ownSettings(newPlace('late'), { PORT: port }),
  );
  expect(second.code).toBe(1);
  expect(second.said).toMatch(new RegExp(`The bank could not start\\.\\n.*${port}`));
});

test('while the database is away the server lives, is not ready, asks customers to wait, and recovers by itself [RC-36, RC-37, C-42]', async () => {
  const here = join(demoPlace, 'postgres');
  const away = join(demoPlace, 'postgres.away');
  const postgres = databasePid(demoPlace);
  const { token } = (
    await post(demo.url, adminApi.adminLogin.path, { email: demoAdmin.email, password: demoAdmin.password })
  ).body.data;
  const ask = () =>
    fetch(`${demo.url}${adminApi.pendingApprovals.path}`, { headers: { authorization: `Bearer ${token}` } });
  expect((await ask()).status).toBe(200);

  renameSync(here, away);
  process.kill(postgres, 'SIGKILL');
  await gone([postgres], waitLimitMs);
  const notReady = await until('the server to notice', waitLimitMs, async () => {
    const answer = await fetch(`${demo.url}/readyz`);
    return answer.ok ? undefined : answer;
  });
  expect(notReady.status).toBe(503);
  expect(Number(notReady.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await fetch(`${demo.url}/healthz`)).status).toBe(200);
  const asked = await ask();
  expect(asked.status).toBe(503);
  expect(Number(asked.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await asked.json()).toMatchObject({ success: false, code: 'BUSY' });
  const login = await post(demo.url, authApi.initiateLogin.path, {
    email: demoCustomers[0]!.email,
    password: demoPassword,
  });
  expect(login.status).toBe(503);

  renameSync(away, here);
  await until('the bank to be ready again', waitLimitMs, async () =>
    (await fetch(`${demo.url}/readyz`)).ok ? true : undefined,
  );
  expect((await ask()).status).toBe(200);
});

test('SIGTERM to npm alone ends the server and its database within ten seconds [RC-07, RC-12]', async () => {
  const npm = await startServer(ownSettings(ownPlace), 'npm run serve');
  const all = [npm.pid, ownerPid(ownPlace), databasePid(ownPlace)];
  npm.signal('SIGTERM');
  await gone(all, stopMs * npm.slowness);
  expect(existsSync(join(ownPlace, 'owner.lock'))).toBe(false);
});

test('a server whose npm was killed without warning ends too, with its database', async () => {
  const npm = await startServer(ownSettings(ownPlace), 'npm run serve');
  const all = [npm.pid, ownerPid(ownPlace), databasePid(ownPlace)];
  npm.signal('SIGKILL');
  await gone(all, stopMs * npm.slowness);
  expect(npm.said()).toContain('The process that started the bank is gone');
});

test('Ctrl-C ends everything, and the database has written all down [RC-04, RC-06, RC-07, RC-19]', async () => {
  const npm = await startServer(ownSettings(ownPlace), 'npm start');
  expect(npm.said()).toContain(`Administration  http://localhost:${new URL(npm.url).port}/admin/login`);
  const all = [npm.pid, ownerPid(ownPlace), databasePid(ownPlace)];
  npm.signalGroup('SIGINT');
  await gone(all, stopMs * npm.slowness);
  expect(existsSync(join(ownPlace, 'postgres', 'postmaster.pid'))).toBe(false);
});

test('two banks run side by side, and neither knows the people of the other [RC-17]', async () => {
  const own = await startServer(ownSettings(ownPlace));
  expect(new URL(own.url).port).not.toBe(new URL(demo.url).port);
  const login = { email: demoAdmin.email, password: demoAdmin.password };
  expect((await post(own.url, adminApi.adminLogin.path, login)).status).toBe(401);
  expect((await post(demo.url, adminApi.adminLogin.path, firstAdmin)).status).toBe(401);
  expect((await post(own.url, adminApi.adminLogin.path, firstAdmin)).status).toBe(200);

  own.signal('SIGTERM');
  expect(await own.ended).toEqual({ code: 0, signal: null });
  expect(isAlive(demo.pid)).toBe(true);
});

test('the books are proved without a server as well, and the command leaves nothing running', async () => {
  const { code, said } = await ledger({ DATA_DIR: ownPlace });
  expect(said).toContain('The books are true.');
  expect(code).toBe(0);
  expect(existsSync(join(ownPlace, 'postgres', 'postmaster.pid'))).toBe(false);
});

/** Changes rows as only the database's owner can: past the triggers that forbid it. Gives how to undo it. */
async function tamper(
  table: string,
  change: string,
  undo: string,
): Promise<{ row: Record<string, string>; undo(): Promise<void> }> {
  const { connection } = await openEmbedded({ dataDir: demoPlace });
  const withoutGuard = async (statement: string) => {
    const client = new pg.Client(connection);
    await client.connect();
    try {
      await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
      const changed = await client.query(statement);
      // The guard of the audit log holds even for a session that replays; put back as it was.
      const guards = await client.query(
        `SELECT tgname FROM pg_trigger WHERE tgrelid = '${table}'::regclass AND NOT tgisinternal`,
      );
      for (const { tgname } of guards.rows) {
        const always = table === 'audit_log' ? 'ALWAYS' : '';
        await client.query(`ALTER TABLE ${table} ENABLE ${always} TRIGGER ${tgname}`);
      }
      return changed.rows[0] as Record<string, string>;
    } finally {
      await client.end();
    }
  };
  const row = await withoutGuard(change);
  expect(row, 'something was changed').toBeDefined();
  return {
    row,
    async undo() {
      await withoutGuard(undo.replace('$id', Object.values(row)[0]!));
    },
  };
}

test('whoever changes the books behind the bank is found out, and the row is named [M-23, M-24, M-26, M-27]', async () => {
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
  expect((await ledger(demoSettings)).code).toBe(0);
  for (const { table, change, undo, named } of cases) {
    const tampered = await tamper(table, change, undo);
    const found = await ledger(demoSettings);
    expect(found.code, table).toBe(1);
    expect(found.said).toContain(`${named} ${Object.values(tampered.row)[0]}`);
    expect(found.said).not.toContain('The books are true.');
    await tampered.undo();
    expect((await ledger(demoSettings)).code, `${table} put right`).toBe(0);
  }
});
