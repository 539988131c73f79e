/** Calls of the limits area: a customer's own limits on payments, freezing the account, and stopping a payment. */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { amount, id, money } from './fields.ts';
import * as limitsMessages from './messages/limits.ts';
import { operators } from './roles.ts';

/**
 * `stepUpFrom`: transfers of this amount or more need a step-up, in addition to the bank's own rule. `dailyOut`: the most
 * that can leave the account in one day of the bank's calendar. Null: no limit.
 */
const Limits = z.object({ stepUpFrom: z.nullable(money), dailyOut: z.nullable(money) });
export type Limits = z.input<typeof Limits>;

/**
 * `bankStepUpFrom`: the amount from which the bank's own rule asks for a step-up. Null: never. Servers of 1.0.0 leave it out.
 */
const LimitsAndRule = z.extend(Limits, { bankStepUpFrom: z.optional(z.nullable(money)) });
export type LimitsAndRule = z.input<typeof LimitsAndRule>;

/** The daily limit, what left the account today, and what can still leave it. Without a limit, all three are null. */
const DailyLimit = z.object({
  dailyOut: z.nullable(money),
  sentToday: z.nullable(money),
  leftToday: z.nullable(money),
});
export type DailyLimit = z.input<typeof DailyLimit>;

/** Whether the account is frozen by its customer, by the bank, or both. */
const Freeze = z.object({ byYou: z.boolean(), byBank: z.boolean() });
export type Freeze = z.input<typeof Freeze>;

/** The token in the link of a security mail. */
const freezeToken = z
  .string({ error: limitsMessages.linkInvalid })
  .check(z.regex(/^[\w-]{64}$/, limitsMessages.linkInvalid));

const path = '/api/v1/user/limits';

export const limitsApi = {
  limits: endpoint({
    method: 'GET',
    path,
    access: 'customer',
    data: LimitsAndRule,
    message: limitsMessages.limits,
    summary: "The customer's own limits, and the amount from which the bank itself asks for a step-up",
  }),
  dailyLimit: endpoint({
    method: 'GET',
    path: `${path}/today`,
    access: 'customer',
    data: DailyLimit,
    message: 'Daily limit',
    summary: 'The daily limit, what counts toward it today, and what is left',
  }),
  setLimits: endpoint({
    method: 'PUT',
    path,
    access: 'customer',
    quota: 'changes',
    notWhileFrozen: true,
    stepUp: true,
    body: z.strictObject({ stepUpFrom: z.nullable(amount), dailyOut: z.nullable(amount) }),
    data: Limits,
    message: 'Your limits are saved.',
    summary: 'Change the customer’s own limits: lower ones act at once, higher ones need a step-up',
  }),
  freezeState: endpoint({
    method: 'GET',
    path: '/api/v1/user/freeze',
    access: 'customer',
    whilePending: true,
    data: Freeze,
    message: limitsMessages.freezeState,
    summary: 'Who has frozen the account',
  }),
  freezeOwn: endpoint({
    method: 'POST',
    path: '/api/v1/user/freeze',
    access: 'customer',
    addressQuota: 'login',
    outsidePersonLimit: true,
    data: Freeze,
    message: limitsMessages.frozen,
    summary: 'Freeze the customer’s own account at once; no money can leave it',
  }),
  unfreezeOwn: endpoint({
    method: 'POST',
    path: '/api/v1/user/unfreeze',
    access: 'customer',
    whilePending: true,
    addressQuota: 'login',
    stepUp: true,
    data: Freeze,
    message: 'Your account is no longer frozen.',
    refusals: ['ACCOUNT_FROZEN'],
    summary: "Lift the customer's own freeze; a freeze by the bank stays",
  }),
  cancelTransaction: endpoint({
    method: 'POST',
    path: '/api/v1/user/transactions/{id}/cancel',
    access: 'customer',
    params: z.strictObject({ id }),
    message: limitsMessages.canceled,
    refusals: ['NOT_FOUND', 'CONFLICT'],
    summary: 'Take back an external transfer that is not at the rail yet',
  }),
  returnHeldPayment: endpoint({
    method: 'POST',
    path: '/api/v1/admin/transactions/{id}/return',
    access: 'admin',
    roles: operators,
    params: z.strictObject({ id }),
    message: 'The payment was returned.',
    refusals: ['NOT_FOUND', 'CONFLICT'],
    summary: "Return a frozen customer's external transfer that is not at the rail yet",
  }),
  freezeByLink: endpoint({
    method: 'POST',
    path: '/api/v1/auth/freeze',
    access: 'none',
    addressQuota: 'login',
    body: z.strictObject({ token: freezeToken }),
    message: 'Your account is frozen, and you are logged out everywhere.',
    refusals: ['NOT_FOUND'],
    summary: 'Freeze an account and end its sessions with the link of a security mail; no login needed',
  }),
};
