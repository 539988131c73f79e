/** One build at a time in a checkout. A lock left behind by a process that is gone is taken over. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const retryMs = 100;

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

/** Waits for the lock of `dist` and takes it. Resolves with the function that gives it back. */
export async function holdBuildLock(dist: string): Promise<() => Promise<void>> {
  const file = path.join(dist, 'building');
  await mkdir(dist, { recursive: true });
  for (;;) {
    try {
      await writeFile(file, String(process.pid), { flag: 'wx' });
      return () => rm(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if (await isHeld(file)) await pause(retryMs);
      else await rm(file, { force: true });
    }
  }
}
