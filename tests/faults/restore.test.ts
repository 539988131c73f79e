/**
 * The restore drill: a bank with a backup folder is killed and its data directory is lost. It is restored to a point in time.
 * The restored bank is held until it is released, and does not send again what the lost bank sent.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { adminApi } from '#contract/admin.ts';
import { authApi } from '#contract/auth.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { openEmbedded } from '#server/embedded/embedded.ts';
import { type CallOptions, callAt, registrationForm } from '../call.ts';
import {
  firstAdmin,
  removeFolder,
  run,
  type Settings,
  startServer,
  stopAll,
  testSettings,
  waitForExit,
} from '../serverProcess.ts';
import { eventually, retryWhileBusy, waitLimitMs } from '../waiting.ts';

const folder = mkdtempSync(join(tmpdir(), 'larkspur-restore-'));
// The bank never creates its backup folder, so the test does.
for (const name of ['backups', 'holed']) mkdirSync(join(folder, name));
const lost = testSettings(join(folder, 'lost'), { BACKUP_DIR: join(folder, 'backups') });
const found = testSettings(join(folder, 'found'), { BACKUP_DIR: join(folder, 'backups') });
/** `careless`: a bank that ran without its backup folder for some time. `copy`: a data directory to restore that bank to. */
const careless = testSettings(join(folder, 'careless'), { BACKUP_DIR: join(folder, 'holed') });
const copy = testSettings(join(folder, 'copy'), { BACKUP_DIR: join(folder, 'holed') });
/** A new bank whose backup folder is that of another bank. */
const empty = testSettings(join(folder, 'empty'), {
  BACKUP_DIR: join(folder, 'holed'),
  WORKERS: '2',
  LOG_LEVEL: 'info',
});

afterAll(async () => {
  await stopAll([lost, found, careless, copy, empty].map(({ DATA_DIR }) => DATA_DIR!));
  removeFolder(folder);
});

async function command(name: string, args: string[], settings: Settings): Promise<string> {
  const { code, output } = await run(process.execPath, [`src/server/commands/${name}.ts`, ...args], settings);
  expect(code, output).toBe(0);
  return output;
}

/** Calls a bank as its administrator. */
async function asAdmin(url: string) {
  const login = await retryWhileBusy(() => callAt(url, adminApi.adminLogin, { body: firstAdmin }));
  const { token } = login.body.data;
  return <E extends Endpoint>(endpoint: E, asked: CallOptions = {}) =>
    retryWhileBusy(() => callAt(url, endpoint, { token, ...asked }));
}
type Admin = Awaited<ReturnType<typeof asAdmin>>;

/** Registers and approves a customer. */
async function addCustomer(url: string, admin: Admin, firstName: string) {
  const body = registrationForm({ firstName, email: `${firstName.toLowerCase()}@quist.example` });
  const registered = await retryWhileBusy(() => callAt(url, authApi.register, { body }));
  const { _id, email } = registered.body.data;
  await admin(adminApi.approve, { params: { id: _id } });
  const { accountNumber } = (await admin(adminApi.user, { params: { id: _id } })).body.data;
  return { _id, email, accountNumber };
}

async function credit(admin: Admin, userAccountNumber: string, amount: number): Promise<string> {
  const body = { userAccountNumber, amount, description: 'Gift' };
  const answer = await admin(adminApi.credit, { body, headers: { 'idempotency-key': randomUUID() } });
  expect(answer.status).toBe(201);
  return '_id' in answer.body.data ? answer.body.data._id : '';
}

async function subjectsTo(url: string, email: string): Promise<string[]> {
  const answer = await fetch(`${url}/dev/inbox.json?to=${email}`);
  return ((await answer.json()) as { subject: string }[]).map(({ subject }) => subject);
}

async function query<Row extends pg.QueryResultRow>(
  settings: Settings,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const embedded = await openEmbedded({ dataDir: settings.DATA_DIR! });
  const client = new pg.Client(embedded.connection);
  await client.connect();
  const { rows } = await client.query<Row>(text, values);
  await client.end();
  await embedded.stop();
  return rows;
}

test('a lost bank is restored to a point in time, held, and released without sending anything again; a customer who was erased after that time stays unreadable [RC-46, RC-47, KY-21]', async () => {
  const server = await startServer(lost);
  const admin = await asAdmin(server.url);
  const nora = await addCustomer(server.url, admin, 'Nora');
  await credit(admin, nora.accountNumber, 100);
  expect(await command('backup', [], lost)).toContain('is complete');

  // Everything from here on is only in the copied log.
  const dora = await addCustomer(server.url, admin, 'Dora');
  const ben = await addCustomer(server.url, admin, 'Ben');
  const credited = await credit(admin, nora.accountNumber, 5);
  await eventually(async () => ((await subjectsTo(server.url, nora.email)).length >= 4 ? true : undefined));
  // A mail that is waiting at `at`, the time that will be restored. The lost bank sends it after that time.
  await query(
    lost,
    "INSERT INTO transfer_mails (transaction_ids, step, due_at) VALUES (ARRAY[$1::uuid], 1, now() + interval '1 hour')",
    [credited],
  );
  // A push notification that is also waiting at `at`.
  await query(
    lost,
    `WITH device AS (
       INSERT INTO push_devices (id, account_id, endpoint, p256dh, auth, device, money, security, shows_amounts)
       SELECT gen_random_uuid(), id, 'https://push.example/1', 'key', 'secret', 'Firefox', true, true, true
         FROM ledger_accounts WHERE number = $1
       RETURNING id)
     INSERT INTO pushes (device_id, notification_id, due_at)
     SELECT id, gen_random_uuid(), now() + interval '1 hour' FROM device`,
    [ben.accountNumber],
  );
  const [now] = await query<{ at: Date }>(lost, 'SELECT clock_timestamp() AS at');
  const at = now!.at.toISOString();
  await query(lost, 'UPDATE transfer_mails SET due_at = now()');
  await addCustomer(server.url, admin, 'Cora');
  const [picture] = await query<{ name: string }>(
    lost,
    'SELECT avatar_file AS name FROM customers WHERE id = $1',
    [dora._id],
  );
  const keyOf = (place: string, { _id }: { _id: string }) => join(folder, place, 'keys', _id.slice(-2), _id);
  // Wait until Dora's picture and key are in the backup, then delete her account.
  await eventually(() => (existsSync(keyOf('backups', dora)) ? true : undefined));
  expect((await admin(adminApi.deleteUser, { params: { id: dora._id } })).status).toBe(200);
  expect(existsSync(keyOf('lost', dora))).toBe(false);
  await eventually(async () => ((await subjectsTo(server.url, nora.email)).length >= 5 ? true : undefined));
  const archived = () =>
    JSON.parse(readFileSync(join(folder, 'backups', 'wal', 'archived.json'), 'utf8')) as { until: string };
  await eventually(() => (archived().until > at ? true : undefined));
  await eventually(() => (existsSync(keyOf('backups', dora)) ? undefined : true));
  expect(existsSync(keyOf('backups', ben))).toBe(true);
  const database = Number(
    readFileSync(join(lost.DATA_DIR!, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0],
  );
  for (const pid of [server.pid, database]) process.kill(pid, 'SIGKILL');
  await waitForExit([server.pid, database], waitLimitMs);
  rmSync(lost.DATA_DIR!, { recursive: true });
  // Dora's picture can't be read, as on a broken disk. Everything else must be restored.
  const pictures = join(folder, 'backups', 'files');
  const broken = readdirSync(pictures, { recursive: true, encoding: 'utf8' }).find(path =>
    path.endsWith(picture!.name),
  )!;
  rmSync(join(pictures, broken));
  mkdirSync(join(pictures, broken));

  const restoring = await command('restore', ['--to', at], found);
  expect(restoring).toContain(`Restored ${found.DATA_DIR} to ${at}`);
  expect(restoring).toMatch(
    new RegExp(`^The backup has no keys of these customers\\. .*:\n  ${dora._id}$`, 'm'),
  );
  expect(restoring).toContain(`1 picture is missing from the backup or can’t be read:\n  ${picture!.name}\n`);
  expect(await command('ledger', ['verify'], found)).toContain('The books are true');
  const restored = await startServer(found);
  const again = await asAdmin(restored.url);
  const { users } = (await again(adminApi.users)).body.data;
  expect(users.map(({ firstName }) => firstName).sort()).toEqual(['Ben', 'Dora', 'Nora']);
  expect(users.find(({ _id }) => _id === nora._id)!.balance).toBe(105);
  // The other two pictures are restored. Dora's key is not, because she was erased.
  const files = readdirSync(join(found.DATA_DIR!, 'files'), { recursive: true, encoding: 'utf8' });
  expect(files.filter(name => name.endsWith('.webp'))).toHaveLength(2);
  for (const { _id, avatar } of users)
    expect((await fetch(`${restored.url}${avatar.url}`)).status).toBe(_id === dora._id ? 404 : 200);

  const deleted = await again(adminApi.deleteUser, { params: { id: ben._id } });
  expect([deleted.status, deleted.body.code]).toEqual([409, 'CONFLICT']);
  await credit(again, nora.accountNumber, 1);
  expect(await query(found, 'SELECT due_at::text FROM transfer_mails ORDER BY id')).toHaveLength(2);
  expect(await query(found, 'SELECT FROM push_devices')).toHaveLength(1);
  expect(await query(found, 'SELECT FROM pushes')).toEqual([]);
  expect(await subjectsTo(restored.url, nora.email)).toEqual([]);

  expect(await command('restore', ['--release'], found)).toContain('The bank is released');
  // The mail about the new credit is the only one.
  await eventually(async () => {
    const rows = await query(
      found,
      'SELECT FROM transfer_mails UNION ALL SELECT FROM graphile_worker._private_jobs',
    );
    return rows.length === 0 ? true : undefined;
  });
  expect(await subjectsTo(restored.url, nora.email)).toHaveLength(1);
  for (const { _id } of [ben, dora])
    expect((await again(adminApi.deleteUser, { params: { id: _id } })).status).toBe(200);
});

test('a restore to a time outside of the backup says which time is possible, and nothing is restored under a running server [RC-46]', async () => {
  const run_ = (args: string[]) => run(process.execPath, ['src/server/commands/restore.ts', ...args], found);
  const late = await run_(['--to', '2999-01-01T00:00:00Z']);
  expect(late.output).toMatch(
    /^The backup reaches until 20\d\d-\S+Z\. Choose that time or an earlier one\.$/m,
  );
  const early = await run_(['--to', '2020-01-01T00:00:00Z']);
  expect(early.output).toMatch(/^The oldest backup ends at 20\d\d-\S+Z\. Choose a later time\.$/m);
  const running = await run_(['--to', 'newest']);
  expect(running.output).toMatch(/is using .*Stop it first/);
  expect([late.code, early.code, running.code]).toEqual([1, 1, 1]);
});

type Archived = { until: string; gap?: { after: string } };
const holed = (): Archived =>
  JSON.parse(readFileSync(join(folder, 'holed', 'wal', 'archived.json'), 'utf8')) as Archived;
const restoreTo = (to: string, settings: Settings) =>
  run(process.execPath, ['src/server/commands/restore.ts', '--to', to], settings);

test('after the server ran without its backup folder, a restore refuses the times that the copied log does not cover, until there is a new backup; a restore to a time before a rotation has both secrets [RC-50, KY-06]', async () => {
  const stop = async (server: Awaited<ReturnType<typeof startServer>>) => {
    server.signal('SIGTERM');
    await server.ended;
  };
  const first = await startServer(careless);
  await command('backup', [], careless);
  await stop(first);
  const covered = holed().until;
  const without = await startServer({ ...careless, BACKUP_DIR: undefined });
  for (let i = 0; i < 3; i++) {
    await query(careless, 'SELECT pg_switch_wal(), pg_current_xact_id()');
    await query(careless, 'CHECKPOINT');
  }
  await stop(without);
  const drop = await run(process.execPath, ['src/server/commands/secrets.ts', 'drop'], careless);
  expect([drop.code, drop.output]).toEqual([0, expect.stringContaining('deleted from DATA_DIR: 0')]);
  expect(drop.output).not.toContain('Restart');
  await command('secrets', ['rotate'], careless);
  const again = await startServer(careless);
  const early = await run(process.execPath, ['src/server/commands/secrets.ts', 'drop'], careless);
  expect([early.code, early.output]).toEqual([1, expect.stringContaining('still needed for')]);
  await command('secrets', ['rewrap'], careless);
  const dropped = await command('secrets', ['drop'], careless);
  expect(dropped).toContain('deleted from DATA_DIR: 1');
  expect(dropped).toContain('Restart every server');
  await eventually(() => (holed().until > covered ? true : undefined));
  await eventually(() => (again.output().includes('has a gap: run npm run backup') ? true : undefined));
  expect(holed().gap?.after).toBe(covered);

  const refused = await restoreTo('newest', copy);
  expect(refused.output).toContain(`The copied log has a gap after ${covered}`);
  expect(refused.code).toBe(1);
  // `covered` is before the rotation, so the restored rows need the former secret; people's keys need the current one.
  const secretsFile = (place: string) => readFileSync(join(folder, place, 'secrets', 'app-secret'), 'utf8');
  await eventually(() => (secretsFile('holed') === secretsFile('careless') ? true : undefined));
  const reached = await restoreTo(covered, copy);
  expect(reached.code, reached.output).toBe(0);
  expect(secretsFile('copy').split('\n')).toHaveLength(3);
  expect(await command('ledger', ['verify'], copy)).toContain('The books are true');
  expect(await command('secrets', ['status'], copy)).toMatch(/^passwords: 1 depend/m);

  const drafts = ['old.draft', 'young.draft'].map(name => join(folder, 'holed', 'base', name));
  for (const draft of drafts) mkdirSync(draft);
  utimesSync(drafts[0]!, 0, 0);
  await command('backup', [], careless);
  expect(drafts.map(existsSync)).toEqual([false, true]);
  await query(careless, "CREATE TABLE written_last AS SELECT 'by the stop' AS copied");
  await stop(again);
  const { code, output } = await restoreTo('newest', copy);
  expect(code, output).toBe(0);
  expect(output).toContain(`Restored ${copy.DATA_DIR} to ${holed().until}`);
  expect(output).toMatch(/^What was there before is in .*before-restore-/m);
  expect(await query(copy, 'SELECT copied FROM written_last')).toEqual([{ copied: 'by the stop' }]);
});

test('a bank on an empty disk, with several workers and the backups of another bank, does not serve [RC-46]', async () => {
  const { code, output } = await run(process.execPath, ['src/server/main.ts'], empty);
  expect(output).toContain('The bank could not start.\nBACKUP_DIR has backups of another bank.');
  expect(output).not.toContain('Server listening');
  expect(code).toBe(1);
});

test('a restore that fails leaves the data directory and its books as they were [RC-50]', async () => {
  const wal = join(folder, 'holed', 'wal');
  const last = readdirSync(wal)
    .filter(name => name.endsWith('.partial.gz'))
    .sort()
    .at(-1)!;
  rmSync(join(wal, last));
  const before = readdirSync(careless.DATA_DIR!).sort();
  const { code, output } = await restoreTo('newest', careless);
  expect(output).toMatch(/^Nothing was restored\.$/m);
  expect(code).toBe(1);
  expect(readdirSync(careless.DATA_DIR!).sort()).toEqual(before);
  expect(await command('ledger', ['verify'], careless)).toContain('The books are true');
});
