/** Copies people's pictures and keys, and the secrets, to the backup folder. */
import { mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import {
  copyDurably,
  draftSuffix,
  exists,
  ignore,
  replaceDurably,
  syncFolder,
} from '../base/durableFiles.ts';
import { markerName, mayHaveOthers, ownersIn } from '../outside/personKeys.ts';
import { type BackupFolder, unreadable } from './folder.ts';

/**
 * Copies new and changed files, and deletes the copies of erased keys. If a file cannot be copied, the others still are; the
 * first error is thrown at the end.
 */
export async function copyFiles(dataDir: string, folder: BackupFolder, bankId: string): Promise<void> {
  const copies = [copyPictures, mirrorKeys, mirrorSecrets];
  await forEach(copies, copy => copy(dataDir, folder, bankId));
}

/** Awaits `work` for one item after the other, even if it failed for an earlier one. Throws the first failure at the end. */
async function forEach<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  let failure: { error: unknown } | undefined;
  for (const item of items)
    await work(item).catch((error: unknown) => {
      failure ??= { error };
    });
  if (failure) throw failure.error;
}

/**
 * The names of the folders of pictures and keys. Other names are ignored, because mounted disks and desktop software put files
 * of their own there.
 */
const shardPattern = /^[0-9a-f]{2}$/;

/** The folders inside a folder of pictures or keys; none if it is missing. */
const listShards = async (root: string): Promise<string[]> =>
  ((await readdir(root).catch(ignore('ENOENT'))) ?? []).filter(name => shardPattern.test(name));

/** Pictures as paths inside their folder, such as `4f/avatar-4f….webp`. */
export async function listPictures(root: string): Promise<string[]> {
  const found: string[] = [];
  for (const shard of await listShards(root))
    for (const name of await readdir(join(root, shard)))
      if (name.endsWith('.webp')) found.push(`${shard}/${name}`);
  return found;
}

/** A folder that changed less than this ago may change again without a new timestamp. */
const settledMs = 2_000;

/**
 * Whether a folder exists and has this timestamp. Asynchronous, because `statSync` would block the whole process on a disk that
 * hangs.
 */
async function hasTime(folder: string, mtime: Date): Promise<boolean> {
  return (await stat(folder).catch(ignore('ENOENT')))?.mtime.getTime() === mtime.getTime();
}

/**
 * Copies the pictures that the backup does not have. Pictures never change. A copied folder gets the timestamp of its original,
 * so a folder whose timestamp is that of its copy has no new picture and is skipped.
 */
async function copyPictures(dataDir: string, folder: BackupFolder): Promise<void> {
  const root = join(dataDir, 'files');
  if (!(await exists(root))) return;
  await forEach(await readdir(root, { withFileTypes: true }), async entry => {
    if (!entry.isDirectory() || !shardPattern.test(entry.name)) return;
    const [from, to] = [join(root, entry.name), join(folder.files, entry.name)];
    const { mtime } = await stat(from);
    if (await hasTime(to, mtime)) return;
    await mkdir(to, { recursive: true, mode: 0o700 });
    const copied = new Set(await readdir(to));
    await forEach(await readdir(from), async name => {
      if (!name.endsWith('.webp') || copied.has(name)) return;
      const target = join(to, name);
      // The picture may have been removed since it was listed.
      const isCopied = await copyDurably(join(from, name), target + draftSuffix).then(
        () => true,
        ignore('ENOENT'),
      );
      if (isCopied) await rename(target + draftSuffix, target);
    });
    // Before the timestamp: a folder that has it is not copied again.
    await syncFolder(to);
    if (mtime.getTime() < Date.now() - settledMs) await utimes(to, mtime, mtime);
  });
}

/**
 * Makes the copies of people's keys match the originals. A key that was erased is deleted from the copies too, so no backup can
 * read that person's data. A folder that did not change since the last copy is skipped. If the keys are only probably this
 * bank's (`ownerOf`), every folder is read, and no copy is deleted: an operator may be putting the keys back right now. Throws
 * if the keys are another bank's.
 */
async function mirrorKeys(dataDir: string, { keys }: BackupFolder, bankId: string): Promise<void> {
  const root = join(dataDir, 'keys');
  // Mirrors only folders that exist: if the whole folder of keys is lost, its copy must stay.
  const shards = await listShards(root);
  const owner = shards.length > 0 ? await ownerOf(root, keys, bankId) : 'this bank';
  if (owner === 'another bank')
    throw new Error(
      `${root} belongs to another bank: no key was copied or deleted. Put this bank's folder in its place, from its disk or the backup`,
    );
  const copy = owner === 'this bank' ? mirrorFolder : copyFolder;
  await forEach(shards, shard => copy(join(root, shard), join(keys, shard)));
}

/**
 * To which bank a folder of keys belongs. If it does not name this bank, but may have keys of banks that it does not name, it
 * is probably this bank's if one of its keys is in the backup, or if the backup has no keys.
 */
async function ownerOf(
  root: string,
  copies: string,
  bankId: string,
): Promise<'this bank' | 'probably this bank' | 'another bank'> {
  const marker = join(root, markerName);
  const text = await readFile(marker)
    .catch(ignore('ENOENT'))
    .catch((error: Error) => {
      throw unreadable(marker, error);
    });
  const owners = ownersIn(text);
  if (owners.includes(bankId)) return 'this bank';
  if (!mayHaveOthers(owners)) return 'another bank';
  let hasCopies = false;
  for (const shard of await listShards(copies)) {
    const present = new Set(await readdir(join(root, shard)).catch(ignore('ENOENT')));
    for (const name of await readdir(join(copies, shard))) {
      if (name.startsWith('.')) continue;
      if (present.has(name)) return 'probably this bank';
      hasCopies = true;
    }
  }
  return hasCopies ? 'another bank' : 'probably this bank';
}

async function mirrorSecrets(dataDir: string, folder: BackupFolder): Promise<void> {
  const secrets = join(dataDir, 'secrets');
  if (await exists(secrets)) await mirrorFolder(secrets, folder.secrets);
}

async function mirrorFolder(from: string, to: string): Promise<void> {
  const { mtime } = await stat(from);
  if (await hasTime(to, mtime)) return;
  await mkdir(to, { recursive: true, mode: 0o700 });
  const names = new Set(await readdir(from));
  // Deletes only files: `rm` refuses the folders that a network disk has in the backup.
  for (const name of await readdir(to))
    if (!names.has(name)) await rm(join(to, name), { force: true }).catch(ignore('ERR_FS_EISDIR'));
  await copyFolder(from, to);
  if (mtime.getTime() < Date.now() - settledMs) await utimes(to, mtime, mtime);
}

async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  const names = (await readdir(from)).filter(name => !name.endsWith(draftSuffix));
  await syncFolder(to);
  await forEach(names, async name => {
    const path = join(from, name);
    // Network disks and mounted secrets have folders of their own there.
    const bytes = await readFile(path)
      .catch(ignore('ENOENT'))
      .catch(ignore('EISDIR'))
      .catch((error: Error) => {
        throw unreadable(path, error);
      });
    // A copy that cannot be read is written again.
    const copied = await readFile(join(to, name)).catch(() => undefined);
    if (bytes && !copied?.equals(bytes)) await replaceDurably(join(to, name), bytes);
  });
}
