import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FileStore, openFileStore } from './files.ts';

let root: string;
let files: FileStore;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'larkspur-files-'));
  files = openFileStore(join(root, 'files'));
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
  const [one, two] = [await files.put(bytes, 'avatar'), await files.put(bytes, 'id-card')];
  expect(one).toMatch(/^avatar-[0-9a-f]{32}\.webp$/);
  expect(two).toMatch(/^id-card-[0-9a-f]{32}\.webp$/);
  expect(one.slice(-37)).not.toBe(two.slice(-37));
  expect(await files.read(one)).toEqual(bytes);
  await files.remove(one);
  await files.remove(one);
  expect(await files.read(one)).toBeUndefined();
  expect(await files.read(two)).toEqual(bytes);
});

test('only the owner of the process can read a stored picture', async () => {
  await files.put(Buffer.from('picture'), 'id-card');
  for (const path of stored()) expect(statSync(path).mode & 0o077).toBe(0);
});

test('no file name reaches outside the store', async () => {
  writeFileSync(join(root, 'secret.webp'), 'secret');
  const name = await files.put(Buffer.from('picture'), 'avatar');
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
    await files.put(Buffer.from('old'), 'avatar'),
    await files.put(Buffer.from('young'), 'avatar'),
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
