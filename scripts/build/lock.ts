/** The build lock: one build at a time in a checkout. The lock of a dead process is removed. */
import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const retryMs = 100;
const claimExpiryMs = 10_000;

/** Creates a hard link; returns false if the name already exists. */
async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function isHeld(file: string): Promise<boolean> {
  const holder = Number(await readFile(file, 'utf8').catch(() => ''));
  if (!holder) return false;
  try {
    process.kill(holder, 0);
    return true;
  } catch (error) {
    // EPERM: the process is alive but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Removes the lock of a dead process. Only the holder of the claim file removes it, and first checks it again, because another
 * process may have taken the lock in the meantime. A claim lasts an instant; an old claim was left by a killed process.
 */
async function removeStale(file: string, own: string): Promise<void> {
  const claim = `${file}-claim`;
  if (!(await tryLink(own, claim))) {
    const made = await stat(claim).catch(() => undefined);
    if (made && Date.now() - made.ctimeMs > claimExpiryMs) await rm(claim, { force: true });
    await sleep(retryMs / 10);
    return;
  }
  try {
    if (!(await isHeld(file))) await rm(file, { force: true });
  } finally {
    await rm(claim, { force: true });
  }
}

/** Waits for the lock of `dist` and takes it. Resolves with a function that releases it. */
export async function holdBuildLock(dist: string): Promise<() => Promise<void>> {
  const file = path.join(dist, 'building');
  const own = `${file}-${process.pid}-${randomBytes(4).toString('hex')}`;
  await mkdir(dist, { recursive: true });
  // The process id is written before the file becomes the lock, so that no process ever reads a lock without an id.
  await writeFile(own, String(process.pid), { flag: 'wx' });
  try {
    while (!(await tryLink(own, file))) {
      if (await isHeld(file)) await sleep(retryMs);
      else await removeStale(file, own);
    }
    return () => rm(file, { force: true });
  } finally {
    await rm(own, { force: true });
  }
}
