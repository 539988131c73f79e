/**
 * Calls of the step-up area: a second confirmation for the acts that a thief of a session would want. A call that performs such
 * an act answers 403 `STEP_UP_REQUIRED` with a challenge. The customer confirms the challenge with the calls of this area, gets
 * a proof, and sends the first call again with the proof in the header `Step-Up`. The proof is bound to that customer, session,
 * act, amount and receiver (PSD2 dynamic linking). It works once, within five minutes.
 */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { id, moment, oneTimeCode } from './fields.ts';
import * as factorsMessages from './messages/factors.ts';
import { CeremonyOptions, Credential } from './webAuthn.ts';

/** The acts that need a step-up. */
const stepUpActs = [
  'transfer',
  'external-transfer',
  'scheduled-transfer',
  'change-scheduled-transfer',
  'remove-factor',
  'raise-limits',
  'unfreeze',
] as const;
export type StepUpAct = (typeof stepUpActs)[number];

/**
 * What a customer confirms. `receiver` is the account number of a transfer inside the bank, or another text that identifies
 * what the act is about. Two acts of the same kind that each need their own proof must have different `receiver`s.
 */
export type StepUp = { act: StepUpAct; amountCents?: bigint | undefined; receiver?: string | undefined };

const stepUpMethods = ['email', 'totp', 'passkey'] as const;
export type StepUpMethod = (typeof stepUpMethods)[number];

/** In the failure envelope of `STEP_UP_REQUIRED`. `methods` is empty while the customer has no way to confirm. */
export const StepUpChallenge = z.object({
  _id: z.string(),
  methods: z.array(z.enum(stepUpMethods)),
  expiresAt: moment,
  /** The customer has added an app or a passkey that cannot confirm yet. */
  hasWaitingFactor: z.boolean(),
  /** When the first of them can confirm. Missing while the account is frozen: the wait starts when the account is unfrozen. */
  factorFrom: z.optional(moment),
  /** When a mailed code can confirm again; set after a password reset by mail or a change of the email by staff. */
  emailFrom: z.optional(moment),
  /** Seconds since a code that still works was mailed for this challenge; missing if there is none. */
  codeAge: z.optional(z.number()),
});
export type StepUpChallenge = z.input<typeof StepUpChallenge>;
export type DecodedStepUpChallenge = z.output<typeof StepUpChallenge>;

/**
 * In the failure envelope of the calls about a challenge. `isOver`: the challenge can no longer be confirmed. `isMailed`: no
 * new code was mailed, because the code that was mailed for the challenge still works.
 */
export type StepUpRefusal = { isOver?: true; isMailed?: true };

const path = '/api/v1/user/step-up/{id}';
/** What the calls about one challenge have in common. */
const call = {
  method: 'POST',
  access: 'customer',
  whilePending: true,
  params: z.strictObject({ id }),
  refusals: ['NOT_FOUND', 'CONFLICT'],
} as const;

export const stepUpApi = {
  sendStepUpCode: endpoint({
    ...call,
    path: `${path}/send`,
    addressQuota: 'login',
    message: 'We emailed you a code.',
    summary: 'Email a code for a challenge, with the act, amount and receiver that it confirms',
  }),
  stepUpPasskeyOptions: endpoint({
    ...call,
    path: `${path}/passkey/options`,
    quota: 'changes',
    data: CeremonyOptions,
    message: factorsMessages.passkeyOptions,
    summary: 'Options with which a browser confirms a challenge with a passkey',
  }),
  verifyStepUp: endpoint({
    ...call,
    path: `${path}/verify`,
    addressQuota: 'login',
    body: z.strictObject({
      method: z.enum(stepUpMethods),
      code: z.optional(oneTimeCode),
      credential: z.optional(Credential),
    }),
    data: z.object({ proof: z.string() }),
    message: 'Confirmed',
    summary: 'Confirm a challenge; the proof goes into the header Step-Up of the repeated call',
  }),
};
