/** The server's log: JSON lines on standard output, with secrets and personal data redacted. */
import { format } from 'node:util';
import { type Logger, pino } from 'pino';
import { withDeadline } from './base/deadline.ts';

/**
 * Lines are written in batches, at the latest after `periodicFlush`, because a system call for every request's line costs as
 * much as a tenth of a transfer. Linux never splits a write of up to 4,096 bytes to a pipe, so the lines of several workers do
 * not mix, except longer ones. The process writes the rest when it exits. Its last lines are lost only if it is killed, or if
 * its output is a file on a full disk, or a pipe whose reader does not read the rest in time. In the last two cases, up to
 * `maxLength` bytes stay in memory, and further lines are dropped.
 */
const batching = {
  sync: false,
  minLength: 4000,
  maxWrite: 4096,
  maxLength: 16 * 1024 * 1024,
  periodicFlush: 100,
} as const;

/** How often lines were written: while this number grows, the reader of the log reads. */
let writes = 0;

/** Opens a log at level `warn`. */
export function openLog(): Logger {
  // If standard output is a file on a full disk, the lines in memory are written when there is space again, and if it is a full
  // pipe, when its reader reads again. A process that exits before that drops them, because the library would retry forever; so
  // it would on a pipe without a reader.
  let [isFull, isExiting] = [false, false];
  const retryEAGAIN = () => {
    isFull = true;
    return !isExiting;
  };
  const destination = pino.destination({ dest: 1, ...batching, retryEAGAIN });
  // Without this listener, the error would end the process.
  destination.on('error', () => {
    isFull = true;
  });
  destination.on('write', () => {
    isFull = false;
    writes++;
  });
  const flushSync = destination.flushSync.bind(destination);
  destination.flushSync = () => {
    if (isFull) return;
    isExiting = true;
    try {
      flushSync();
    } catch {
      // The pipe has just become full.
    } finally {
      isExiting = false;
    }
  };
  return pino(
    {
      level: 'warn',
      redact: [
        'req.headers.authorization',
        '*.password',
        '*.otp',
        '*.currentPassword',
        '*.newPassword',
        '*.token',
        // PostgreSQL repeats whole rows in these fields.
        'err.detail',
        'err.where',
      ],
    },
    destination,
  );
}

/**
 * Writes the lines in memory, until `endAt` (of `performance.now()`) and as long as some can be written every `silenceMs`, but
 * at least for half a second. Call it before the process exits: if they cannot be written, this notices it, and the exit
 * drops them. Without it, the exit would hang.
 */
export async function flushLog(log: Logger, endAt: number, silenceMs = 500): Promise<void> {
  // The first flush can leave up to `minLength` bytes in memory. The second one writes them.
  const flushed = new Promise<boolean>(resolve => log.flush(() => log.flush(() => resolve(true))));
  let before: number;
  do {
    before = writes;
    const waitMs = Math.max(500, Math.min(silenceMs, endAt - performance.now()));
    if (await withDeadline(flushed, waitMs, () => false)) return;
  } while (writes > before && performance.now() + 500 < endAt);
}

/** Keeps the process running when its output cannot be written: the disk behind it is full, or the pipe is closed. */
export function ignoreOutputErrors(): void {
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {});
}

/**
 * A Node process that exits sets its standard output back to blocking, and with it the same output of this process. Then a full
 * pipe would hang this process. Call it after a process that inherited the output has exited.
 */
export function unblockOutput(): void {
  for (const output of [process.stdout, process.stderr]) {
    const { _handle: handle, isTTY } = output as {
      _handle?: { setBlocking?(on: boolean): void };
      isTTY: boolean;
    };
    if (!isTTY) handle?.setBlocking?.(false);
  }
}

/**
 * What to log of a value that a library prints. Of an error, logs only its stack, and the messages of its cause and of the
 * errors in an `AggregateError`, because PostgreSQL repeats whole rows in other fields. Any other object may contain such an
 * error, so it is logged as `[object]`.
 */
function loggable(printed: unknown): unknown {
  if (!(printed instanceof Error))
    return typeof printed === 'object' && printed !== null ? '[object]' : printed;
  return [printed.stack, ...innerMessages(printed)].join('\n');
}

function innerMessages(error: Error): string[] {
  const inner: unknown[] = [...(error instanceof AggregateError ? error.errors : []), error.cause];
  return inner
    .flatMap(each => (each instanceof Error ? [each.message, ...innerMessages(each)] : each))
    .filter((text): text is string => typeof text === 'string' && text !== '');
}

/** Logs what libraries print. In an outage, the library of the job queue prints stack traces of several lines. */
export function logConsole(log: Logger): void {
  for (const method of ['error', 'trace', 'warn'] as const)
    console[method] = (...given: unknown[]) => {
      log.warn({ reason: format(...given.map(loggable)) }, 'a library printed a message');
    };
}
