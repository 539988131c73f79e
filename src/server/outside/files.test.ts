/** Pictures, people's keys and copies of data: in a folder, and in an S3-compatible store. */
import { execFileSync } from 'node:child_process';
import { createHash, pbkdf2, randomBytes, randomUUID } from 'node:crypto';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { testSecrets } from '../../../tests/database.ts';
import { type S3Server, startS3Server } from '../../../tests/s3Server.ts';
import { eventually } from '../../../tests/waiting.ts';
import { limitDiskCalls } from '../base/diskCalls.ts';
import { DecryptionFailed } from '../base/encryption.ts';
import { type Key, toKey } from '../base/keys.ts';
import { newId, toId } from '../base/uuid.ts';
import { readConfig } from '../config.ts';
import { readStoredHeads, storeHead } from '../jobs/auditHeads.ts';
import { openExportFiles } from './exportFiles.ts';
import { type FileStore, openFileStore } from './files.ts';
import { type ObjectStore, openFolderStore, openStore } from './objectStore.ts';
import { openPersonKeys, type PersonKeys, personKeyPath } from './personKeys.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

let root: string;
let s3: S3Server | undefined;
let store: ObjectStore;
let keys: PersonKeys;
let files: FileStore;
/** The details of the warnings that reading pictures logged. */
let warned: object[];
const personId = newId();
const owner = { bankId: 'one' };
/** A real store for these tests, such as s3://bucket/prefix?…, with the settings of its credentials. */
const realStore = process.env.TEST_FILES_URL;

async function open(kind: 'folder' | 's3'): Promise<void> {
  root = mkdtempSync(join(tmpdir(), 'larkspur-files-'));
  const isReal = kind === 's3' && realStore !== undefined;
  s3 = kind === 's3' && !isReal ? await startS3Server() : undefined;
  const settings = isReal
    ? { ...process.env, FILES_URL: realStore.replace('?', `/${randomUUID()}?`) }
    : { ...s3?.settings };
  const log = { error: () => {}, warn: () => {} };
  store = openStore(readConfig({ ...settings, DATA_DIR: root }), log);
  keys = openPersonKeys(store, testSecrets.personKey, owner);
  await keys.create();
  warned = [];
  files = openFileStore(store, keys, { error: () => {}, warn: details => warned.push(details) });
}
afterEach(async () => {
  await s3?.close();
  rmSync(root, { recursive: true, force: true });
});

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const stored = async (folder = 'files/') => (await all(store.list(folder))).map(({ key }) => key);

describe.each(['folder', 's3'] as const)('a %s', kind => {
  beforeEach(() => open(kind));

  test('gives a picture back unchanged, under an unguessable name [VS-05]', async () => {
    const bytes = Buffer.from('picture');
    const [one, two] = [
      await files.put(bytes, 'avatar', personId),
      await files.put(bytes, 'id-card', personId),
    ];
    expect(one).toMatch(/^avatar-[0-9a-f]{32}\.webp$/);
    expect(two).toMatch(/^id-card-[0-9a-f]{32}\.webp$/);
    expect(one.slice(-37)).not.toBe(two.slice(-37));
    expect(await files.read(one)).toEqual(bytes);
    await files.remove(one);
    await files.remove(one);
    expect(await files.read(one)).toBeUndefined();
    expect(await files.read(two)).toEqual(bytes);
  });

  test('holds pictures that cannot be read without their person’s key, under another name, or after the key was erased [KY-20]', async () => {
    const bytes = Buffer.from('RIFF a picture of Iris');
    const [erased, other] = [
      await files.put(bytes, 'avatar', newId()),
      await files.put(bytes, 'id-card', personId),
    ];
    const keyOf = async (name: string) => (await stored()).find(key => key.endsWith(name))!;
    for (const name of [erased, other])
      expect((await store.get(await keyOf(name)))!.includes(bytes)).toBe(false);
    const moved = `id-card-${'0'.repeat(32)}.webp`;
    await store.put(`files/00/${moved}`, (await store.get(await keyOf(other)))!);
    await expect(files.read(moved)).rejects.toThrow(DecryptionFailed);
    const owner = toId((await store.get(await keyOf(erased)))!.subarray(0, 16));
    await keys.erase(owner);
    expect(await files.read(erased)).toBeUndefined();
    // A new key for the person does not help either. A damaged picture is an error, not a missing one.
    await keys.obtain(owner);
    expect(await files.read(erased)).toBeUndefined();
    expect(warned).toEqual([{ file: erased }]);
    const intact = (await store.get(await keyOf(other)))!;
    const [changed, short] = [Buffer.from(intact), intact.subarray(0, 30)];
    changed[changed.length - 1]! ^= 1;
    for (const damaged of [changed, short]) {
      await store.put(await keyOf(other), damaged);
      await expect(files.read(other)).rejects.toThrow(DecryptionFailed);
    }
    await store.put(await keyOf(other), intact);
    expect(await files.read(other)).toEqual(bytes);
  });

  test('gives no access outside of its folder, whatever the file name', async () => {
    await store.put('secret.webp', Buffer.from('secret'));
    const name = await files.put(Buffer.from('picture'), 'avatar', personId);
    const tried = [
      '../secret.webp',
      '/etc/hostname',
      `../files/${name}`,
      `${name}\0`,
      `${name}/..`,
      name.toUpperCase(),
      '',
      'avatar-.webp',
    ];
    for (const other of tried) expect(await files.read(other), other).toBeUndefined();
  });

  test('keeps a picture readable in quarantine, and lists pictures by their age', async () => {
    expect(await all(files.listBefore(new Date(Date.now() + 60_000)))).toEqual([]);
    const names: string[] = [];
    for (let i = 0; i < 5; i++) names.push(await files.put(Buffer.from(`${i}`), 'avatar', personId));
    const later = new Date(Date.now() + 60_000);
    expect((await all(files.listBefore(later))).sort()).toEqual([...names].sort());
    expect(await all(files.listBefore(new Date(Date.now() - 60_000)))).toEqual([]);
    for (const name of names.slice(0, 3)) await files.quarantine(name);
    await files.quarantine(`avatar-${'1'.repeat(32)}.webp`);
    expect(await files.read(names[0]!)).toEqual(Buffer.from('0'));
    expect((await all(files.listBefore(later))).sort()).toEqual(names.slice(3).sort());
    expect((await all(files.listQuarantinedBefore(later))).sort()).toEqual(names.slice(0, 3).sort());
    await files.release(names[0]!);
    await files.remove(names[1]!);
    expect(await all(files.listQuarantinedBefore(later))).toEqual([names[2]]);
    expect(await files.read(names[1]!)).toBeUndefined();
  });

  test('belongs to the first bank that asks, even after a crash or a full disk left an empty bank id', async () => {
    expect(await files.belongsTo('one')).toBe(true);
    await store.put('files/bank-id', Buffer.from(''));
    expect(await files.belongsTo('one')).toBe(true);
    expect(await files.belongsTo('two')).toBe(false);
    expect((await store.get('files/bank-id'))!.toString()).toBe('one\n');
    expect(await stored()).toEqual(['files/bank-id']);
  });

  test('makes one key for a person when many ask at once, makes a key even while one is being erased, and makes none if the folder of keys is lost [KY-23]', async () => {
    const erased = newId();
    let isDone = false;
    const erasing = (async () => {
      while (!isDone) await keys.erase(erased);
    })();
    for (let round = 0; round < 20; round++) expect((await keys.obtain(erased))[0].bytes).toHaveLength(32);
    isDone = true;
    await erasing;
    const id = newId();
    const obtained = await Promise.all(Array.from({ length: 5 }, () => keys.obtain(id)));
    for (const key of obtained) expect(key).toEqual(obtained[0]);
    const [former, now] = [testSecrets.personKey, toKey(randomBytes(32))];
    const both = openPersonKeys(store, [now[0], former[0]], owner);
    expect((await both.findFormer()).former).toBeGreaterThanOrEqual(1);
    await both.rewrap(async () => false);
    expect(await both.findFormer()).toEqual({ former: 0, unread: [], others: 0 });
    expect(await openPersonKeys(store, now, owner).find(id)).toEqual(obtained[0]);
    for (const key of await stored('keys/')) await store.delete(key);
    if (kind === 's3') await store.delete('keys/');
    rmSync(join(root, 'keys'), { recursive: true, force: true });
    await expect(openPersonKeys(store, now, owner).obtain(newId())).rejects.toMatchObject({
      code: 'BUSY',
      cause: { message: expect.stringContaining("people's keys is missing") },
    });
  });

  test('moves each key of a person to the new secret although others are damaged or of another bank, and names the damaged ones [KY-02, KY-25]', async () => {
    const now: Key = [toKey(randomBytes(32))[0], testSecrets.personKey[0]];
    const own = openPersonKeys(store, now, owner);
    const other = openPersonKeys(store, toKey(randomBytes(32)), { bankId: 'two' });
    await other.create();
    const ids = Array.from({ length: 5 }, newId).sort((a, b) =>
      personKeyPath(a) < personKeyPath(b) ? -1 : 1,
    );
    const [incomplete, first, changed, foreign, last] = ids as [string, string, string, string, string];
    for (const id of ids) await (id === foreign ? other : keys).obtain(id);
    const place = (id: string) => `keys/${personKeyPath(id)}`;
    await store.put(place(incomplete), (await store.get(place(incomplete)))!.subarray(0, 20));
    const bytes = (await store.get(place(changed)))!;
    bytes[bytes.length - 1]! ^= 1;
    await store.put(place(changed), bytes);
    const theirs = await store.get(place(foreign));
    const damaged = [
      expect.stringMatching(`^${personKeyPath(incomplete)}: Not encrypted data, or not all of it`),
      expect.stringMatching(`^${personKeyPath(changed)}: Encrypted with another key or for another owner`),
    ];
    const id = (await store.get(place(foreign)))!.subarray(1, 9).toString('hex');
    const unknown = `${personKeyPath(foreign)}: Encrypted with the unknown key ${id}.`;
    await store.put('keys/owner/bank-ids', Buffer.from('one\n'));
    // As long as the folder belongs to this bank alone, a key of another secret counts as one of its keys.
    const alone = await own.findFormer();
    expect(alone).toEqual({ former: 2, unread: expect.arrayContaining([...damaged, unknown]), others: 0 });
    expect(alone.unread).toHaveLength(3);

    await store.put('keys/owner/bank-ids', Buffer.from('one\ntwo\n'));
    const expected = { unread: expect.arrayContaining(damaged), others: 1 };
    expect(await own.rewrap(async () => false)).toEqual(expected);
    const after = await own.findFormer();
    expect(after).toEqual({ former: 0, ...expected });
    expect(after.unread).toHaveLength(2);
    expect(await store.get(place(foreign))).toEqual(theirs);
    const current = openPersonKeys(store, [now[0]], owner);
    for (const one of [first, last]) expect((await current.find(one))![0].bytes).toHaveLength(32);

    await store.put('keys/owner/bank-ids', Buffer.from('two\n'));
    const again = openPersonKeys(store, now, owner);
    await expect(again.findFormer()).rejects.toThrow('belongs to another bank');
    await expect(again.rewrap(async () => false)).rejects.toThrow('belongs to another bank');
  });

  test('stores and returns a large copy of data as streams, stores no incomplete copy, and refuses a changed one [VS-05]', async () => {
    const exports = openExportFiles(store, testSecrets.exportKey);
    const key = { id: newId(), salt: randomBytes(16) };
    const pieces = Array.from({ length: 20 }, () => randomBytes(512 * 1024));
    expect(
      await exports.write(
        key,
        (async function* () {
          yield* pieces;
        })(),
      ),
    ).toBe(20 * 512 * 1024);
    const read = async () => Buffer.concat(await all((await exports.read(key))!));
    expect((await read()).equals(Buffer.concat(pieces))).toBe(true);
    expect(await exports.list()).toEqual([key.id]);
    const broken = exports.write(
      { ...key, id: newId() },
      (async function* () {
        yield* pieces;
        throw new Error('the books are gone');
      })(),
    );
    await expect(broken).rejects.toThrow('the books are gone');
    expect(await exports.list()).toEqual([key.id]);
    const [path] = (await stored('exports/')) as [string];
    const bytes = (await store.get(path))!;
    bytes[bytes.length - 100]! ^= 1;
    await store.put(path, bytes);
    await expect(read()).rejects.toThrow();
    await exports.remove(key.id);
    expect(await exports.read(key)).toBeUndefined();
  });
});

describe('a folder', () => {
  beforeEach(() => open('folder'));

  test('lets only the owner of the process read a picture, and deletes old drafts', async () => {
    const name = await files.put(Buffer.from('picture'), 'id-card', personId);
    const path = join(root, (await stored()).find(key => key.endsWith(name))!);
    expect(statSync(path).mode & 0o077).toBe(0);
    expect(statSync(dirname(path)).mode & 0o077).toBe(0);
    const draft = `${path}-0123.draft`;
    writeFileSync(draft, 'half');
    const hourAgo = new Date(Date.now() - 3_601_000);
    utimesSync(draft, hourAgo, hourAgo);
    expect(await stored()).toHaveLength(1);
    expect(readdirSync(dirname(path))).toHaveLength(1);
  });

  test('whose disk is not mounted anymore creates nothing, erases nothing and reports nothing as missing; once it is mounted again, all is as before [VS-07]', async () => {
    expect(await files.belongsTo('one')).toBe(true);
    const name = await files.put(Buffer.from('picture'), 'avatar', personId);
    const key = await keys.obtain(personId);
    // Another process, which has not read the key yet.
    const others = openPersonKeys(store, testSecrets.personKey, owner);
    expect(await others.check()).toBe('ours');
    const isLost = {
      code: 'BUSY',
      cause: { message: expect.stringContaining('another one than at the start') },
    };
    // What is left without the disk: the empty folders at which it is mounted.
    renameSync(root, `${root}-mounted`);
    for (const folder of ['files', 'keys']) mkdirSync(join(root, folder), { recursive: true });
    for (const work of [
      () => others.find(personId),
      () => others.obtain(personId),
      () => others.obtain(newId()),
      () => others.erase(personId),
      () => files.belongsTo('one'),
      () => files.read(name),
      () => files.put(Buffer.from('another'), 'avatar', personId),
    ])
      await expect(work()).rejects.toMatchObject(isLost);
    expect(await keys.find(personId)).toEqual(key);
    expect(await stored('')).toEqual([]);
    rmSync(root, { recursive: true });
    renameSync(`${root}-mounted`, root);
    expect(await others.find(personId)).toEqual(key);
    expect(await files.belongsTo('one')).toBe(true);
    expect(await files.read(name)).toEqual(Buffer.from('picture'));
    await others.erase(personId);
    expect(await others.find(personId)).toBeUndefined();
  });

  test('that was replaced by the folder of another bank creates nothing, erases nothing and reports nothing as missing, and the log and the metric say so; once it is back, all is as before [KY-24]', async () => {
    expect(await files.belongsTo('one')).toBe(true);
    const name = await files.put(Buffer.from('picture'), 'avatar', personId);
    const lines: unknown[] = [];
    const log = {
      error: (...line: unknown[]) => lines.push(line),
      warn: (...line: unknown[]) => lines.push(line),
    };
    // Another process, which has not read the key yet.
    const others = openPersonKeys(store, testSecrets.personKey, { ...owner, place: '/data/keys', log });
    expect(await others.check()).toBe('ours');
    expect(others.answers()).toBe(true);
    renameSync(root, `${root}-own`);
    const foreign = openPersonKeys(store, testSecrets.personKey, { bankId: 'two' });
    await foreign.create();
    expect(await openFileStore(store, foreign).belongsTo('two')).toBe(true);
    expect(await openPersonKeys(store, testSecrets.personKey, owner).check()).toBe('foreign');
    // Each call of `answers` returns what the last check found, and starts another check.
    await eventually(() => !others.answers() || undefined);
    const refused = { code: 'BUSY', cause: { message: expect.stringContaining('another') } };
    for (const work of [
      () => others.find(personId),
      () => others.obtain(newId()),
      () => others.erase(personId),
      () => files.belongsTo('one'),
      () => files.read(name),
      () => files.put(Buffer.from('another'), 'avatar', personId),
    ])
      await expect(work()).rejects.toMatchObject(refused);
    expect(await stored('')).toHaveLength(2);
    rmSync(root, { recursive: true });
    renameSync(`${root}-own`, root);
    expect((await others.find(personId))![0].bytes).toHaveLength(32);
    await eventually(() => others.answers() || undefined);
    expect(await files.read(name)).toEqual(Buffer.from('picture'));
    // Before and between these two lines, a check in the background may have logged that the folder is missing.
    expect(lines).toContainEqual([
      { reason: expect.stringMatching(/belongs to another bank.+\(\/data\/keys\)/) },
      "people's keys cannot be used",
    ]);
    expect(lines.at(-1)).toEqual([{}, "the folder of people's keys is back"]);
  });

  test('of keys that names no bank becomes this bank’s if it can read the keys [KY-24]', async () => {
    await keys.obtain(personId);
    const other = toKey(randomBytes(32));
    for (const marker of ['keys\n', '', undefined]) {
      await store.delete('keys/owner/bank-ids');
      if (marker !== undefined) await store.put('keys/owner/bank-ids', Buffer.from(marker));
      expect(await openPersonKeys(store, other, owner).check()).toBe('foreign');
      expect((await store.get('keys/owner/bank-ids'))?.toString()).toBe(marker);
      // One damaged file does not matter.
      await store.put(`keys/${personKeyPath(newId())}`, Buffer.from('half'));
      expect(await openPersonKeys(store, testSecrets.personKey, owner).check()).toBe('ours');
      expect((await store.get('keys/owner/bank-ids'))!.toString()).toBe('one\n');
    }
  });

  test.each(['keys', 'copy/of/keys'])(
    'whose keys were copied into a folder inside it, %s, is refused until they are moved, and no key is made [KY-24]',
    async inside => {
      const key = await keys.obtain(personId);
      const wrong = join(root, 'keys', inside);
      const again = () => openPersonKeys(store, testSecrets.personKey, owner);
      const shard = personKeyPath(personId).slice(0, 2);
      mkdirSync(wrong, { recursive: true });
      // A folder without keys does no harm, such as one from which they were moved.
      expect(await again().check()).toBe('ours');
      rmSync(join(root, 'keys/owner'), { recursive: true });
      renameSync(join(root, 'keys', shard), join(wrong, shard));
      expect(await again().check()).toBe('misplaced');
      const cause = { message: expect.stringContaining('keys in a wrong folder inside it') };
      await expect(again().obtain(personId)).rejects.toMatchObject({ code: 'BUSY', cause });
      expect(await stored('keys/')).toHaveLength(1);
      renameSync(join(wrong, shard), join(root, 'keys', shard));
      expect(await again().check()).toBe('ours');
      expect(await again().find(personId)).toEqual(key);
    },
  );

  test('of keys that a former start claimed while it was empty is refused if the keys were then copied into it, not over it [KY-24]', async () => {
    await keys.obtain(personId);
    const shard = personKeyPath(personId).slice(0, 2);
    mkdirSync(join(root, 'keys/keys'));
    renameSync(join(root, 'keys', shard), join(root, 'keys/keys', shard));
    expect(await openPersonKeys(store, testSecrets.personKey, owner).check()).toBe('misplaced');
  });

  test('of keys has only folders, because a server of 1.0.0 copies each entry as a folder [VS-09]', async () => {
    await keys.obtain(personId);
    const entries = readdirSync(join(root, 'keys'), { withFileTypes: true });
    expect(entries.filter(entry => !entry.isDirectory()).map(({ name }) => name)).toEqual([]);
    expect(entries).toHaveLength(2);
  });

  test.each(['other\n', 'keys\n'])(
    'in which other banks have keys (marker: %j) gets a new bank as one more owner, and the others stay [KY-24]',
    async marker => {
      await keys.obtain(personId);
      await store.put('keys/owner/bank-ids', Buffer.from(marker));
      const added = openPersonKeys(store, toKey(randomBytes(32)), { bankId: 'new' });
      expect(await added.check()).toBe('foreign');
      await added.create();
      await added.obtain(newId());
      expect((await store.get('keys/owner/bank-ids'))!.toString()).toBe(`${marker}new\n`);
      const former = marker === 'other\n' ? 'other' : 'one';
      const others = openPersonKeys(store, testSecrets.personKey, { bankId: former });
      expect(await others.check()).toBe('ours');
      expect(await added.check()).toBe('ours');
    },
  );

  test.each(['ENOSPC', 'EROFS'])(
    'on a disk that is full or read-only refuses as busy, and names the cause: %s',
    async code => {
      const cause = Object.assign(new Error('the disk takes no more'), { code });
      const content = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(cause) }) };
      await expect(store.write('files/picture', content)).rejects.toMatchObject({ code: 'BUSY', cause });
    },
  );

  test('leaves space on its disk to the database [RC-92]', async () => {
    const nearlyFull = openFolderStore(root, Number.POSITIVE_INFINITY);
    await expect(nearlyFull.put('files/picture', Buffer.alloc(10_000))).rejects.toMatchObject({
      code: 'BUSY',
      cause: { message: expect.stringContaining('has less than 1 GB of free space') },
    });
    expect(await stored()).toEqual([]);
    // Small files are still stored: without them, secrets could not be rotated, nor authenticator apps be set up.
    await nearlyFull.put('keys/person', Buffer.from('key'));
    expect(await nearlyFull.create('files/bank-id', Buffer.from('id'))).toBe(true);
  });

  test.each(['EROFS', 'ENOTCONN', 'EHOSTDOWN'])(
    'on a disk that cannot be used refuses callers as busy: %s [VS-07]',
    async code => {
      const { inTime, answers } = limitDiskCalls(root, 1);
      const cause = Object.assign(new Error('no disk'), { code });
      await expect(inTime(() => Promise.reject(cause))).rejects.toMatchObject({ code: 'BUSY', cause });
      expect(answers()).toBe(false);
    },
  );

  test('on a disk that hangs refuses callers as busy and occupies few threads; once the disk answers, it works again [VS-07]', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    // Reading a pipe hangs until something is written to it.
    const pipe = join(root, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const refused = { code: 'BUSY', cause: { message: expect.stringContaining('does not answer') } };
    try {
      const name = await files.put(Buffer.from('picture'), 'avatar', personId);
      const hang = async (key: string) => {
        const hanging = Array.from({ length: 10 }, () =>
          expect(store.get(key)).rejects.toMatchObject(refused),
        );
        await vi.advanceTimersByTimeAsync(5_000);
        await Promise.all(hanging);
      };
      await hang('pipe');
      // Another request for the file that hangs is refused at once. Other files can still be read.
      await expect(store.get('pipe')).rejects.toMatchObject(refused);
      expect(await files.read(name)).toEqual(Buffer.from('picture'));
      for (const key of ['./pipe', '././pipe']) await hang(key);
      await expect(files.put(Buffer.from('picture'), 'avatar', personId)).rejects.toMatchObject(refused);
      expect(store.answers()).toBe(false);
      // One thread is still free, for example to hash a password.
      await promisify(pbkdf2)('password', 'salt', 1, 32, 'sha256');
    } finally {
      // Other tests of this process need the threads, too.
      closeSync(openSync(pipe, 'r+'));
    }
    await eventually(() => store.answers() || undefined);
    expect(await store.get('nothing')).toBeUndefined();
  });

  test.skipIf(process.platform !== 'linux')(
    'on a disk that answers with an error refuses callers as busy until it works again, and known keys still work [VS-07]',
    async () => {
      await keys.obtain(personId);
      const path = join(root, 'keys', personKeyPath(personId));
      renameSync(path, `${path}.away`);
      // Reading the start of a process's memory fails with EIO, like a broken disk.
      symlinkSync('/proc/self/mem', path);
      const refused = { code: 'BUSY', cause: { code: 'EIO' } };
      await expect(store.get(`keys/${personKeyPath(personId)}`)).rejects.toMatchObject(refused);
      expect(store.answers()).toBe(false);
      expect((await keys.find(personId))![0].bytes).toHaveLength(32);
      renameSync(`${path}.away`, path);
      expect((await keys.find(personId))![0].bytes).toHaveLength(32);
      expect(store.answers()).toBe(true);
    },
  );
});

describe.skipIf(realStore !== undefined)('an S3-compatible store', () => {
  beforeEach(() => open('s3'));

  test('is refused if it would keep erased keys, could overwrite a key, or does not accept the credentials [VS-06]', async () => {
    await expect(store.refuseUnfit()).resolves.toBeUndefined();
    for (const state of ['versioned', 'suspended'] as const) {
      s3!.state = state;
      await expect(store.refuseUnfit()).rejects.toThrow('old versions');
    }
    s3!.state = 'careless';
    await expect(store.refuseUnfit()).rejects.toThrow('it ignores If-None-Match');
    for (const state of ['unlisted', 'no-uploads'] as const) {
      s3!.state = state;
      await expect(store.refuseUnfit()).rejects.toThrow('refused GET bank-files: 403 AccessDenied');
    }
    s3!.state = 'up';
    const settings = { ...s3!.settings, FILES_SECRET_ACCESS_KEY: 'another secret' };
    const other = openStore(readConfig({ ...settings, DATA_DIR: root }), { error() {}, warn() {} });
    await expect(other.refuseUnfit()).rejects.toThrow('403 SignatureDoesNotMatch');
  });

  test('that does not answer is not asked again at once: callers are refused, and known keys still work [VS-07]', async () => {
    await keys.obtain(personId);
    s3!.state = 'down';
    expect((await keys.find(personId))![0].bytes).toHaveLength(32);
    const before = s3!.requests;
    await Promise.all(
      Array.from({ length: 20 }, () => expect(store.get('files/x')).rejects.toMatchObject({ code: 'BUSY' })),
    );
    expect(s3!.requests).toBe(before);
    expect(store.answers()).toBe(false);
  });

  test.each([
    ['refuses the credentials', 'closed', '403 AccessDenied'],
    ['has lost the bucket', 'gone', '404 NoSuchBucket'],
  ] as const)(
    'that %s counts as not answering: callers are refused as busy, and known keys still work [VS-07]',
    async (_, state, reason) => {
      await keys.obtain(personId);
      s3!.state = state;
      await expect(store.get('files/x')).rejects.toMatchObject({
        code: 'BUSY',
        cause: { message: `The file store refused GET files/x: ${reason}` },
      });
      expect(store.answers()).toBe(false);
      expect((await keys.find(personId))![0].bytes).toHaveLength(32);
    },
  );

  test('that refuses only some requests, as for an archived picture or for a right that is missing, still does all others [VS-07]', async () => {
    const [archived, other] = [
      await files.put(Buffer.from('archived'), 'avatar', personId),
      await files.put(Buffer.from('other'), 'avatar', personId),
    ];
    const key = (await stored()).find(each => each.endsWith(archived))!;
    s3!.archived.add(`of/larkspur/${key}`);
    const refuses = async (work: Promise<unknown>, reason: string) => {
      const cause = { message: expect.stringContaining(reason) };
      await expect(work).rejects.toMatchObject({ code: 'BUSY', cause });
      expect(store.answers()).toBe(false);
    };
    await refuses(files.read(archived), `refused GET ${key}: 403 InvalidObjectState`);
    expect(await files.read(other)).toEqual(Buffer.from('other'));
    expect(store.answers()).toBe(true);
    s3!.state = 'no-uploads';
    await refuses(stored(), 'refused GET bank-files: 403 AccessDenied');
    await keys.erase(personId);
    expect(store.answers()).toBe(true);
  });

  test.each([
    { status: 500, code: 'InternalError' },
    { status: 400, code: 'RequestTimeout' },
  ])('that fails once with $code is asked again, and the caller notices nothing', async failure => {
    const name = await files.put(Buffer.from('picture'), 'avatar', personId);
    Object.assign(s3!, { failure, failures: 1 });
    expect(await files.read(name)).toEqual(Buffer.from('picture'));
    expect(store.answers()).toBe(true);
    s3!.failures = 2;
    await expect(files.read(name)).rejects.toMatchObject({ code: 'BUSY' });
  });

  test('that does not answer one request in time still does all others [VS-07]', async () => {
    const name = await files.put(Buffer.from('picture'), 'avatar', personId);
    s3!.hanging.add('of/larkspur/files/slow');
    let isRefused = false;
    const slow = expect(store.get('files/slow'))
      .rejects.toMatchObject({
        code: 'BUSY',
        cause: { message: expect.stringContaining('no answer within') },
      })
      .then(() => {
        isRefused = true;
      });
    while (!isRefused) expect(await files.read(name)).toEqual(Buffer.from('picture'));
    await slow;
    expect(await files.read(name)).toEqual(Buffer.from('picture'));
    expect(store.answers()).toBe(true);
  });

  test('in a quiet bank, refuses only the picture that it never sends; if it answers no request, it counts as silent [VS-07]', async () => {
    const name = await files.put(Buffer.from('picture'), 'avatar', personId);
    const refused = { code: 'BUSY', cause: { message: expect.stringContaining('no answer within') } };
    s3!.hanging.add('of/larkspur/files/slow');
    await expect(store.get('files/slow')).rejects.toMatchObject(refused);
    expect(store.answers()).toBe(true);
    expect(await files.read(name)).toEqual(Buffer.from('picture'));
    s3!.state = 'hangs';
    await expect(store.get('files/x')).rejects.toMatchObject(refused);
    expect(store.answers()).toBe(false);
    // Once the store is back, even a request that hangs finds that out: the picture is refused, but the store answers.
    s3!.state = 'up';
    const later = performance.now() + 6_000;
    vi.spyOn(performance, 'now').mockImplementation(() => later);
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    await expect(store.get('files/slow')).rejects.toMatchObject(refused);
    expect(store.answers()).toBe(true);
  });

  test('in a quiet bank, gives a picture back although another object and the object of the probe hang [VS-07]', async () => {
    const name = await files.put(Buffer.from('picture'), 'avatar', personId);
    for (const key of ['files/slow', 'conditional-write']) s3!.hanging.add(`of/larkspur/${key}`);
    await expect(store.get('files/slow')).rejects.toMatchObject({ code: 'BUSY' });
    await expect(files.read(name)).rejects.toMatchObject({ code: 'BUSY' });
    expect(store.answers()).toBe(false);
    const later = performance.now() + 6_000;
    vi.spyOn(performance, 'now').mockImplementation(() => later);
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    expect(await files.read(name)).toEqual(Buffer.from('picture'));
    expect(store.answers()).toBe(true);
  });

  test('that is full, or cannot say whether it keeps versions, does not count as silent', async () => {
    s3!.state = 'full';
    await expect(store.put('files/x', Buffer.from('x'))).rejects.toMatchObject({
      code: 'BUSY',
      cause: { message: 'The file store refused PUT files/x: 507 InsufficientStorage' },
    });
    expect(store.answers()).toBe(true);
    s3!.state = 'unversioned';
    await expect(store.refuseUnfit()).rejects.toThrow('refused GET bank-files: 501 NotImplemented');
    expect(store.answers()).toBe(true);
  });

  test('behind a proxy that answers with a page of its own has stored nothing, and is reported as failing', async () => {
    s3!.state = 'page';
    const fails = { code: 'BUSY', cause: { message: 'the file store fails: 200 HTML' } };
    await expect(store.put('files/x', Buffer.from('x'))).rejects.toMatchObject(fails);
    expect(store.answers()).toBe(false);
  });

  test('shows every head of the audit chain that any machine stored [VS-05]', async () => {
    const { filesUrl } = readConfig({ ...s3!.settings });
    const log = pino({ level: 'silent' });
    const heads = [9n, 10n].map(position => ({ position, hash: sha256(`${position}`) }));
    for (const [i, head] of heads.entries()) {
      const config = {
        dataDir: mkdtempSync(join(root, `machine-${i}-`)),
        filesUrl,
        auditAnchorUrl: undefined,
      };
      await storeHead({ config, store, log }, head);
      await storeHead({ config, store, log }, head);
    }
    expect(
      (await readStoredHeads({ config: { dataDir: root }, store })).sort((a, b) =>
        Number(a.position - b.position),
      ),
    ).toEqual(heads);
  });

  test('is cleaned of uploads that a killed process left a day ago', async () => {
    const part = { key: 'of/larkspur/exports/x.zip.enc', parts: new Map() };
    s3!.uploads.set('old', { ...part, startedAt: new Date(Date.now() - 25 * 3_600_000) });
    s3!.uploads.set('young', { ...part, startedAt: new Date() });
    await stored('exports/');
    expect([...s3!.uploads.keys()]).toEqual(['young']);
  });
});
