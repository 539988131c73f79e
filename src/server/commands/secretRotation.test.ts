/**
 * The rotation of APP_SECRET on a bank with people. A bank does not start without a secret that it needs. Former secrets are
 * needed until `npm run secrets -- rewrap`, and can be destroyed afterward.
 */
import { randomUUID } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminApi } from '#contract/admin.ts';
import { authApi } from '#contract/auth.ts';
import { factorsApi } from '#contract/factors.ts';
import { limitsApi } from '#contract/limits.ts';
import { staffApi } from '#contract/staff.ts';
import { transactionsApi } from '#contract/transactions.ts';
import { appCode } from '../../../tests/authenticator.ts';
import { callAt, customerPassword, registrationForm } from '../../../tests/call.ts';
import { openTestBank, type TestBank, type TestCustomer } from '../../../tests/server.ts';
import { runCommand } from '../../../tests/serverProcess.ts';
import { eventually } from '../../../tests/waiting.ts';
import { type Bank, openBank } from '../bank.ts';
import { keyIdOf } from '../base/keys.ts';
import { SettingsError } from '../config.ts';
import { enqueueJob } from '../jobs/queue.ts';
import { sealRecords } from '../ledger/sealing.ts';
import { verifyBooks } from '../ledger/verify.ts';
import { personKeyPath } from '../outside/personKeys.ts';
import { decryptAddressee, encryptAddressee } from '../people/addressee.ts';
import { makeFreezeToken } from '../people/freezeLink.ts';
import { encryptHashesAgain } from '../people/passwordHashes.ts';

const [former, current, unused] = ['first', 'second', 'third'].map(
  name => `the ${name} secret of this bank with many letters`,
) as [string, string, string];

let place: TestBank;
let running: Bank;
let url: string;
let nora: TestCustomer & { app: string; recoveryCodes: string[] };
let pending: TestCustomer;

beforeAll(async () => {
  place = await openTestBank({ APP_SECRET: former });
  ({ bank: running, url } = place);
  const customer = await place.customer({ dollars: 50 });
  const { token } = customer;
  const { secret: app } = (await place.call(factorsApi.startApp, { token })).body.data;
  const confirmed = await place.call(factorsApi.confirmApp, { token, body: { code: appCode(app) } });
  nora = { ...customer, app, recoveryCodes: confirmed.body.data.recoveryCodes };
  pending = await place.customer();
  await sealEverything();
});
afterAll(async () => {
  await running.stop();
  await place.close();
});

const sealEverything = () =>
  eventually(async () => {
    const { database, secrets } = running.parts;
    await sealRecords(database, secrets.sealKey);
    return (await verifyBooks(database.reader)).checked.unsealed === 0 || undefined;
  });
const faults = async () => {
  const { database, secrets } = running.parts;
  return (await verifyBooks(database.reader, { sealKey: secrets.sealKey })).faults;
};

/** Stops the bank and starts it with these secrets. */
async function restart(appSecret: string, ...formerAppSecrets: string[]): Promise<void> {
  await running.stop();
  const { config, publicUrl } = place.bank.parts;
  const log = pino({ level: 'silent' });
  running = await openBank({ ...config, appSecret, formerAppSecrets }, place.test.connection, publicUrl, log);
  url = await running.app.listen({ port: 0, host: '127.0.0.1' });
}

/** `npm run secrets` with these secrets. */
const secrets = (verb: string, ...given: [string, ...string[]]) => command('secrets', [verb], ...given);

const command = (name: string, words: string[], ...[APP_SECRET, ...others]: [string, ...string[]]) =>
  runCommand(
    place.test.connection,
    { DATA_DIR: place.bank.parts.config.dataDir, APP_SECRET, APP_SECRET_PREVIOUS: others.join(',') },
    name,
    ...words,
  );

const balance = async (token: string) => (await callAt(url, transactionsApi.balance, { token })).status;
/** Logs in with the password and a code of the authenticator app or a recovery code. */
async function login(otp: string): Promise<number> {
  const { email } = nora;
  const body = { email, password: customerPassword };
  expect((await callAt(url, authApi.initiateLogin, { body })).status).toBe(200);
  return (await callAt(url, authApi.verifyCode, { body: { email, otp } })).status;
}
/** The tokens of the mailed links that freeze an account, remove a registration and set an administrator's password. */
async function mailedLinks(adminToken: string) {
  const registered = await callAt(url, authApi.register, { body: registrationForm() });
  const email = `iva${registered.body.data._id}@bank.example`;
  const body = { email, name: 'Iva', role: 'viewer' };
  expect((await callAt(url, staffApi.inviteMember, { token: adminToken, body })).status).toBe(201);
  const tokenIn = (to: string, pattern: RegExp) =>
    eventually(() => pattern.exec(running.parts.inbox!.list(to)[0]?.text ?? '')?.[1]);
  return {
    freeze: makeFreezeToken({ customerId: pending._id, email: pending.email }, running.parts.secrets.codeKey),
    removal: await tokenIn(registered.body.data.email, /\/not-me#([\w-]+)/),
    password: await tokenIn(email, /\/set-password#(\S+)/),
  };
}
/** Uses the three links and returns the statuses of the answers. */
async function press(links: Awaited<ReturnType<typeof mailedLinks>>): Promise<number[]> {
  const password = { token: links.password, password: 'a quiet river stone' };
  const answers = [
    await callAt(url, limitsApi.freezeByLink, { body: { token: links.freeze } }),
    await callAt(url, authApi.removeRegistration, { body: { token: links.removal } }),
    await callAt(url, staffApi.setAdminPassword, { body: password }),
  ];
  return answers.map(({ status }) => status);
}
/** Runs a statement as the database's owner, even while no bank runs. */
async function owner<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client(place.test.connection as pg.ClientConfig);
  await client.connect();
  const { rows } = await client.query<Row>(text, values);
  await client.end();
  return rows;
}
const forgetSteps = () => owner('UPDATE authenticator_apps SET last_step = 0');
async function picture(): Promise<Buffer> {
  const [row] = await owner<{ name: string }>('SELECT avatar_file AS name FROM customers WHERE id = $1', [
    nora._id,
  ]);
  const answer = await fetch(`${url}/files/avatars/${row!.name}`);
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

test('sessions, passwords, codes, pictures and seals from before a rotation still work after it; after rewrap, the bank works without the former secret, but older sessions and links end [KY-01, KY-02, KY-03, KY-04]', async () => {
  const avatar = await picture();
  const body = { email: pending.email, password: customerPassword };
  expect((await callAt(url, authApi.initiateLogin, { body })).status).toBe(200);
  const otp = await place.mailedCode(pending.email, 1);
  const adminToken = await place.adminToken();
  const [pressedEarly, pressedLate] = [await mailedLinks(adminToken), await mailedLinks(adminToken)];
  const { secrets: before } = running.parts;

  // The newest records are sealed with the former secret too.
  await sealEverything();
  await restart(current, former);
  expect(await balance(nora.token)).toBe(200);
  expect((await callAt(url, authApi.verifyCode, { body: { email: pending.email, otp } })).status).toBe(200);
  expect(await press(pressedEarly)).toEqual([200, 200, 200]);
  const mailedSince = await mailedLinks(adminToken);
  await forgetSteps();
  expect(await login(appCode(nora.app))).toBe(200);
  expect(await login(nora.recoveryCodes[0]!)).toBe(200);
  expect(await picture()).toEqual(avatar);
  // Enqueues a mail as if it had been encrypted before the rotation.
  await running.parts.database.inTransaction(tx => {
    const encryptedAddressee = encryptAddressee({ to: pending.email, name: 'Nora' }, before.codeKey);
    const order = { template: 'account-closed', encryptedAddressee } as const;
    return enqueueJob(tx, 'mail', order, { runAt: new Date(Date.now() + 3_600_000) });
  });
  await sealEverything();
  expect(await faults()).toEqual([]);

  const asked = await secrets('status', current, former);
  expect(asked.output).toMatch(new RegExp(`^${keyIdOf(current)}\tcurrent\tgiven`, 'm'));
  expect(asked.output).toMatch(new RegExp(`^${keyIdOf(former)}\tformer\tgiven`, 'm'));
  expect(asked.output).toContain("people's keys: 3 depend");
  expect(asked.output).toMatch(/^passwords: [1-9]\d* depend/m);
  expect(asked.output).toContain('mails that wait: 1 depend');
  expect(asked.output).toContain('parts of the audit log: 1 depend');
  const done = await secrets('rewrap', current, former);
  expect(done, done.output).toMatchObject({ code: 0 });
  expect((await secrets('status', current)).output.match(/: 0 depend/g)).toHaveLength(4);

  await restart(current);
  expect(await balance(nora.token)).toBe(401);
  await forgetSteps();
  expect(await login(appCode(nora.app))).toBe(200);
  expect(await login(nora.recoveryCodes[1]!)).toBe(200);
  expect(await login(nora.recoveryCodes[0]!)).toBe(401);
  expect(await picture()).toEqual(avatar);
  expect(await press(pressedLate)).toEqual([404, 404, 404]);
  expect(await press(mailedSince)).toEqual([200, 200, 200]);
  await sealEverything();
  expect(await faults()).toEqual([]);
  const [queued] = await owner<{ payload: { encryptedAddressee: string } }>(
    "SELECT payload FROM graphile_worker._private_jobs WHERE payload::text LIKE '%account-closed%'",
  );
  const { codeKey } = running.parts.secrets;
  expect(decryptAddressee(queued!.payload.encryptedAddressee, codeKey).to).toBe(pending.email);
});

test('a server or command without a secret that is still needed is refused, and changes nothing [KY-05]', async () => {
  const role = `larkspur_server_${place.test.connection.database}`;
  const stored = () => owner('SELECT rolpassword FROM pg_authid WHERE rolname = $1', [role]);
  const before = await stored();
  await expect(restart(unused)).rejects.toThrow(SettingsError);
  await expect(restart(unused)).rejects.toThrow(
    `still needs the secret with the id ${keyIdOf(current)}, and the given one has the id ${keyIdOf(unused)}.`,
  );
  expect(await stored()).toEqual(before);
  // A command must not write what no server can read yet.
  const early = await secrets('rewrap', unused, current);
  expect(early.code).toBe(1);
  expect(early.errors).toContain(`No server has started with the secret ${keyIdOf(unused)} yet.`);
  const admin = await command('admin', ['create', 'ida@bank.example'], unused, current);
  expect([admin.code, admin.errors]).toEqual([1, early.errors]);
  const wrong = await secrets('status', unused);
  expect(wrong.code).toBe(1);
  expect(wrong.errors).toContain('APP_SECRET is not the secret of this bank');
  await restart(current);
  expect(
    (await callAt(url, adminApi.adminLogin, { body: { email: 'x@bank.example', password: 'y' } })).status,
  ).toBe(401);
});

test('after everyone has changed their password, a server without the former secret is still refused until rewrap, which names damaged keys and works while no server runs; the new secret then seals alone [KY-02, KY-05, KY-25]', async () => {
  await restart(unused, current);
  const { database, secrets: keys } = running.parts;
  // Encrypts every hash with the new secret, as a change of the password does.
  await encryptHashesAgain(database, keys.pepper);
  await expect(restart(unused)).rejects.toThrow(`still needs the secret with the id ${keyIdOf(current)},`);
  await restart(unused, current);
  await running.stop();
  const file = join(place.bank.parts.config.dataDir, 'keys', personKeyPath(nora._id));
  const whole = readFileSync(file);
  writeFileSync(file, whole.subarray(0, 20));
  const partly = await secrets('rewrap', unused, current);
  expect(partly.code).toBe(1);
  expect(partly.output).toMatch(/^These people's keys in .* cannot be read\./m);
  expect(partly.output).toContain(`\n  ${personKeyPath(nora._id)}: Not encrypted data, or not all of it.\n`);
  expect(partly.output).not.toContain('still depend');
  await expect(restart(unused)).rejects.toThrow(`still needs the secret with the id ${keyIdOf(current)},`);
  writeFileSync(file, whole);
  expect((await secrets('rewrap', unused, current)).code).toBe(0);
  await restart(unused);
  await sealEverything();
  expect(await faults()).toEqual([]);
});

test('a server whose folder of keys is missing, another bank’s or a copy in the wrong place does not start, and makes no new keys [KY-22, KY-24]', async () => {
  const keys = join(place.bank.parts.config.dataDir, 'keys');
  renameSync(keys, `${keys} elsewhere`);
  await expect(restart(unused)).rejects.toThrow(`${keys} is missing.`);
  expect(existsSync(keys)).toBe(false);
  mkdirSync(join(keys, 'owner'), { recursive: true });
  writeFileSync(join(keys, 'owner/bank-ids'), `${randomUUID()}\n`);
  await expect(restart(unused)).rejects.toThrow(`${keys} belongs to another bank`);
  expect(readdirSync(keys)).toEqual(['owner']);
  rmSync(keys, { recursive: true });
  // As `cp -r keys-of-a-backup keys` does if the folder exists.
  cpSync(`${keys} elsewhere`, join(keys, 'keys'), { recursive: true });
  await expect(restart(unused)).rejects.toThrow(`${keys} has people's keys in a wrong folder inside it`);
  expect(readdirSync(keys)).toEqual(['keys']);
  rmSync(keys, { recursive: true });
  renameSync(`${keys} elsewhere`, keys);
  await restart(unused);
  expect((await picture()).length).toBeGreaterThan(0);
});
