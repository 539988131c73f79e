/**
 * The folder of the rail's files: `out` has files for the other side to fetch, `in` has files from the other side, and
 * `archive` and `refused` have files that need no more work. A file appears under its name atomically, and hidden files and
 * drafts are not read. Every function throws `BUSY` if the disk does not answer, and refuses a name that leads elsewhere.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { limitDiskCalls } from '../../base/diskCalls.ts';
import {
  abandonedMs,
  draftSuffix,
  exists,
  ignore,
  syncFolder,
  writeDurably,
} from '../../base/durableFiles.ts';
import { maxFileBytes } from './formats.ts';

/** The names of the files that are written here. They are stored in the database, so an attacker there can change them. */
export const writtenName = /^[a-z0-9]+(?:-[a-z0-9]+)*\.(?:xml|ach)$/;

/** The path of a file from another bank, which can have any name in its folder. */
function pathIn(folder: string, name: string): string {
  if (name !== basename(name) || /^\.{0,2}$|\0/.test(name))
    throw new Error(`“${name}” is not the name of a file`);
  return join(folder, name);
}

/** Opens the folder. Its folders are made when needed, readable by the owner only. */
export function openRailFolder(root: string) {
  // One call at a time, so a disk that hangs occupies one thread. Each file is a call of its own, so no call takes long.
  const { inTime } = limitDiskCalls(root, 1);
  const folder = (name: 'out' | 'in' | 'archive' | 'refused') => join(root, name);
  const modified = async (path: string) => (await stat(path).catch(ignore('ENOENT')))?.mtimeMs;

  const namesIn = (name: 'out' | 'in' | 'archive' | 'refused') =>
    inTime(async () => (await readdir(folder(name)).catch(ignore('ENOENT'))) ?? []);

  const visibleIn = async (name: 'out' | 'in') =>
    (await namesIn(name)).filter(each => !each.startsWith('.') && !each.endsWith(draftSuffix)).sort();

  /**
   * Moves a file into a folder, under another name if its name is taken. Another process may have moved it already. A call that
   * is late moves nothing, because the name may have a new file by then.
   */
  async function move(from: string, to: string, name: string, isLate: () => boolean): Promise<void> {
    await mkdir(to, { recursive: true, mode: 0o700 });
    const target = join(to, (await exists(join(to, name))) ? `${randomUUID().slice(0, 8)}-${name}` : name);
    if (isLate()) return;
    await rename(from, target).catch(ignore('ENOENT'));
    await syncFolder(to);
  }

  /**
   * Finds a file of `in`. Undefined if another process has moved it. Throws if its name is not UTF-8: such a name is listed
   * with U+FFFD, and no file is found under the listed name.
   */
  async function find(name: string) {
    const found = await stat(pathIn(folder('in'), name)).catch(ignore('ENOENT'));
    if (!found && name.includes('\uFFFD'))
      throw new Error(`The name of the file “${name}” is not UTF-8: rename the file`);
    return found;
  }

  /**
   * The content of a file. For a file that is too large, returns a text that is also too large, so that the caller refuses it.
   * The text repeats the file's name and size, so it differs for each file.
   */
  async function read(name: string): Promise<Buffer | undefined> {
    const path = pathIn(folder('in'), name);
    const found = await find(name);
    if (!found) return undefined;
    // Reading a named pipe would block until something is written to it.
    if (!found.isFile()) throw new Error(`${path} is a folder or a pipe, not a file`);
    if (found.size > maxFileBytes) return Buffer.alloc(maxFileBytes + 1, `${name} ${found.size} `);
    return await readFile(path).catch(ignore('ENOENT'));
  }

  /** Writes a file unless it exists, or is in the archive because it was sent before. */
  async function write(
    into: 'out' | 'in',
    name: string,
    content: string,
    isLate: () => boolean,
  ): Promise<void> {
    if (!writtenName.test(name)) throw new Error(`“${name}” is not the name of a rail file`);
    const path = join(folder(into), name);
    if (await exists(path)) return;
    if (into === 'out' && (await exists(join(folder('archive'), name)))) return;
    await mkdir(folder(into), { recursive: true, mode: 0o700 });
    const draft = `${path}.${randomUUID()}${draftSuffix}`;
    try {
      await writeDurably(draft, Buffer.from(content));
      // The caller will retry. A late file must not appear: another process may have sent it, and the other side fetched it.
      if (isLate()) return;
      await rename(draft, path);
    } finally {
      // Without this, each attempt on a full disk would leave a draft.
      await rm(draft, { force: true });
    }
    await syncFolder(folder(into));
  }

  return {
    /** Writes a file unless it exists. After `BUSY` the file may exist, and the call can be repeated. */
    put: (into: 'out' | 'in', name: string, content: string): Promise<void> =>
      inTime(isLate => write(into, name, content, isLate)),

    /** Moves every file in `out` to `archive`, as if the other side had fetched it. */
    async fetchAll(): Promise<void> {
      for (const name of await visibleIn('out'))
        await inTime(isLate => move(join(folder('out'), name), folder('archive'), name, isLate));
    },

    async list(settledMs = 0): Promise<string[]> {
      // Makes `in`, for people and programs to put files into. If it were missing, a file moved there would become `in` itself.
      await inTime(() => mkdir(folder('in'), { recursive: true, mode: 0o700 }));
      const visible = await visibleIn('in');
      if (settledMs === 0) return visible;
      const settled: string[] = [];
      for (const name of visible) {
        // A file whose time cannot be read is listed too: reading it reports why.
        const found = await inTime(() => find(name).catch(() => ({ mtimeMs: 0 })));
        // A copy that keeps its modification time can be dated in the future, if the other machine's clock is ahead.
        if (Math.abs(Date.now() - (found?.mtimeMs ?? Date.now())) >= settledMs) settled.push(name);
      }
      return settled;
    },

    read: (name: string) => inTime(() => read(name)),

    /** Moves a file away if it still has this content: the other side may have put a new file under the same name since. */
    fileAway: (name: string, to: 'archive' | 'refused', content: Buffer): Promise<void> =>
      inTime(async isLate => {
        if ((await read(name))?.equals(content))
          await move(pathIn(folder('in'), name), folder(to), name, isLate);
      }),

    /** If a file cannot be deleted, deletes the others first and then throws. */
    async deleteBefore(time: Date): Promise<number> {
      let deleted = 0;
      let failure: unknown;
      for (const each of ['archive', 'refused', 'in', 'out'] as const)
        for (const name of await namesIn(each)) {
          const isDraft = name.endsWith(draftSuffix);
          if ((each === 'in' || each === 'out') && !isDraft) continue;
          try {
            await inTime(async () => {
              const at = await modified(join(folder(each), name));
              if (at === undefined || at >= (isDraft ? Date.now() - abandonedMs : time.getTime())) return;
              await rm(join(folder(each), name), { force: true });
              deleted++;
            });
          } catch (error) {
            failure ??= error;
          }
        }
      if (failure !== undefined) throw failure;
      return deleted;
    },
  };
}
