/** The server's log: JSON lines on standard output, with secrets and personal data redacted. */
import { type Logger, pino } from 'pino';

/** Opens a log at level `warn`. */
export function openLog(): Logger {
  return pino({
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
  });
}
