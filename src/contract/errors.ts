/** Every refusal of the API: machine code, HTTP status and default message. No other file names a status for a refusal. */
import * as authMessages from './messages/auth.ts';
import * as errorMessages from './messages/errors.ts';
import * as factorsMessages from './messages/factors.ts';
import * as limitsMessages from './messages/limits.ts';
import * as settingsMessages from './messages/settings.ts';
import * as stepUpMessages from './messages/stepUp.ts';
import * as transferMessages from './messages/transfer.ts';
import type { StepUp, StepUpChallenge } from './stepUp.ts';

export const refusals = {
  VALIDATION: { status: 400, message: errorMessages.validation },
  BAD_PASSWORD: { status: 400, message: settingsMessages.wrongCurrentPassword },
  NOT_AUTHORIZED: { status: 401, message: errorMessages.notAuthorized },
  TOKEN_EXPIRED: { status: 401, message: errorMessages.tokenExpired },
  BAD_CREDENTIALS: { status: 401, message: authMessages.badCredentials },
  BAD_CODE: { status: 401, message: authMessages.badCode },
  SECOND_FACTOR: { status: 401, message: factorsMessages.secondFactor },
  ACCOUNT_PENDING: { status: 403, message: errorMessages.accountPending },
  ACCOUNT_FROZEN: { status: 403, message: errorMessages.accountFrozen },
  STEP_UP_REQUIRED: { status: 403, message: stepUpMessages.required },
  FORBIDDEN: { status: 403, message: errorMessages.forbidden },
  NOT_FOUND: { status: 404, message: errorMessages.notFound },
  CONFLICT: { status: 409, message: errorMessages.conflict },
  IDEMPOTENCY_MISMATCH: { status: 409, message: errorMessages.idempotencyMismatch },
  TOO_LARGE: { status: 413, message: errorMessages.tooLarge },
  UNSUPPORTED_TYPE: { status: 415, message: errorMessages.unsupportedType },
  INSUFFICIENT_BALANCE: { status: 422, message: transferMessages.insufficientBalance },
  LIMIT_EXCEEDED: { status: 422, message: limitsMessages.exceeded },
  SAME_ACCOUNT: { status: 422, message: transferMessages.sameAccount },
  TOO_MANY: { status: 429, message: errorMessages.tooMany },
  FAULT: { status: 500, message: errorMessages.fault },
  BUSY: { status: 503, message: errorMessages.busy },
} as const;

/** The machine-readable `code` of the failure envelope. */
export type RefusalCode = keyof typeof refusals;

/** The failure envelope in the wire format. */
export type Failure = {
  success: false;
  message: string;
  code: RefusalCode;
  errors?: { field: string; message: string }[];
  /** Seconds to wait before the same call can succeed. */
  waitTime?: number;
  /** With `STEP_UP_REQUIRED`: what the customer must confirm before the same call can succeed. */
  challenge?: StepUpChallenge;
  /** What the client needs to continue, such as the ticket of a second step. Each field is also a field of the envelope. */
  data?: Readonly<Record<string, unknown>>;
};

/** An expected refusal: thrown anywhere, answered with the status of its code and, by default, the message of its code. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly errors: Failure['errors'];
  /** Seconds. */
  readonly waitTime: number | undefined;
  /** With `STEP_UP_REQUIRED`: what must be confirmed. The server creates the challenge after the transaction has ended. */
  readonly stepUp: StepUp | undefined;
  challenge: StepUpChallenge | undefined;
  readonly data: Failure['data'];

  constructor(
    code: RefusalCode,
    more: {
      message?: string;
      errors?: Failure['errors'];
      waitTime?: number;
      stepUp?: StepUp;
      data?: Failure['data'];
      cause?: unknown;
    } = {},
  ) {
    super(more.message ?? refusals[code].message, { cause: more.cause });
    this.name = 'Refusal';
    this.code = code;
    this.errors = more.errors;
    this.waitTime = more.waitTime;
    this.stepUp = more.stepUp;
    this.data = more.data;
  }
}

/** The refusal of a field, with the same message for the form and for the field. */
export function invalidField(field: string, message: string): Refusal {
  return new Refusal('VALIDATION', { message, errors: [{ field, message }] });
}
