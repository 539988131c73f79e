/** When the newest complete base backup ended, for the metrics. */
import { backupFolder, listBaseBackups } from './folder.ts';

/**
 * A function that returns the end of the newest base backup in seconds since 1970, and 0 if there is none or no folder. It does
 * not wait for the disk: each call starts to read, and returns what was read last. While the disk hangs or fails, the result
 * stays the same.
 */
export function watchLastBackup(backupDir: string): () => number {
  const folder = backupFolder(backupDir);
  let seconds = 0;
  let isReading = false;
  const read = async (): Promise<void> => {
    if (isReading) return;
    isReading = true;
    const backups = await listBaseBackups(folder, () => {}).catch(() => undefined);
    // A backup that was made while the clock was ahead must not keep an alert from firing.
    const ended = backups?.map(({ endedAt }) => Date.parse(endedAt)).filter(time => time <= Date.now());
    if (ended) seconds = Math.max(0, ...ended) / 1000;
    isReading = false;
  };
  void read();
  return () => {
    void read();
    return seconds;
  };
}
