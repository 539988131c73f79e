/**
 * Customers' pictures on disk. Names are ours and random, a file is there whole or not at all, and only this code turns
 * a name into a path: nothing here is below a folder that a web server shows.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, open, opendir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Refusal } from '#contract/errors.ts';

/** What a picture is. It stands in the name, so that an ID document can never be asked for as an avatar. */
export type FileKind = 'avatar' | 'id-card';

export type FileStore = {
  /**
   * Stores a WebP picture for good and gives the new file's name: its kind and 128 random bits. Throws `BUSY` where
   * the disk is full.
   */
  put(bytes: Uint8Array, kind: FileKind): Promise<string>;
  /** The bytes, or undefined where there is no such file or the name is none of ours. */
  read(name: string): Promise<Buffer | undefined>;
  /** Removes a file; a file that is gone already is no error. */
  remove(name: string): Promise<void>;
  /** Names of all files that were stored before `time`. Drafts that old, left by a killed process, are removed. */
  listBefore(time: Date): AsyncIterable<string>;
};

const namePattern = /^(?:avatar|id-card)-([0-9a-f]{2})[0-9a-f]{30}\.webp$/;
const draftSuffix = '.draft';

/** Opens the store in the folder `root`; folders are made when first needed, readable for their owner only. */
export function openFileStore(root: string): FileStore {
  const pathOf = (name: string): string | undefined => {
    const match = namePattern.exec(name);
    return match ? join(root, match[1]!, name) : undefined;
  };

  return {
    async put(bytes, kind) {
      const name = `${kind}-${randomBytes(16).toString('hex')}.webp`;
      const path = pathOf(name)!;
      const folder = dirname(path);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const draft = path + draftSuffix;
      try {
        await writeDown(draft, bytes);
        await rename(draft, path);
        await flushFolder(folder);
      } catch (error) {
        await rm(draft, { force: true });
        throw isFull(error) ? new Refusal('BUSY', { waitTime: 60 }) : error;
      }
      return name;
    },

    async read(name) {
      const path = pathOf(name);
      return path === undefined ? undefined : await unlessMissing(readFile(path));
    },

    async remove(name) {
      const path = pathOf(name);
      if (path !== undefined) await rm(path, { force: true });
    },

    async *listBefore(time) {
      const folder = await unlessMissing(opendir(root, { recursive: true }));
      if (!folder) return;
      for await (const entry of folder) {
        if (!entry.isFile()) continue;
        const path = join(entry.parentPath, entry.name);
        const found = await unlessMissing(stat(path));
        if (!found || found.mtime >= time) continue;
        if (entry.name.endsWith(draftSuffix)) await rm(path, { force: true });
        else if (pathOf(entry.name) === path) yield entry.name;
      }
    },
  };
}

function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
}

async function writeDown(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes a rename survive a power cut. Some systems cannot open a folder; there the system alone decides. */
async function flushFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
