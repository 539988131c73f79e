/** One build at a time in a checkout. A lock left behind by a process that is gone is taken over. */
import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const retryMs = 100;
const oldClaimMs = 10_000;

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

/**
 * Takes a lock away whose holder is gone. Only who holds the claim may, and looks again first: a lock that somebody took
 * meanwhile stays. A claim is held for an instant; an old one was left by a process that was killed in it.
 */
async function removeStale(file: string, own: string): Promise<void> {
  const claim = `${file}-claim`;
  if (!(await hasLinked(own, claim))) {
    const made = await stat(claim).catch(() => undefined);
    if (made && Date.now() - made.ctimeMs > oldClaimMs) await rm(claim, { force: true });
    await pause(retryMs / 10);
    return;
  }
  try {
    if (!(await isHeld(file))) await rm(file, { force: true });
  } finally {
    await rm(claim, { force: true });
  }
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
      else await removeStale(file, own);
    }
    return () => rm(file, { force: true });
  } finally {
    await rm(own, { force: true });
  }
}
