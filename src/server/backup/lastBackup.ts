/** When the newest complete base backup ended, for the metrics. */
import { backupFolder, listBaseBackups } from './folder.ts';

/**
 * A function that returns the end of the newest base backup in seconds since 1970, and 0 if there is none or no folder. It does
 * not wait for the disk: each call starts to read, and returns what was read last. While the disk hangs or fails, that stays.
 */
export function watchLastBackup(backupDir: string): () => number {
  const folder = backupFolder(backupDir);
  let seconds = 0;
  let isReading = false;
  const read = async (): Promise<void> => {
    if (isReading) return;
    isReading = true;
    const backups = await listBaseBackups(folder, () => {}).catch(() => undefined);
    if (backups) seconds = Math.max(0, ...backups.map(({ endedAt }) => Date.parse(endedAt) / 1000));
    isReading = false;
  };
  void read();
  return () => {
    void read();
    return seconds;
  };
}
