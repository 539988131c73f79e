/**
 * Identification data that a bank with RETENTION_YEARS keeps: sealed, opened only by auditors, erased when its time is over.
 */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { adminApi } from '#contract/admin.ts';
import { adminCustomersApi } from '#contract/adminCustomers.ts';
import { authApi } from '#contract/auth.ts';
import { recordsApi } from '#contract/records.ts';
import { retainedApi } from '#contract/retained.ts';
import { settingsApi } from '#contract/settings.ts';
import { customerPassword } from '../../../tests/call.ts';
import { eventually, openTestBank, type TestBank, type TestCustomer } from '../../../tests/server.ts';
import { cleanUp } from '../jobs/cleanUp.ts';
import { openFolderStore } from '../outside/objectStore.ts';
import { openPersonKeys, personKeyPath } from '../outside/personKeys.ts';
import { createAdmin } from '../people/admins.ts';
import { isErased } from '../people/erasing.ts';
import { refuseUnfitStore } from '../people/lostKeys.ts';

let bank: TestBank;
let auditor: string;
beforeAll(async () => {
  bank = await openTestBank({ RETENTION_YEARS: '5' });
  const login = { email: 'aud@bank.example', password: 'a quiet river stone' };
  await createAdmin(bank.bank.parts, { ...login, name: 'Aud', role: 'auditor' });
  auditor = (await bank.call(adminApi.adminLogin, { body: login })).body.data.token;
});
afterAll(() => bank.close());

const open = (token: string, id: string, reason = 'Request of the prosecutor, file 12') =>
  bank.call(retainedApi.openRetained, { token, params: { id }, body: { reason } });
const close = ({ token }: { token: string }) =>
  bank.call(settingsApi.deleteAccount, { token, body: { password: customerPassword } });
const owner = (text: string, values: unknown[] = []) => bank.test.database.ownerPool.query(text, values);
const retained = async () =>
  (
    await owner(
      'SELECT customer_id, key_id, sealed, erase_after - closed_at AS kept FROM retained_identities',
    )
  ).rows;
const hasKey = (id: string) => existsSync(join(bank.bank.parts.config.dataDir, 'keys', personKeyPath(id)));

test('retained data identifies a closed customer; only an auditor can open it, which is audited with the reason; it is erased on time [KY-22, KY-40, KY-41, KY-42]', async () => {
  const nora = await bank.customer();
  const { years } = (await bank.call(retainedApi.retention, { token: nora.token })).body.data;
  expect(years).toBe(5);
  expect((await close(nora)).status).toBe(200);
  const mail = await eventually(() =>
    bank.bank.parts.inbox!.list(nora.email).find(({ subject }) => subject.includes('closed')),
  );
  expect(mail.text.replace(/\s+/g, ' ')).toContain('keep what identifies you for 5 years');
  const [row] = await retained();
  expect(row.sealed.toString('latin1')).not.toMatch(/Nora|quist/);
  expect(hasKey(row.key_id)).toBe(true);
  expect(hasKey(nora._id)).toBe(false);
  // A bank that has retained data must not start if its folder of keys is missing.
  const { database, config, secrets } = bank.bank.parts;
  const store = openFolderStore(join(config.dataDir, 'elsewhere'));
  const keys = openPersonKeys(store, secrets.personKey, { bankId: 'another' });
  await expect(refuseUnfitStore({ config, database, store, keys })).rejects.toThrow('keys is missing');

  const deletion = async (token: string) => {
    const query = { search: nora.accountNumber, action: 'customer.deleted' };
    return (await bank.call(adminApi.auditLog, { token, query })).body.data.records[0]!;
  };
  const opened = await open(auditor, nora._id);
  expect(await deletion(auditor)).toMatchObject({
    subject: nora._id,
    retainedUntil: opened.body.data.eraseAfter,
  });
  expect(opened.body.data).toMatchObject({ firstName: 'Nora', email: nora.email });
  expect(Date.parse(opened.body.data.eraseAfter)).toBeGreaterThan(Date.now() + 4.9 * 365 * 86_400_000);
  expect((await open(await bank.adminToken(), nora._id)).body.code).toBe('FORBIDDEN');
  expect((await open(auditor, nora._id, ' ')).status).toBe(400);
  const records = await owner(
    "SELECT data FROM audit_log WHERE action = 'retained.opened' AND subject = $1",
    [nora._id],
  );
  expect(records.rows).toEqual([{ data: { reason: 'Request of the prosecutor, file 12' } }]);

  await cleanUp(bank.bank.parts);
  expect((await open(auditor, nora._id)).status).toBe(200);
  await owner("UPDATE retained_identities SET erase_after = now() - interval '1 minute'");
  expect((await open(auditor, nora._id)).status).toBe(404);
  expect(await deletion(auditor)).not.toHaveProperty('retainedUntil');
  await cleanUp(bank.bank.parts);
  expect(await retained()).toMatchObject([{ customer_id: nora._id, sealed: null }]);
  expect(hasKey(row.key_id)).toBe(false);
});

test('if a key cannot be erased or a step of the clean-up fails, the data of other customers is erased all the same [KY-42]', async () => {
  const { parts } = bank.bank;
  const people = [await bank.customer(), await bank.customer(), await bank.customer()];
  for (const person of people) await close(person);
  const due = (await retained()).filter(({ sealed }) => sealed);
  expect(due).toHaveLength(3);
  const held = due[0].key_id;
  // After `npm run secrets -- rewrap` has written a key, it erases the key again if `isErased` returns true.
  expect(await isErased(parts.database.reader, held)).toBe(false);
  await owner("UPDATE retained_identities SET erase_after = now() - interval '1 minute'");
  expect(await isErased(parts.database.reader, held)).toBe(true);

  const keys = {
    ...parts.keys,
    async erase(id: string) {
      if (id === held) throw new Error('EACCES');
      await parts.keys.erase(id);
    },
  };
  const rail = {
    ...parts.rail,
    async deleteBefore(): Promise<number> {
      throw new Error('EACCES');
    },
  };
  await cleanUp({ ...parts, keys, rail });
  const left = (await retained()).filter(({ sealed }) => sealed);
  expect(left.map(({ key_id }) => key_id)).toEqual([held]);
  await cleanUp(parts);
  expect((await retained()).filter(({ sealed }) => sealed)).toEqual([]);
  expect(due.map(({ key_id }) => hasKey(key_id))).toEqual([false, false, false]);
});

test('nothing is retained about an applicant who was never approved [KY-40]', async () => {
  const applicant = await bank.customer({ approved: false });
  const token = await bank.adminToken();
  expect((await bank.call(adminApi.deleteUser, { token, params: { id: applicant._id } })).status).toBe(200);
  expect((await retained()).map(({ customer_id }) => customer_id)).not.toContain(applicant._id);
  expect((await open(auditor, applicant._id)).status).toBe(404);
});

test('if the owner of a mailbox removes a registration that staff had approved, its data is retained, and the record of the removal leads to it [KY-40, KY-41]', async () => {
  const body = bank.form();
  const registered = (await bank.call(authApi.register, { body })).body.data;
  const token = await bank.adminToken();
  await bank.call(adminApi.approve, { token, params: { id: registered._id } });
  const mailed = await eventually(() =>
    bank.bank.parts
      .inbox!.list(registered.email)
      .map(mail => /\/not-me#([\w-]{64})/.exec(mail.text)?.[1])
      .find(Boolean),
  );
  expect((await bank.call(authApi.removeRegistration, { body: { token: mailed } })).status).toBe(200);
  const opened = await open(auditor, registered._id);
  expect(opened.body.data).toMatchObject({ firstName: body.get('firstName'), email: registered.email });
  const query = { action: 'registration.removed' } as const;
  const { records } = (await bank.call(adminApi.auditLog, { token: auditor, query })).body.data;
  expect(records).toMatchObject([{ subject: registered._id, retainedUntil: opened.body.data.eraseAfter }]);
});

test('while the disk of the keys is not mounted, an account whose data must be retained cannot be closed; afterward, it can [KY-40]', async () => {
  const nora = await bank.customer();
  const folder = join(bank.bank.parts.config.dataDir, 'keys');
  renameSync(folder, `${folder}-mounted`);
  mkdirSync(folder);
  const refused = await close(nora);
  expect([refused.status, refused.body.code]).toEqual([503, 'BUSY']);
  rmSync(folder, { recursive: true });
  renameSync(`${folder}-mounted`, folder);
  const before = (await retained()).length;
  expect((await close(nora)).status).toBe(200);
  expect(await retained()).toHaveLength(before + 1);
});

const picture = () => {
  const body = new FormData();
  body.append('avatar', bank.form().get('avatar')!);
  return body;
};
type Nora = TestCustomer;
const upload = async ({ token }: Nora) =>
  expect((await bank.call(settingsApi.uploadIdCard, { token, body: picture() })).status).toBe(200);
const giveBirth = async ({ token }: Nora, dateOfBirth: string) =>
  expect(
    (await bank.call(settingsApi.updateIdentity, { token, body: { dateOfBirth, city: 'Hudson' } })).status,
  ).toBe(200);
const verify = async ({ _id: id }: Nora) => {
  const request = { token: await bank.adminToken(), params: { id } };
  await bank.call(adminApi.application, request);
  const headers = { authorization: `Bearer ${request.token}` };
  await fetch(`${bank.url}${adminApi.userIdCard.path.replace('{id}', id)}`, { headers });
  expect((await bank.call(adminApi.verifyId, request)).status).toBe(200);
};
const rename = async ({ _id: id }: Nora, lastName: string) => {
  const body = { lastName, reason: 'Saw the marriage certificate' };
  const request = { token: await bank.adminToken(), params: { id }, body };
  expect((await bank.call(adminCustomersApi.changeCustomer, request)).status).toBe(200);
};

const replaced = async ({ _id }: Nora): Promise<{ sealed: Buffer }[]> =>
  (await owner('SELECT sealed FROM replaced_identities WHERE customer_id = $1', [_id])).rows;

test('a verified identity that is replaced before the account is closed is retained, too, and the auditor opens both [KY-40, KY-41, KY-42]', async () => {
  const nora = await bank.customer();
  await giveBirth(nora, '1980-02-03');
  await upload(nora);
  // This document was never verified.
  await upload(nora);
  await verify(nora);
  await upload(nora);
  await giveBirth(nora, '1955-01-01');
  await verify(nora);
  await rename(nora, 'Okafor');
  await upload(nora);
  // While the account is open, no one can open the data.
  const stored = (await replaced(nora)).map(({ sealed }) => sealed.toString('latin1'));
  expect(stored).toEqual([expect.not.stringContaining('Quist'), expect.not.stringContaining('Quist')]);
  expect((await open(auditor, nora._id)).status).toBe(404);
  expect((await close(nora)).status).toBe(200);
  const { earlier, ...last } = (await open(auditor, nora._id)).body.data;
  const idDocument = expect.stringMatching(/^[\w+/=]+$/);
  const replacedAt = expect.any(String);
  const verified = { isVerified: true, isDateOfBirthVerified: true, idDocument, replacedAt };
  expect(earlier).toMatchObject([
    { ...verified, lastName: 'Quist', dateOfBirth: '1980-02-03' },
    { ...verified, lastName: 'Quist', dateOfBirth: '1955-01-01' },
  ]);
  expect(last).toMatchObject({
    isVerified: false,
    isDateOfBirthVerified: false,
    idDocument,
    lastName: 'Okafor',
  });
  expect(last).not.toHaveProperty('replacedAt');
  // They are in the same row, whose time begins at the closing.
  expect(await replaced(nora)).toEqual([]);
});

test('if nothing must be retained when the account is closed, a verified identity from before a change is erased [KY-40]', async () => {
  const nora = await bank.customer();
  await upload(nora);
  await verify(nora);
  await upload(nora);
  const { config } = bank.bank.parts;
  config.retentionYears = 0;
  onTestFinished(() => {
    config.retentionYears = 5;
  });
  await verify(nora);
  await upload(nora);
  expect(await replaced(nora)).toHaveLength(1);
  expect((await close(nora)).status).toBe(200);
  expect(await replaced(nora)).toEqual([]);
  expect((await open(auditor, nora._id)).status).toBe(404);
});

test('of an applicant who is not approved yet, a verified identity is not kept when it is replaced [KY-40]', async () => {
  const nora = await bank.customer({ approved: false });
  await upload(nora);
  await verify(nora);
  await upload(nora);
  await rename(nora, 'Okafor');
  expect(await replaced(nora)).toEqual([]);
});

test('if the key of a replaced identity was lost, the account can still be closed [KY-40]', async () => {
  const nora = await bank.customer();
  await upload(nora);
  await verify(nora);
  await upload(nora);
  await bank.bank.parts.keys.erase(nora._id);
  expect((await close(nora)).status).toBe(200);
  expect((await open(auditor, nora._id)).body.data).not.toHaveProperty('earlier');
});

test('a customer whose key was lost and replaced can be renamed, upload a new ID document and close the account; the former ID document is missing, with a warning, and does not count as viewed [A-50, KY-20, KY-40]', async () => {
  const nora = await bank.customer();
  const { keys, log } = bank.bank.parts;
  const loseKey = async () => {
    await upload(nora);
    await verify(nora);
    await keys.erase(nora._id);
    await keys.obtain(nora._id);
  };
  const get = async (path: string, token: string) =>
    (await fetch(bank.url + path, { headers: { authorization: `Bearer ${token}` } })).status;
  await loseKey();
  const warn = vi.spyOn(log, 'warn');
  expect(await get(settingsApi.ownIdCard.path, nora.token)).toBe(404);
  expect(warn).toHaveBeenCalledOnce();
  expect(JSON.stringify(warn.mock.calls)).not.toContain(nora._id);
  warn.mockRestore();
  const staffPath = adminApi.userIdCard.path.replace('{id}', nora._id);
  expect(await get(staffPath, await bank.adminToken())).toBe(404);
  const { rows } = await bank.test.database.ownerPool.query(
    `SELECT FROM audit_log WHERE subject = $1 AND action = 'customer.id-viewed'`,
    [nora._id],
  );
  expect(rows, 'only the view before the key was lost').toHaveLength(1);
  expect(await get(recordsApi.everything.path, nora.token)).toBe(200);
  await rename(nora, 'Okafor');
  await loseKey();
  await upload(nora);
  await loseKey();
  expect((await close(nora)).status).toBe(200);
  expect((await open(auditor, nora._id)).body.data).not.toHaveProperty('idDocument');
});
