/**
 * Writes and copies files so that their content survives a power failure: it is synced before the call returns. After
 * `writeDurably` or `copyDurably`, the caller syncs the folder, so that the name survives too.
 */
import { copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The suffix of a file's name while the file is being written. The complete file gets its final name. */
export const draftSuffix = '.draft';
/** A draft that has not changed for this long counts as left behind by a killed process. */
export const abandonedMs = 60 * 60 * 1000;

/** Creates a file with this content and syncs it. Throws `EEXIST` if the file exists. */
export async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Creates or replaces a file in one step: a reader sees all of the old content or all of the new content. */
export async function replaceDurably(path: string, bytes: Uint8Array): Promise<void> {
  const draft = path + draftSuffix;
  await rm(draft, { force: true });
  await writeDurably(draft, bytes);
  await rename(draft, path);
  await syncFolder(dirname(path));
}

/** Syncs a folder, so that a rename survives a power failure. Does nothing on Windows, which cannot open folders. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  await syncFile(path);
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Copies a folder with everything in it and syncs every file. `isCopied` gets paths relative to `from`, with slashes. A file
 * that is removed while the folder is being copied is left out.
 */
export async function copyFolder(
  from: string,
  to: string,
  isCopied: (path: string) => boolean = () => true,
  inside = '',
): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const path = `${inside}${entry.name}`;
    if (!isCopied(path)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyFolder(source, target, isCopied, `${path}/`).catch(ignore('ENOENT'));
    else if (entry.isFile()) await copyDurably(source, target).catch(ignore('ENOENT'));
  }
  await syncFolder(to);
}

/** Copies one file and syncs the copy. */
export async function copyDurably(source: string, target: string): Promise<void> {
  await copyFile(source, target);
  await syncFile(target);
}

/** Whether a file or folder exists. Asynchronous, because `existsSync` would block the whole process on a disk that hangs. */
export async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(ignore('ENOENT'))) !== undefined;
}

/** For `catch`: returns undefined for an error with this code, such as `ENOENT`, and throws any other error again. */
export function ignore(code: string): (error: unknown) => undefined {
  return error => {
    if ((error as NodeJS.ErrnoException).code !== code) throw error;
    return undefined;
  };
}
