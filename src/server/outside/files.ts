/**
 * Stores customers' pictures on disk. File names are random and generated here, writes are atomic, and only this module maps a
 * name to a path. The folder is not served by a web server.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, open, opendir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Refusal } from '#contract/errors.ts';

/** The kind of picture. It is part of the file name, so an ID document can never be served as an avatar. */
export type FileKind = 'avatar' | 'id-card';

export type FileStore = {
  /**
   * Stores a WebP picture durably and returns the file name: its kind and 128 random bits. Throws `BUSY` if the disk is full.
   */
  put(bytes: Uint8Array, kind: FileKind): Promise<string>;
  /** The bytes; undefined if there is no such file or the name is invalid. */
  read(name: string): Promise<Buffer | undefined>;
  /** Removes a file. A missing file is not an error. */
  remove(name: string): Promise<void>;
  /** Names of all files stored before `time`. Temporary files that old, left by a killed process, are removed. */
  listBefore(time: Date): AsyncIterable<string>;
};

const namePattern = /^(?:avatar|id-card)-([0-9a-f]{2})[0-9a-f]{30}\.webp$/;
const draftSuffix = '.draft';

/** Opens the store in the folder `root`. Folders are created when needed, readable by the owner only. */
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
        await writeDurably(draft, bytes);
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

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** fsync of the folder, so that a rename survives a power failure. Some systems cannot open folders; ignored there. */
async function syncFolder(path: string): Promise<void> {
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
