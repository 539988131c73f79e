/** The status, code and message of each refusal: the status table of the API, as literals. */
import { describe, expect, test } from 'vitest';
import { Refusal, type RefusalCode, refusals } from './errors.ts';
import * as registerMessages from './messages/register.ts';
import * as transferMessages from './messages/transfer.ts';

const table: Record<RefusalCode, readonly [status: number, message: string | undefined, rows: string]> = {
  VALIDATION: [400, undefined, 'C-22, C-23'],
  BAD_PASSWORD: [400, 'Current password is incorrect', 'C-83, C-85'],
  NOT_AUTHORIZED: [401, 'Not authorized', 'C-24'],
  TOKEN_EXPIRED: [401, 'Token expired', 'C-25'],
  BAD_CREDENTIALS: [401, 'Invalid email or password', 'C-26'],
  BAD_CODE: [401, 'Invalid or expired code', 'C-27'],
  SECOND_FACTOR: [401, 'Enter a code from your authenticator app, or use a passkey', 'SF-10'],
  ACCOUNT_PENDING: [403, undefined, 'C-28'],
  ACCOUNT_FROZEN: [403, 'Your account is frozen. Please contact customer service.', 'C-29'],
  FORBIDDEN: [403, undefined, 'C-30'],
  STEP_UP_REQUIRED: [403, undefined, 'BR-01'],
  NOT_FOUND: [404, undefined, 'C-31'],
  CONFLICT: [409, undefined, 'C-33, C-34'],
  IDEMPOTENCY_MISMATCH: [409, undefined, 'C-35'],
  TOO_LARGE: [413, undefined, 'C-36, C-89'],
  UNSUPPORTED_TYPE: [415, undefined, 'C-37'],
  INSUFFICIENT_BALANCE: [422, 'Insufficient balance', 'C-38'],
  SAME_ACCOUNT: [422, undefined, 'C-39'],
  LIMIT_EXCEEDED: [422, 'This is more than your daily limit', 'BR-20'],
  TOO_MANY: [429, undefined, 'C-41'],
  FAULT: [500, undefined, 'C-10'],
  BUSY: [503, undefined, 'C-42'],
};

describe('a refusal', () => {
  for (const [code, [status, message, rows]] of Object.entries(table)) {
    const saying = message === undefined ? '' : ` and says "${message}"`;
    test(`${code} is answered with ${status}${saying} [${rows}]`, () => {
      const refusal = refusals[code as RefusalCode];
      expect(refusal.status).toBe(status);
      if (message !== undefined) expect(refusal.message).toBe(message);
    });
  }

  test('has a code from the table [C-08]', () => {
    expect(Object.keys(refusals).sort()).toEqual(Object.keys(table).sort());
  });

  test('has a code in capitals and a sentence for people [C-08]', () => {
    for (const [code, { message }] of Object.entries(refusals)) {
      expect(code).toMatch(/^[A-Z]+(_[A-Z]+)*$/);
      expect(message).toMatch(/^[A-Z].*\S$/);
      expect(message, 'a sentence with a placeholder cannot be a default').not.toMatch(/[{}]/);
    }
  });

  test('has an error status, never a success or a redirect [C-10]', () => {
    for (const { status } of Object.values(refusals)) expect(status).toBeGreaterThanOrEqual(400);
  });

  test('is a 401 only for a failed login, code or session, so not for a wrong password in the settings [C-85]', () => {
    const unauthorized = Object.entries(refusals).filter(([, { status }]) => status === 401);
    expect(unauthorized.map(([code]) => code).sort()).toEqual([
      'BAD_CODE',
      'BAD_CREDENTIALS',
      'NOT_AUTHORIZED',
      'SECOND_FACTOR',
      'TOKEN_EXPIRED',
    ]);
  });

  test('has the message of its code unless it is given a more specific one', () => {
    expect(new Refusal('NOT_FOUND').message).toBe(refusals.NOT_FOUND.message);
    expect(new Refusal('NOT_FOUND', { message: transferMessages.accountNotFound }).message).toBe(
      'Account not found',
    );
  });

  test('carries its code, its fields and its seconds to wait [C-09]', () => {
    const errors = [{ field: 'email', message: registerMessages.email }];
    const refusal = new Refusal('TOO_MANY', { errors, waitTime: 45 });
    expect(refusal).toBeInstanceOf(Error);
    expect(refusal).toMatchObject({ name: 'Refusal', code: 'TOO_MANY', errors, waitTime: 45 });
    expect(new Refusal('BUSY').errors).toBeUndefined();
    expect(new Refusal('BUSY').waitTime).toBeUndefined();
  });
});
