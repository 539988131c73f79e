/** One build at a time in a checkout. A lock left behind by a process that is gone is taken over. */
import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const retryMs = 100;

/** Whether a link could be made; false where the name is taken. */
async function hasLinked(from: string, to: string): Promise<boolean> {
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
    // EPERM: it lives, it is just not ours.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Takes a lock away whose holder is gone. Moved first and looked at again: meanwhile it may have become somebody's. */
async function removeStale(file: string, aside: string): Promise<void> {
  try {
    await rename(file, aside);
  } catch {
    return;
  }
  if (await isHeld(aside)) await hasLinked(aside, file);
  await rm(aside, { force: true });
}

/** Waits for the lock of `dist` and takes it. Resolves with the function that gives it back. */
export async function holdBuildLock(dist: string): Promise<() => Promise<void>> {
  const file = path.join(dist, 'building');
  const own = `${file}-${process.pid}-${randomBytes(4).toString('hex')}`;
  await mkdir(dist, { recursive: true });
  // Written before it becomes the lock, so that nobody ever reads a lock without a holder.
  await writeFile(own, String(process.pid), { flag: 'wx' });
  try {
    while (!(await hasLinked(own, file))) {
      if (await isHeld(file)) await pause(retryMs);
      else await removeStale(file, `${own}-stale`);
    }
    return () => rm(file, { force: true });
  } finally {
    await rm(own, { force: true });
  }
}
