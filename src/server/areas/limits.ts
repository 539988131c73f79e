/**
 * Handlers of the limits area: a customer's own limits and freeze, canceling a payment, the return of a held payment by staff,
 * and the freeze link of security mails. Changes are audited and announced in the database transaction that makes them.
 */
import { Refusal } from '#contract/errors.ts';
import type { limitsApi } from '#contract/limits.ts';
import * as limitsMessages from '#contract/messages/limits.ts';
import { formatCents } from '#contract/money.ts';
import type { Tx } from '../db/database.ts';
import { notifyOfOwnAct } from '../db/notifications.ts';
import type { Handlers } from '../http/serve.ts';
import { enqueueJob } from '../jobs/queue.ts';
import {
  lockOwnLimits,
  type OwnLimits,
  readDailyLimit,
  readFreezes,
  readOwnLimits,
  replaceOwnLimits,
  setOwnFreeze,
} from '../ledger/accounts.ts';
import { readTransaction } from '../ledger/history.ts';
import type { Parts } from '../parts.ts';
import { lockCustomer } from '../people/customers.ts';
import { prolongWait } from '../people/factorTrust.ts';
import { useFreezeToken } from '../people/freezeLink.ts';
import { lockCredentials } from '../people/lockout.ts';
import { revokeSessions } from '../people/sessions.ts';
import { requireStepUp } from '../people/stepUp.ts';
import { protectFactors } from './factorProtection.ts';
import { announceOwn, lockActor, recordCustomerAct } from './recordAct.ts';

export function limitsHandlers({
  database,
  clock,
  ledger,
  secrets: { codeKey },
  config,
}: Pick<Parts, 'database' | 'clock' | 'ledger' | 'secrets' | 'config'>): Handlers<typeof limitsApi> {
  return {
    async limits({ customer }) {
      const limits = await readOwnLimits(database.reader, customer.accountId);
      return { data: { ...limits, bankStepUpFrom: config.stepUpFromCents ?? null } };
    },

    async dailyLimit({ customer }) {
      return { data: await readDailyLimit(database.reader, customer.accountId, clock.now()) };
    },

    async setLimits({ body: limits, customer, stepUpProof: proof, address }) {
      const { customerId, accountId } = customer;
      await database.inTransaction(async tx => {
        const former = await lockOwnLimits(tx, accountId);
        const isRaised =
          isHigher(limits.stepUpFrom, former.stepUpFrom) || isHigher(limits.dailyOut, former.dailyOut);
        if (isRaised) {
          const receiver = describeLimits(limits, config.stepUpFromCents);
          await requireStepUp(tx, { customer, proof, act: 'raise-limits', receiver });
          await enqueueJob(tx, 'mail', { template: 'limits-raised', personId: customerId });
        }
        // Only after the confirmation: while `replaceOwnLimits` adds up a day's payments, which can take seconds, other
        // people's payments to this customer wait.
        await replaceOwnLimits(tx, accountId, limits);
        await notifyOfOwnAct(tx, accountId, 'limits-changed');
        await recordCustomerAct(tx, { customer, address }, 'limits.changed', {
          reason: describeLimits(limits),
        });
      });
      return { data: limits };
    },

    async freezeState({ customer }) {
      return { data: await readFreezes(database.reader, customer.accountId) };
    },

    async freezeOwn({ customer, address }) {
      return {
        data: await database.inTransaction(async tx => {
          await lockCredentials(tx, customer.customerId, undefined);
          // Adding a schedule or a goal locks the customer too, so it is finished before this freeze or refused after it.
          await lockCustomer(tx, customer.customerId);
          await freezeAs(tx, customer, address, 'frozen-in-session');
          return await readFreezes(tx, customer.accountId);
        }),
      };
    },

    async unfreezeOwn({ customer, stepUpProof: proof, address }) {
      const { customerId, accountId } = customer;
      const data = await database.inTransaction(async tx => {
        await lockCredentials(tx, customerId, undefined);
        // This locks the account. A freeze by the bank either came before and is read below, or comes after and stays in force.
        const isLifted = await setOwnFreeze(tx, accountId, false);
        const freezes = await readFreezes(tx, accountId);
        if (freezes.byBank) throw new Refusal('ACCOUNT_FROZEN');
        if (!isLifted) return freezes;
        await requireStepUp(tx, { customer, proof, act: 'unfreeze' });
        await prolongWait(tx, customerId, 'unfrozen');
        await announceOwn(tx, customer, 'unfrozen');
        await recordCustomerAct(tx, { customer, address }, 'own-freeze.lifted');
        return freezes;
      });
      return { data };
    },

    async cancelTransaction({ params: { id }, customer: { customerId, accountId }, address }) {
      const found = await readTransaction(database.reader, accountId, id);
      if (!found) throw new Refusal('NOT_FOUND');
      if (found.type !== 'external-transfer' || found.sender?._id !== customerId)
        throw new Refusal('CONFLICT', { message: limitsMessages.neverCancelable });
      const by = { kind: 'customer', id: customerId, address } as const;
      if (await database.inTransaction(tx => ledger.cancelExternal(tx, id, by))) return;
      // Read again, because the payment may have ended in the meantime.
      const now = await readTransaction(database.reader, accountId, id);
      const isBack = now?.status === 'failed';
      throw new Refusal('CONFLICT', {
        message: isBack ? limitsMessages.alreadyBack : limitsMessages.tooLateToCancel,
      });
    },

    async returnHeldPayment({ params: { id }, admin, address }) {
      if (!(await readTransaction(database.reader, undefined, id))) throw new Refusal('NOT_FOUND');
      const by = { kind: 'admin', id: admin.adminId, address } as const;
      const isReturned = await database.inTransaction(async tx => {
        await lockActor(tx, admin);
        return await ledger.cancelExternal(tx, id, by);
      });
      if (!isReturned) throw new Refusal('CONFLICT', { message: limitsMessages.notHeld });
    },

    async freezeByLink({ body: { token }, address }) {
      await database.inTransaction(async tx => {
        const link = await useFreezeToken(tx, token, codeKey);
        if (!link) throw new Refusal('NOT_FOUND', { message: limitsMessages.linkInvalid });
        const { customerId } = link;
        await lockCredentials(tx, customerId, undefined);
        const { accountId } = await lockCustomer(tx, customerId, limitsMessages.linkInvalid);
        // Refuse a used link before the sessions end. Otherwise, anyone with a used link could log the customer out again and
        // again.
        if (link.wasUsed) {
          const { byYou, byBank } = await readFreezes(tx, accountId);
          const isFrozen = byYou || byBank;
          const message = isFrozen ? limitsMessages.linkUsed : limitsMessages.linkUsedUnfrozen;
          throw new Refusal('NOT_FOUND', { message });
        }
        await freezeAs(tx, { customerId, accountId }, address, 'frozen');
        const { count } = await revokeSessions(tx, customerId);
        await recordCustomerAct(tx, { customer: link, address }, 'freeze-link.used', { count });
      });
    },
  };
}

/**
 * Freezes an account on behalf of its customer. The caller has locked the credentials, as every change of factors does first.
 */
async function freezeAs(
  tx: Tx,
  customer: { customerId: string; accountId: bigint },
  address: string,
  cause: 'frozen' | 'frozen-in-session',
): Promise<void> {
  const { customerId, accountId } = customer;
  const isFirst = await setOwnFreeze(tx, accountId, true);
  // In a session, only a new freeze by the customer does the rest. Otherwise, a thief could void the owner's confirmations by
  // freezing again and again.
  if (!isFirst && cause === 'frozen-in-session') return;
  await protectFactors(tx, customerId, cause, { actor: { kind: 'customer', id: customerId }, address });
  await announceOwn(tx, customer, 'own-frozen');
  if (isFirst) await recordCustomerAct(tx, { customer, address }, 'own-freeze.set');
}

/** Whether a limit lets more through than the former one; null lets everything through. */
const isHigher = (limit: bigint | null, former: bigint | null) =>
  former !== null && (limit === null || limit > former);

/**
 * The customer's own limits as a text. `bankStepUpFrom` is given for the step-up that confirms them: if the bank's threshold is
 * lower, it applies, and the text says so.
 */
function describeLimits({ stepUpFrom, dailyOut }: OwnLimits, bankStepUpFrom?: bigint): string {
  const isLower = bankStepUpFrom !== undefined && (stepUpFrom === null || bankStepUpFrom < stepUpFrom);
  const bankLimit = isLower ? ` (the bank’s ${formatCents(bankStepUpFrom)} applies)` : '';
  const amountOf = (limit: bigint | null) => (limit === null ? 'None' : formatCents(limit));
  return `${limitsMessages.dailyOut}: ${amountOf(dailyOut)}; ${limitsMessages.stepUpFrom}: ${amountOf(stepUpFrom)}${bankLimit}`;
}
