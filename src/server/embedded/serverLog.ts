/** Limits the size of PostgreSQL's log, keeps one older log, and reads the lines about a failure. */
import { closeSync, copyFileSync, openSync, readSync, rmSync, statSync, truncateSync } from 'node:fs';

const LOG_LIMIT_BYTES = 8 * 1024 * 1024;
const TAIL_LIMIT_BYTES = 64 * 1024;

/**
 * Limits the log's size. PostgreSQL keeps the file open and appends, so it is truncated, not renamed. On a full disk,
 * PostgreSQL's errors make the log grow, and a copy does not fit: then the log is truncated without one. Never throws.
 */
export function trimLog(logFile: string): void {
  try {
    if (sizeOfLog(logFile) < LOG_LIMIT_BYTES) return;
    const older = `${logFile}.1`;
    rmSync(older, { force: true });
    try {
      copyFileSync(logFile, older);
    } catch {
      rmSync(older, { force: true });
    }
    truncateSync(logFile, 0);
  } catch {
    // The folder is read-only or gone.
  }
}

/** The size of the log in bytes; 0 if there is none. */
export const sizeOfLog = (logFile: string): number => statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;

/**
 * Returns PostgreSQL's log since `offset` (in bytes), without the lines about ordinary events. Returns an empty
 * string if the log cannot be read, for example because there are too many open files. Never throws.
 */
export function readLog(logFile: string, offset: number): string {
  const lines = readTail(logFile, offset)
    .split('\n')
    .filter(line => line.trim() !== '' && !/ (LOG|WARNING|STATEMENT): /.test(line))
    .map(line => line.replace(/^.*? ((FATAL|PANIC|ERROR|HINT|DETAIL): ) */, '$1').trim());
  return [...new Set(lines)].slice(-8).join(' / ');
}

function readTail(logFile: string, offset: number): string {
  let file: number | undefined;
  try {
    const size = sizeOfLog(logFile);
    const start = Math.max(offset > size ? 0 : offset, size - TAIL_LIMIT_BYTES);
    const bytes = Buffer.alloc(Math.max(size - start, 0));
    if (bytes.length === 0) return '';
    file = openSync(logFile, 'r');
    readSync(file, bytes, 0, bytes.length, start);
    return bytes.toString('utf8');
  } catch {
    return '';
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
