/**
 * Where the bank's files are: pictures, people's keys and copies of data, under keys such as `files/4f/avatar-4f….webp`. One
 * implementation uses a folder, the other (s3Store.ts) an S3-compatible store, which also has the heads of the audit chain.
 * Both use the same keys, so files can be copied from one to the other with any tool. Everything about people is encrypted
 * before it gets here.
 */
import { randomBytes } from 'node:crypto';
import { link, mkdir, open, opendir, readFile, rename, rm, stat, statfs, utimes } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { Refusal } from '#contract/errors.ts';
import { limitDiskCalls } from '../base/diskCalls.ts';
import { abandonedMs, draftSuffix, exists, ignore, syncFolder, writeDurably } from '../base/durableFiles.ts';
import type { Config } from '../config.ts';
import type { StoreLog } from './s3Requests.ts';
import { openS3Store } from './s3Store.ts';

/** A stored file of which parts can be read. */
export type OpenFile = {
  size: number;
  /** The bytes from `start` up to and excluding `end`, which is larger. */
  read(start: number, end: number): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
};

/**
 * Every function throws `BUSY` if the store is full, does not answer, fails, or refuses the credentials or a right. For a
 * folder there are three exceptions, which throw the error of the disk: `createFolder`, `list` after its first call to the
 * disk, and `write` once it has begun, unless the disk is full or read-only.
 */
export type ObjectStore = {
  /** Stores a file durably; replaces one with the same key in one step. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Stores a file durably unless the key exists. Returns whether it was stored. */
  create(key: string, bytes: Uint8Array): Promise<boolean>;
  /** `put` for a stream. */
  write(key: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  get(key: string): Promise<Buffer | undefined>;
  /** Undefined if there is no such file. */
  open(key: string): Promise<OpenFile | undefined>;
  /** Removes a file durably. A missing one is not an error. */
  delete(key: string): Promise<void>;
  /** Moves a file; its age then counts from the move. A missing one is not an error. */
  move(from: string, to: string): Promise<void>;
  /** Every file in a folder (`files/`) and in the folders inside it. Removes what killed processes left incomplete. */
  list(folder: string): AsyncIterable<{ key: string; storedAt: Date }>;
  hasFolder(folder: string): Promise<boolean>;
  createFolder(folder: string): Promise<void>;
  /**
   * For an S3-compatible store: whether it answers, and its last answer did not deny access. For a folder: whether its disk
   * answers all requests in time, and answered the last one without an error of its own.
   */
  answers(): boolean;
  /** Throws `SettingsError` if the store cannot keep what the bank relies on. */
  refuseUnfit(): Promise<void>;
};

/** Opens the store of the settings: `FILES_URL`, or the data directory. */
export function openStore(
  { dataDir, filesUrl }: Pick<Config, 'dataDir' | 'filesUrl'>,
  log: StoreLog,
): ObjectStore {
  return filesUrl ? openS3Store(filesUrl, log) : openFolderStore(dataDir);
}

function refuseFull(error: unknown): never {
  const { code = '' } = error as NodeJS.ErrnoException;
  throw ['ENOSPC', 'EDQUOT', 'EROFS'].includes(code)
    ? new Refusal('BUSY', { waitTime: 60, cause: error })
    : error;
}

/**
 * On a disk with less free space than this, only small files such as people's keys are stored, so that a flood of pictures does
 * not stop a database on that disk.
 */
const defaultReserve = 1024 ** 3;
const smallBytes = 4_096;
/** How many calls use the folder's disk at a time. */
const maxCalls = 3;

/** The free bytes of a folder's disk; undefined if its file system does not report its size. */
export async function readFreeBytes(folder: string): Promise<number | undefined> {
  const { blocks, bavail, bsize } = await statfs(folder);
  return blocks > 0 ? bavail * bsize : undefined;
}

/** Opens a store in a folder, which is made when needed, readable by the owner only. */
export function openFolderStore(root: string, reserve = defaultReserve): ObjectStore {
  const pathOf = (key: string) => join(root, key);
  const { inTime, answers } = limitDiskCalls(root, maxCalls);

  async function refuseLowSpace(folder: string): Promise<void> {
    const free = await readFreeBytes(folder);
    if (free !== undefined && free < reserve)
      throw Object.assign(new Error(`The disk of ${root} has less than 1 GB of free space.`), {
        code: 'ENOSPC',
      });
  }

  /** Writes a draft of `bytes`, and then gives it its final name. */
  async function store<T>(
    key: string,
    bytes: number,
    write: (draft: string) => Promise<void>,
    name: (draft: string, path: string) => Promise<T>,
  ): Promise<T> {
    const path = pathOf(key);
    const draft = `${path}-${randomBytes(8).toString('hex')}${draftSuffix}`;
    const mode = 0o700;
    try {
      // On a read-only disk, a recursive `mkdir` fails with ENOENT. Without `recursive`, it fails with EROFS.
      await mkdir(dirname(path), { recursive: true, mode }).catch(() => mkdir(dirname(path), mode));
      if (bytes > smallBytes) await refuseLowSpace(dirname(path));
      await write(draft);
      const result = await name(draft, path);
      await syncFolder(dirname(path));
      return result;
    } catch (error) {
      return refuseFull(error);
    } finally {
      await rm(draft, { force: true });
    }
  }

  async function write(key: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    // Writing a large file has no time limit, but it does not begin while the disk hangs.
    await inTime(() => exists(root), key);
    await store(
      key,
      Number.POSITIVE_INFINITY,
      async draft => {
        const file = await open(draft, 'wx', 0o600);
        try {
          for await (const piece of content) await file.writeFile(piece);
          await file.sync();
        } finally {
          await file.close();
        }
      },
      rename,
    );
  }

  return {
    put: (key, bytes) =>
      inTime(() => store(key, bytes.length, draft => writeDurably(draft, bytes), rename), key),

    create: (key, bytes) =>
      inTime(
        () =>
          store(
            key,
            bytes.length,
            draft => writeDurably(draft, bytes),
            // Unlike a rename, a link does not replace what another process wrote.
            (draft, path) =>
              link(draft, path).then(
                () => true,
                error => ignore('EEXIST')(error) ?? false,
              ),
          ),
        key,
      ),

    write,

    get: key => inTime(() => readFile(pathOf(key)).catch(ignore('ENOENT')), key),

    async open(key) {
      const opened = await inTime(async isLate => {
        const file = await open(pathOf(key), 'r').catch(ignore('ENOENT'));
        const stats = await file?.stat().catch(async (error: unknown) => {
          await file.close();
          throw error;
        });
        if (isLate()) await file?.close();
        else return file && { file, size: stats!.size };
      }, key);
      if (!opened) return undefined;
      const { file, size } = opened;
      return {
        size,
        read: (start, end) => file.createReadStream({ start, end: end - 1, autoClose: false }),
        close: () => file.close(),
      };
    },

    delete: key =>
      inTime(async () => {
        await rm(pathOf(key), { force: true });
        await syncFolder(dirname(pathOf(key))).catch(ignore('ENOENT'));
      }, key),

    move: (from, to) =>
      inTime(async () => {
        const now = new Date();
        await mkdir(dirname(pathOf(to)), { recursive: true, mode: 0o700 });
        await utimes(pathOf(from), now, now).catch(ignore('ENOENT'));
        await rename(pathOf(from), pathOf(to)).catch(ignore('ENOENT'));
      }, from),

    async *list(folder) {
      const found = await inTime(
        () => opendir(pathOf(folder), { recursive: true }).catch(ignore('ENOENT')),
        folder,
      );
      for await (const entry of found ?? []) {
        if (!entry.isFile()) continue;
        const path = join(entry.parentPath, entry.name);
        const { mtime } = (await stat(path).catch(ignore('ENOENT'))) ?? {};
        if (!mtime) continue;
        if (!entry.name.endsWith(draftSuffix))
          yield { key: relative(root, path).replaceAll('\\', '/'), storedAt: mtime };
        else if (Date.now() - mtime.getTime() > abandonedMs) await rm(path, { force: true });
      }
    },

    hasFolder: folder => inTime(() => exists(pathOf(folder)), folder),

    async createFolder(folder) {
      await mkdir(pathOf(folder), { recursive: true, mode: 0o700 });
    },

    answers,
    refuseUnfit: async () => {},
  };
}
