import { randomBytes } from 'node:crypto';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testKeys } from '../../../tests/database.ts';
import { DecryptionFailed } from '../base/encryption.ts';
import { toKey } from '../base/keys.ts';
import { newId, toId } from '../base/uuid.ts';
import { type FileStore, openFileStore } from './files.ts';
import { openPersonKeys } from './personKeys.ts';

let root: string;
let files: FileStore;
const personId = newId();

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'larkspur-files-'));
  files = openFileStore(join(root, 'files'), testKeys);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const stored = () =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name));

async function namesBefore(time: Date): Promise<string[]> {
  const names = [];
  for await (const name of files.listBefore(time)) names.push(name);
  return names;
}

test('a picture is read back unchanged, under an unguessable name', async () => {
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

test('a stored picture is unreadable without its person’s key, under another name, and after the key was erased [KY-20]', async () => {
  const bytes = Buffer.from('RIFF a picture of Iris');
  const [erased, other] = [
    await files.put(bytes, 'avatar', newId()),
    await files.put(bytes, 'id-card', personId),
  ];
  const pathOf = (name: string) => stored().find(path => path.endsWith(name))!;
  for (const name of [erased, other]) expect(readFileSync(pathOf(name)).includes(bytes)).toBe(false);
  const moved = `id-card-${'0'.repeat(32)}.webp`;
  mkdirSync(join(root, 'files', '00'), { recursive: true });
  copyFileSync(pathOf(other), join(root, 'files', '00', moved));
  await expect(files.read(moved)).rejects.toThrow(DecryptionFailed);
  const copy = readFileSync(pathOf(erased));
  await testKeys.erase(toId(copy.subarray(0, 16)));
  expect(await files.read(erased)).toBeUndefined();
  // Not even if the person gets a new key.
  await testKeys.obtain(toId(copy.subarray(0, 16)));
  await expect(files.read(erased)).rejects.toThrow(DecryptionFailed);
  expect(await files.read(other)).toEqual(bytes);
});

test('only the owner of the process can read a stored picture', async () => {
  await files.put(Buffer.from('picture'), 'id-card', personId);
  for (const path of stored()) expect(statSync(path).mode & 0o077).toBe(0);
});

test('no file name reaches outside the store', async () => {
  writeFileSync(join(root, 'secret.webp'), 'secret');
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

test('listing returns only old files and removes old drafts', async () => {
  const [old, young] = [
    await files.put(Buffer.from('old'), 'avatar', personId),
    await files.put(Buffer.from('young'), 'avatar', personId),
  ];
  const path = stored().find(one => one.endsWith(old))!;
  const draft = `${path.slice(0, -10)}0123456789.webp.draft`;
  writeFileSync(draft, 'half');
  const hourAgo = new Date(Date.now() - 3_600_000);
  for (const one of [path, draft]) utimesSync(one, hourAgo, hourAgo);
  expect(await namesBefore(new Date(Date.now() - 60_000))).toEqual([old]);
  expect(stored().some(one => one.endsWith('.draft'))).toBe(false);
  expect(await files.read(young)).toBeDefined();
});

test('an empty store lists nothing', async () => {
  expect(await namesBefore(new Date())).toEqual([]);
});

test('the first bank that asks owns the folder, also after a crash or a full disk left the owner file empty', async () => {
  const path = join(root, 'files', 'bank-id');
  expect(await files.belongsTo('one')).toBe(true);
  writeFileSync(path, '');
  expect(await files.belongsTo('one')).toBe(true);
  expect(await files.belongsTo('two')).toBe(false);
  expect(readFileSync(path, 'utf8')).toBe('one\n');
  expect(stored()).toEqual([path]);
});

test('a key can be made and erased at the same moment, and is one key for all who make it [KY-23]', async () => {
  const keys = openPersonKeys(join(root, 'keys'), toKey(randomBytes(32)));
  const erased = newId();
  let isDone = false;
  const erasing = (async () => {
    while (!isDone) await keys.erase(erased);
  })();
  for (let round = 0; round < 50; round++) expect((await keys.obtain(erased))[0].bytes).toHaveLength(32);
  isDone = true;
  await erasing;
  const id = newId();
  const obtained = await Promise.all(Array.from({ length: 5 }, () => keys.obtain(id)));
  for (const key of obtained) expect(key).toEqual(obtained[0]);
});
