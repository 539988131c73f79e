/**
 * Stores customers' pictures on disk, encrypted with a key of their person. A file begins with the person's id, so it can be
 * read without a query. File names are random and generated here, writes are atomic, and only this module maps a name to a
 * path. The folder is not served by a web server.
 */
import { randomBytes } from 'node:crypto';
import { link, mkdir, opendir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Refusal } from '#contract/errors.ts';
import { ignore, syncFolder, writeDurably } from '../base/durableFiles.ts';
import { decryptBytes, encrypt } from '../base/encryption.ts';
import { idToBytes, toId } from '../base/uuid.ts';
import type { PersonKeys } from './personKeys.ts';

/** The kind of picture. It is part of the file name, so an ID document can never be served as an avatar. */
export type FileKind = 'avatar' | 'id-card';

export type FileStore = {
  /**
   * Stores a person's WebP picture durably and returns the file name: its kind and 128 random bits. Throws `BUSY` if the disk
   * is full.
   */
  put(bytes: Uint8Array, kind: FileKind, personId: string): Promise<string>;
  /** The bytes; undefined if there is no such file, its person's key was erased, or the name is invalid. */
  read(name: string): Promise<Buffer | undefined>;
  /** Removes a file, in quarantine too. A missing file is not an error. */
  remove(name: string): Promise<void>;
  /** Names of all files stored before `time`. Temporary files that old, left by a killed process, are removed. */
  listBefore(time: Date): AsyncIterable<string>;
  /** Moves a file to the quarantine, where `read` still finds it. A missing file is not an error. */
  quarantine(name: string): Promise<void>;
  /** Moves a file back from the quarantine. */
  release(name: string): Promise<void>;
  /** Names of all files that were moved to the quarantine before `time`. */
  listQuarantinedBefore(time: Date): AsyncIterable<string>;
  /** Whether the folder belongs to this bank. The first bank that asks becomes its owner. */
  belongsTo(bankId: string): Promise<boolean>;
};

const namePattern = /^(?:avatar|id-card)-([0-9a-f]{2})[0-9a-f]{30}\.webp$/;
const personIdBytes = 16;
const draftSuffix = '.draft';
const quarantineFolder = 'quarantine';
/** Holds the id of the bank that owns the folder. */
const ownerFile = 'bank-id';

/** Where a picture is inside the store's folder; undefined if the name is invalid. */
export function picturePath(name: string): string | undefined {
  const match = namePattern.exec(name);
  return match ? join(match[1]!, name) : undefined;
}

/** Opens the store in the folder `root`. Folders are created when needed, readable by the owner only. */
export function openFileStore(root: string, keys: Pick<PersonKeys, 'find' | 'obtain'>): FileStore {
  const pathOf = (name: string): string | undefined => {
    const path = picturePath(name);
    return path === undefined ? undefined : join(root, path);
  };
  const quarantined = (name: string): string => join(root, quarantineFolder, name);

  return {
    async put(bytes, kind, personId) {
      const name = `${kind}-${randomBytes(16).toString('hex')}.webp`;
      const path = pathOf(name)!;
      const folder = dirname(path);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const draft = path + draftSuffix;
      try {
        // The name is authenticated: a file that is moved to another name cannot be read.
        const encrypted = encrypt(await keys.obtain(personId), name, bytes);
        await writeDurably(draft, Buffer.concat([idToBytes(personId), encrypted]));
        await rename(draft, path);
        await syncFolder(folder);
      } catch (error) {
        await rm(draft, { force: true });
        throw isFull(error) ? new Refusal('BUSY', { waitTime: 60 }) : error;
      }
      return name;
    },

    async read(name) {
      const path = pathOf(name);
      if (path === undefined) return undefined;
      const stored =
        (await readFile(path).catch(ignore('ENOENT'))) ??
        (await readFile(quarantined(name)).catch(ignore('ENOENT')));
      const key = stored && (await keys.find(toId(stored.subarray(0, personIdBytes))));
      return key && decryptBytes(key, name, stored.subarray(personIdBytes));
    },

    async remove(name) {
      const path = pathOf(name);
      if (path === undefined) return;
      await rm(path, { force: true });
      await rm(quarantined(name), { force: true });
    },

    async *listBefore(time) {
      const folder = await opendir(root, { recursive: true }).catch(ignore('ENOENT'));
      if (!folder) return;
      for await (const entry of folder) {
        if (!entry.isFile()) continue;
        const path = join(entry.parentPath, entry.name);
        const found = await stat(path).catch(ignore('ENOENT'));
        if (!found || found.mtime >= time) continue;
        if (entry.name.endsWith(draftSuffix)) await rm(path, { force: true });
        else if (pathOf(entry.name) === path) yield entry.name;
      }
    },

    async quarantine(name) {
      const path = pathOf(name);
      if (path === undefined) return;
      await mkdir(join(root, quarantineFolder), { recursive: true, mode: 0o700 });
      const now = new Date();
      // Its age now counts from the move.
      await utimes(path, now, now).catch(ignore('ENOENT'));
      await rename(path, quarantined(name)).catch(ignore('ENOENT'));
    },

    async release(name) {
      const path = pathOf(name);
      if (path === undefined) return;
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await rename(quarantined(name), path).catch(ignore('ENOENT'));
    },

    async *listQuarantinedBefore(time) {
      const folder = await opendir(join(root, quarantineFolder)).catch(ignore('ENOENT'));
      if (!folder) return;
      for await (const entry of folder) {
        const found = await stat(quarantined(entry.name)).catch(ignore('ENOENT'));
        if (found && found.mtime < time && pathOf(entry.name) !== undefined) yield entry.name;
      }
    },

    async belongsTo(bankId) {
      const path = join(root, ownerFile);
      const readOwner = async () => (await readFile(path, 'utf8').catch(ignore('ENOENT')))?.trim();
      const owner = await readOwner();
      if (owner) return owner === bankId;
      await mkdir(root, { recursive: true, mode: 0o700 });
      // An empty file was left by a full disk or a crash.
      if (owner === '') await rm(path, { force: true });
      const draft = `${path}-${randomBytes(8).toString('hex')}${draftSuffix}`;
      try {
        await writeDurably(draft, Buffer.from(`${bankId}\n`));
        // Unlike a rename, a link does not replace what another process wrote.
        await link(draft, path);
        await syncFolder(root);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      } finally {
        await rm(draft, { force: true });
      }
      return (await readOwner()) === bankId;
    },
  };
}

function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
}
