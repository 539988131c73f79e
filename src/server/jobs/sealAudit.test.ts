/** The chain's head outside the database, the daily seal of the balances, and the command that checks both. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { transferApi } from '#contract/transfer.ts';
import { cloneDatabase, type TestDatabase } from '../../../tests/database.ts';
import { endExternal } from '../../../tests/endExternal.ts';
import { aCustomer } from '../../../tests/person.ts';
import { openTestBank } from '../../../tests/server.ts';
import { runCommand } from '../../../tests/serverProcess.ts';
import { eventually } from '../../../tests/waiting.ts';
import { sleep } from '../base/deadline.ts';
import { newId } from '../base/uuid.ts';
import { recordSecret } from '../db/appSecrets.ts';
import { approveAccount } from '../ledger/accounts.ts';
import { type Ledger, openLedger } from '../ledger/ledger.ts';
import { verifyBooks } from '../ledger/verify.ts';
import { openFolderStore } from '../outside/objectStore.ts';
import { deriveSecrets } from '../secrets.ts';
import { readStoredHeads, storeHead } from './auditHeads.ts';
import { readBacklog } from './backlog.ts';
import { openSealing, type SealParts, sealBalances, storeCurrentHead } from './sealAudit.ts';

const appSecret = 'a secret for tests of sealing, long enough';

let bank: TestDatabase;
let ledger: Ledger;
let dataDir: string;
let logged: string;

beforeEach(async () => {
  bank = await cloneDatabase();
  await recordSecret(bank.database.ownerPool, parts().secrets.sealKey[0].id);
  ledger = openLedger(bank.database);
  dataDir = mkdtempSync(join(tmpdir(), 'larkspur-seals-'));
  logged = '';
});

afterEach(async () => {
  await ledger.close();
  await bank.drop();
  rmSync(dataDir, { recursive: true });
});

function parts(auditAnchorUrl?: string): SealParts {
  const write = (line: string) => {
    logged += line;
  };
  return {
    database: bank.database,
    secrets: deriveSecrets(appSecret),
    config: { dataDir, filesUrl: undefined, auditAnchorUrl },
    store: openFolderStore(dataDir),
    log: pino({ level: 'warn' }, { write }),
  };
}

/** An approved customer who got `cents` from the treasury. */
async function credited(cents: bigint) {
  const customer = await aCustomer(bank.database);
  await bank.database.inTransaction(tx => approveAccount(tx, customer.accountId));
  await ledger.credit({
    adminId: newId(),
    sessionId: null,
    accountNumber: customer.accountNumber,
    amountCents: cents,
    description: 'start',
    address: '::1',
  });
  return customer;
}

const verify = async () => await verifyBooks(bank.database.reader, { sealKey: parts().secrets.sealKey });

async function sealEverything(sealNext = openSealing(parts())): Promise<void> {
  await eventually(async () => {
    await sealNext();
    return (await verify()).checked.unsealed === 0 || undefined;
  });
}

/** The metric of the last proof, in seconds since 1970. */
const lastVerify = async () => (await readBacklog(bank.database.pool)).last_verify_timestamp_seconds;

/** Runs a statement as an attacker with the owner's rights. */
const asAttacker = (statement: string) =>
  bank.database.ownerPool.query(`BEGIN;
    ALTER TABLE audit_seals DISABLE TRIGGER insert_only; ALTER TABLE transactions DISABLE TRIGGER insert_only;
    ${statement}; COMMIT`);

/** Runs the command on this database, as an operator would. */
const runVerify = (...options: string[]) =>
  runCommand(bank.connection, { DATA_DIR: dataDir, APP_SECRET: appSecret }, 'ledger', 'verify', ...options);

/** Starts a server that gets the heads, until the test ends. Returns its AUDIT_ANCHOR_URL. */
async function startAnchor(answer: RequestListener): Promise<string> {
  const anchor = createServer(answer).listen(0, '127.0.0.1');
  onTestFinished(() => void anchor.close());
  await once(anchor, 'listening');
  return `http://127.0.0.1:${(anchor.address() as AddressInfo).port}/heads`;
}

test('the head of the chain is stored in a file, in the log at its default level, and at AUDIT_ANCHOR_URL [M-38]', async () => {
  const received: unknown[] = [];
  let failures = 1;
  const url = await startAnchor((request, response) => {
    void text(request).then(body => {
      if (failures-- > 0) return response.writeHead(503).end();
      received.push(JSON.parse(body));
      response.end();
    });
  });
  await credited(500n);
  await sealEverything();
  const { head } = await verify();
  await expect(storeCurrentHead(parts(url))).rejects.toThrow();
  // Called twice: the head is still stored only once.
  await storeCurrentHead(parts(url));
  await storeCurrentHead(parts(url));
  expect(await readStoredHeads(parts())).toEqual([head]);
  expect(readFileSync(join(dataDir, 'audit-heads.log'), 'utf8').split('\n')).toHaveLength(2);
  expect(JSON.parse(logged)).toMatchObject({ msg: 'audit head', head: `${head.position}:${head.hash}` });
  expect(received).toEqual([{ at: expect.any(String), position: String(head.position), hash: head.hash }]);
});

test('storing a head fails while AUDIT_ANCHOR_URL answers with a redirect, because the redirect loses the head [M-38]', async () => {
  const url = await startAnchor((request, response) => {
    const isMoved = request.url === '/heads';
    response.writeHead(isMoved ? 302 : 200, isMoved ? { location: '/moved' } : {}).end();
  });
  await credited(500n);
  await sealEverything();
  await expect(storeCurrentHead(parts(url))).rejects.toThrow();
});

test('the time limits of requests do not end a proof, whose queries take longer in a large bank [M-39]', async () => {
  await credited(500n);
  await sealEverything();
  const client = await bank.database.ownerPool.connect();
  await client.query('BEGIN; LOCK TABLE external_transfers');
  const [sealing, started] = await Promise.allSettled([
    sealBalances(parts()),
    // A proof that is started in the back office uses the server's login.
    verifyBooks(bank.database.reader),
    // Longer than a request waits for a lock.
    sleep(2_500).then(() => client.query('COMMIT')),
  ]);
  client.release();
  expect(sealing).toMatchObject({ status: 'fulfilled' });
  expect(started).toMatchObject({ status: 'fulfilled' });
  expect(await lastVerify()).toBeGreaterThan(0);
});

test('a proof has no time limit, so TCP keepalives end its connection if the machine that runs it is gone [M-39]', async () => {
  // Only the names are checked: for a Unix socket, PostgreSQL shows the values as 0.
  const found = await bank.database.ownerPool.query<{ name: string }>(
    "SELECT name FROM pg_settings WHERE name LIKE 'tcp_keepalives%' AND source = 'session' ORDER BY name",
  );
  expect(found.rows.map(({ name }) => name)).toEqual([
    'tcp_keepalives_count',
    'tcp_keepalives_idle',
    'tcp_keepalives_interval',
  ]);
});

test('a head is stored on its own line after a line that a full disk cut off [M-38]', async () => {
  writeFileSync(join(dataDir, 'audit-heads.log'), '2026-11-22T20:30:00.000Z 12:0a3f');
  await credited(500n);
  await sealEverything();
  const { head } = await verify();
  await storeCurrentHead(parts());
  expect(await readStoredHeads(parts())).toEqual([head]);
});

test('two heads that are stored at the same moment are both stored [M-38]', async () => {
  const shared = { ...parts(), config: { ...parts().config, dataDir: join(dataDir, 'shared') } };
  mkdirSync(shared.config.dataDir);
  const heads = [5n, 6n].map(position => ({ position, hash: 'a'.repeat(64) }));
  await Promise.all(heads.map(head => storeHead(shared, head)));
  expect(await readStoredHeads(shared)).toEqual(heads);
});

test('while the disk of the data directory hangs, storing the head fails within seconds; when the disk answers again, the head is stored [M-38]', async () => {
  const hanging = { ...parts(), config: { ...parts().config, dataDir: join(dataDir, 'hanging') } };
  const file = join(dataDir, 'hanging', 'audit-heads.log');
  mkdirSync(join(dataDir, 'hanging'));
  // Reading a pipe hangs until something is written to it.
  execFileSync('mkfifo', [file]);
  await credited(500n);
  await sealEverything();
  for (let n = 0; n < 2; n++)
    await expect(storeCurrentHead(hanging)).rejects.toMatchObject({
      cause: { message: `the disk of ${hanging.config.dataDir} does not answer` },
    });
  const pipe = openSync(file, 'r+');
  rmSync(file);
  closeSync(pipe);
  const stored = await eventually(async () => (await readStoredHeads(hanging))[0]);
  expect(stored).toEqual((await verify()).head);
});

test('a running server notices that the chain was rewritten, and stores the head that proves it [M-38]', async () => {
  const sealNext = openSealing(parts());
  await credited(500n);
  await sealEverything(sealNext);
  const { head } = await verify();
  await asAttacker(`UPDATE transactions SET description = 'gift'; DELETE FROM audit_seals`);
  // The server seals the changed rows itself.
  await sealEverything(sealNext);
  expect((await verify()).faults).toEqual([]);
  expect(logged).toContain('the audit chain was truncated or rewritten');
  expect(await readStoredHeads(parts())).toEqual([head]);
  const { code, errors } = await runVerify();
  expect({ code, errors }).toEqual({
    code: 1,
    errors: expect.stringContaining('the chain up to here is not the one that was noted'),
  });
});

test('a transaction that wrote to the audit log and does not end fails the sealing after five minutes, and is named [M-37]', async () => {
  await credited(500n);
  const idle = new pg.Client(bank.connection as pg.ClientConfig);
  await idle.connect();
  // Dropping the database ends the connection.
  idle.on('error', () => {});
  await idle.query('BEGIN');
  await idle.query("INSERT INTO audit_log (actor_kind, action) VALUES ('system', 'idle')");
  const { rows } = await idle.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const sealNext = openSealing(parts());
  expect(await sealNext()).toBe(false);
  vi.advanceTimersByTime(299_000);
  expect(await sealNext()).toBe(false);
  vi.advanceTimersByTime(1_000);
  for (let n = 0; n < 2; n++)
    await expect(sealNext()).rejects.toThrow(`PostgreSQL processes: ${rows[0]!.pid}`);
  await idle.query('ROLLBACK');
  await sealEverything(sealNext);
  // The next such wait is counted from its own start.
  await idle.query("BEGIN; INSERT INTO audit_log (actor_kind, action) VALUES ('system', 'idle')");
  await credited(500n);
  expect(await sealNext()).toBe(false);
});

test('records are sealed although transactions that wait longer than a second follow one another without a gap [M-37]', async () => {
  const writers = await Promise.all(
    [1, 2].map(async () => {
      const client = new pg.Client(bank.connection as pg.ClientConfig);
      client.on('error', () => {});
      await client.connect();
      return client;
    }),
  );
  const write = (client: pg.Client) =>
    client.query("BEGIN; INSERT INTO audit_log (actor_kind, action) VALUES ('system', 'slow')");
  const sealNext = openSealing(parts());
  await sealEverything(sealNext);
  const [first, second] = writers as [pg.Client, pg.Client];
  await write(first);
  await credited(500n);
  expect(await sealNext()).toBe(false);
  await write(second);
  await first.query('COMMIT');
  await sealNext();
  const slow = await bank.database.pool.query(
    "SELECT FROM audit_seals s JOIN audit_log a ON a.id = s.audit_id WHERE a.action = 'slow'",
  );
  expect(slow.rowCount).toBe(1);
});

test('the balances are sealed daily, and a proof that starts from them reads only what came later [M-39]', async () => {
  const anna = await credited(500n);
  await credited(700n);
  await sealEverything();
  await sealBalances(parts());
  // Nothing happened since, so nothing is sealed. The proof ran, so the metric is as new as the proof.
  const first = (await lastVerify())!;
  await sealBalances(parts());
  expect(await lastVerify()).toBeGreaterThan(first);
  await credited(900n);
  await sealEverything();
  const since = await runVerify('--since', 'last');
  expect(since).toMatchObject({ code: 0, errors: '' });
  expect(since.output).toMatch(/^Started from the balances sealed at record 4\.\n/);
  expect(since.output).toContain(' 1 transactions, 1 journal entries, 2 audit records (0 not sealed yet).');
  expect(since.output).toContain('The books are true.');

  await sealBalances(parts());
  const days = await bank.database.pool.query('SELECT position FROM sealed_days ORDER BY position');
  expect(days.rows).toEqual([{ position: 4n }, { position: 6n }]);
  expect((await verify()).faults).toEqual([]);

  // Books that don't check out are not sealed.
  await credited(100n);
  await sealEverything();
  await bank.database.ownerPool.query('UPDATE ledger_accounts SET balance = 1 WHERE id = $1', [
    anna.accountId,
  ]);
  const verifiedAt = await lastVerify();
  await sealBalances(parts());
  expect(await lastVerify()).toBe(verifiedAt);
  expect(logged).toContain(`account ${anna.accountId} has a balance of 1 cents, but its postings sum to 500`);
  expect((await bank.database.pool.query('SELECT FROM sealed_days')).rowCount).toBe(2);
});

test('balances can be sealed and proven after an account such as clearing is empty again [M-39]', async () => {
  const anna = await credited(500n);
  const bankDetails = {
    bankName: 'First Harbor',
    accountName: 'Ines Caldeira',
    accountNumber: '40218836117',
  };
  const sent = await ledger.sendExternal({
    customerId: anna.id,
    sessionId: null,
    bank: bankDetails,
    amountCents: 100n,
    description: '',
    address: '::1',
  });
  await sealEverything();
  await sealBalances(parts());
  // This empties the clearing account again.
  await endExternal({ database: bank.database, ledger }, sent._id, { isSettled: true });
  await sealEverything();
  await sealBalances(parts());
  await sealBalances(parts());
  expect(logged).toBe('');
  expect((await verify()).faults).toEqual([]);
});

test('the command names a changed row and exits with 1 [M-27, M-37]', async () => {
  await credited(500n);
  await sealEverything();
  expect(await runVerify()).toMatchObject({
    code: 0,
    output: expect.stringContaining('The books are true.'),
  });
  await asAttacker(`UPDATE transactions SET description = 'gift'`);
  const { code, output, errors } = await runVerify();
  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining('1 proofs failed.') });
  expect(errors).toMatch(
    /every transaction and entry is as it was sealed: transaction [0-9a-f-]{36}, step 1/,
  );
  expect(await runVerify('--since', 'yesterday')).toMatchObject({ code: 2 });
});

test('a busy bank seals a burst of transfers once the burst is over [M-48]', async () => {
  const busy = await openTestBank();
  onTestFinished(() => busy.close());
  const unsealed = async () => (await readBacklog(busy.test.database.pool)).audit_unsealed;
  const [nora, ben] = [await busy.seeded({ cents: 100_00n }), await busy.seeded()];
  // Sealing waits at most ten seconds for the end of a burst. If the transfer takes longer on a busy machine, it is repeated.
  await eventually(async () => {
    await eventually(async () => (await unsealed()) === 0 || undefined);
    let isBusy = true;
    const work = () => {
      if (isBusy) setImmediate(work);
    };
    work();
    // Sealing polls every two seconds, and may have measured an idle moment just before this work began.
    await sleep(500);
    const body = { receiverAccountNumber: ben.accountNumber, amount: 1, description: '' };
    const sent = await busy.call(transferApi.sendInternal, { token: nora.token, body });
    await sleep(4_000);
    const waiting = await unsealed();
    isBusy = false;
    expect(sent.status).toBe(201);
    return waiting === 1 || undefined;
  });
  await eventually(async () => (await unsealed()) === 0 || undefined);
});
