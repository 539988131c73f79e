/**
 * Every refusal the API can give: its machine code, HTTP status and default sentence. No other file names a status
 * for a refusal.
 */
import { messages } from './messages.ts';

export const refusals = {
  VALIDATION: { status: 400, message: messages.errors.validation },
  BAD_PASSWORD: { status: 400, message: messages.settings.wrongCurrentPassword },
  NOT_AUTHORIZED: { status: 401, message: messages.errors.notAuthorized },
  TOKEN_EXPIRED: { status: 401, message: messages.errors.tokenExpired },
  BAD_CREDENTIALS: { status: 401, message: messages.auth.badCredentials },
  BAD_CODE: { status: 401, message: messages.auth.badCode },
  ACCOUNT_PENDING: { status: 403, message: messages.errors.accountPending },
  ACCOUNT_FROZEN: { status: 403, message: messages.errors.accountFrozen },
  FORBIDDEN: { status: 403, message: messages.errors.forbidden },
  NOT_FOUND: { status: 404, message: messages.errors.notFound },
  CONFLICT: { status: 409, message: messages.errors.conflict },
  IDEMPOTENCY_MISMATCH: { status: 409, message: messages.errors.idempotencyMismatch },
  TOO_LARGE: { status: 413, message: messages.errors.tooLarge },
  UNSUPPORTED_TYPE: { status: 415, message: messages.errors.unsupportedType },
  INSUFFICIENT_BALANCE: { status: 422, message: messages.transfer.insufficientBalance },
  SAME_ACCOUNT: { status: 422, message: messages.transfer.sameAccount },
  TOO_MANY: { status: 429, message: messages.errors.tooMany },
  FAULT: { status: 500, message: messages.errors.fault },
  BUSY: { status: 503, message: messages.errors.busy },
} as const;

/** Machine-readable reason of a failure, the `code` of the envelope. */
export type RefusalCode = keyof typeof refusals;

/** The failure envelope as it travels. */
export type Failure = {
  success: false;
  message: string;
  code: RefusalCode;
  errors?: { field: string; message: string }[];
  /** Seconds to wait before the same call can succeed. */
  waitTime?: number;
};

/** A "no" that is expected: thrown anywhere, answered with its code's status and sentence. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly errors: Failure['errors'];
  /** Seconds. */
  readonly waitTime: number | undefined;

  constructor(
    code: RefusalCode,
    more: { message?: string; errors?: Failure['errors']; waitTime?: number } = {},
  ) {
    super(more.message ?? refusals[code].message);
    this.name = 'Refusal';
    this.code = code;
    this.errors = more.errors;
    this.waitTime = more.waitTime;
  }
}
