/** The server's log: JSON lines on standard output, with secrets and personal data redacted. */
import { type Logger, pino } from 'pino';

/**
 * Lines are written in batches, at the latest after `periodicFlush`, because a system call for every request's line costs as
 * much as a tenth of a transfer. The process writes the rest when it exits; only a killed process loses its last lines.
 */
const batching = { sync: false, minLength: 8192, maxLength: 16 * 1024 * 1024, periodicFlush: 100 } as const;

/** Opens a log at level `warn`. */
export function openLog(): Logger {
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
    pino.destination({ dest: 1, ...batching }),
  );
}
