/**
 * What happens to a stored picture whose row was refused or may have been committed, and to a bank whose file store is down.
 */
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { authApi } from '#contract/auth.ts';
import { Refusal } from '#contract/errors.ts';
import { settingsApi } from '#contract/settings.ts';
import { transferApi } from '#contract/transfer.ts';
import { openBank } from '#server/bank.ts';
import { newId } from '#server/base/uuid.ts';
import { type FileStore, openFileStore } from '#server/outside/files.ts';
import { encodeIdCard } from '#server/outside/images.ts';
import { openFolderStore } from '#server/outside/objectStore.ts';
import { callAt, registrationForm } from '../../../tests/call.ts';
import { cloneDatabase, type TestDatabase, testKeys } from '../../../tests/database.ts';
import { startS3Server } from '../../../tests/s3Server.ts';
import { eventually, openTestBank } from '../../../tests/server.ts';
import { becomesReady } from '../../../tests/waiting.ts';
import { storePictures } from './storedPictures.ts';

let testDatabase: TestDatabase;
let root: string;
let files: FileStore;
beforeAll(async () => {
  testDatabase = await cloneDatabase();
  root = mkdtempSync(join(tmpdir(), 'larkspur-kept-'));
  files = openFileStore(openFolderStore(root), testKeys);
});
afterAll(async () => {
  await testDatabase.drop();
  rmSync(root, { recursive: true, force: true });
});

/** The stored bytes of a picture after `write` failed with this error. */
async function leftAfter(error: Error): Promise<Buffer | undefined> {
  let name = '';
  const storing = storePictures(
    { database: testDatabase.database, files },
    { personId: newId(), pictures: [{ bytes: Buffer.from('a picture'), kind: 'avatar' }] },
    ([stored]) => {
      name = stored!;
      return Promise.reject(error);
    },
  );
  await expect(storing).rejects.toBe(error);
  return await files.read(name);
}

test('a picture whose row was refused is removed', async () => {
  expect(await leftAfter(new Refusal('CONFLICT'))).toBeUndefined();
});

test.each([
  ['a query timeout', new Error('Query read timeout')],
  ['a busy refusal', new Refusal('BUSY', { waitTime: 2 })],
])('after %s the row may still be committed, so the picture stays', async (_, error) => {
  expect(await leftAfter(error)).toEqual(Buffer.from('a picture'));
});

test('while the file store does not answer, pictures and registrations are refused as busy; logins and payments work [VS-07]', async () => {
  const store = await startS3Server();
  const bank = await openTestBank(store.settings);
  const [nora, ben] = [await bank.customer({ dollars: 50 }), await bank.customer({ firstName: 'Ben' })];
  const { avatar } = (await bank.call(authApi.profile, { token: nora.token })).body.data;
  const answered = async (path: string) => (await fetch(bank.url + path)).status;
  expect(await answered(avatar.url)).toBe(200);
  const folders = new Set([...store.objects.keys()].map(key => key.split('/')[2]));
  expect([folders.has('files'), folders.has('keys')]).toEqual([true, true]);
  expect(bank.bank.parts.store.answers()).toBe(true);
  for (const state of ['down', 'closed', 'hangs'] as const) {
    store.state = state;
    expect(await answered(avatar.url)).toBe(503);
    const refused = await callAt(bank.url, authApi.register, { body: registrationForm({}) });
    expect([refused.status, refused.body.code]).toEqual([503, 'BUSY']);
    const body = { receiverAccountNumber: ben.accountNumber, amount: 1, description: state };
    expect(
      (await bank.call(transferApi.sendInternal, { body, token: await bank.login(nora.email) })).status,
    ).toBe(201);
    await becomesReady(bank.url);
    expect(await (await fetch(`${bank.url}/metrics`)).text()).toContain('larkspur_file_store_answers 0');
  }
  store.state = 'up';
  expect(await eventually(async () => (await answered(avatar.url)) === 200 || undefined)).toBe(true);
  expect(await (await fetch(`${bank.url}/metrics`)).text()).toContain('larkspur_file_store_answers 1');
  await bank.close();
  await store.close();
});

test('while the folder of keys is lost, the metric of the file store shows it, and a registration is refused as busy [KY-24, VS-07]', async () => {
  const bank = await openTestBank();
  const keys = join(bank.bank.parts.config.dataDir, 'keys');
  const saysThat = (value: number) =>
    eventually(async () => {
      const text = await (await fetch(`${bank.url}/metrics`)).text();
      return text.includes(`larkspur_file_store_answers ${value}\n`) || undefined;
    });
  await saysThat(1);
  renameSync(keys, `${keys}-unmounted`);
  await saysThat(0);
  const refused = await callAt(bank.url, authApi.register, { body: registrationForm({}) });
  expect([refused.status, refused.body.code]).toEqual([503, 'BUSY']);
  renameSync(`${keys}-unmounted`, keys);
  await saysThat(1);
  await bank.close();
});

test('a start that cannot check whose pictures these are says why, and does not say that they belong to another bank [AC-30]', async () => {
  const bank = await openTestBank();
  const { config, publicUrl } = bank.bank.parts;
  const owner = join(config.dataDir, 'files', 'bank-id');
  rmSync(owner);
  mkdirSync(owner);
  const lines: string[] = [];
  const log = pino({ level: 'error' }, { write: line => void lines.push(line) });
  const started = await openBank({ ...config, jobs: false }, bank.test.connection, publicUrl, log);
  expect(lines.map(line => JSON.parse(line))).toMatchObject([
    {
      msg: 'whether the pictures belong to this bank could not be checked',
      reason: 'EISDIR: illegal operation on a directory, read',
    },
  ]);
  await started.stop();
  await bank.close();
});

test('one person with many accounts does not fill the queue for pictures, so a customer elsewhere can still upload one [C-42]', async () => {
  const bank = await openTestBank({ TRUST_PROXY: '127.0.0.1' });
  const plain = (side: number) =>
    sharp({ create: { width: side, height: side, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();
  const small = await plain(32);
  const upload = async (address: string, token: string) => {
    const body = new FormData();
    body.append('avatar', new Blob([small], { type: 'image/png' }), 'me.png');
    const headers = { 'x-forwarded-for': address };
    return (await callAt(bank.url, settingsApi.uploadAvatar, { body, token, headers })).status;
  };
  try {
    const nora = await bank.seeded();
    const accounts = await Promise.all(Array.from({ length: 45 }, () => bank.seeded()));
    const large = await plain(3000);
    // Visitors' pictures take both slots, and more of them wait.
    const running = Promise.allSettled(Array.from({ length: 6 }, () => encodeIdCard(large)));
    const flood = accounts.map((one, n) => upload(`2001:db8:0:${n}::1`, one.token));
    await Promise.any(flood.map(async sent => expect(await sent).toBe(503)));
    expect(await upload('192.0.2.1', nora.token)).toBe(200);
    await Promise.all([...flood, running]);
  } finally {
    await bank.close();
  }
});
