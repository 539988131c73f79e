/**
 * The rail between banks that exchange files. An adapter carries each file from `out` of one bank to `in` of the bank to which
 * it is addressed. A bank answers each payment: with a notice when it is booked, or with its return.
 */
import { externalTransfer } from '#contract/constants.ts';
import { type BankDirectory, keyOfBank } from '../../base/routingNumbers.ts';
import type { Clock } from '../clock.ts';
import { openBaseRail, type RailSettings } from './baseRail.ts';
import type { PaymentRail } from './rail.ts';

/**
 * Opens the rail to the banks of a directory. If a payment has no answer after three business days, its file is sent again
 * every business day.
 */
export function openBankRail(clock: Clock, settings: RailSettings, banks: BankDirectory): PaymentRail {
  const { rail, after } = openBaseRail(settings, () => externalTransfer.fewestBusinessDays);
  return {
    ...rail,
    confirmsDeposits: true,
    routeTo: bankName => banks.get(keyOfBank(bankName)),
    routeOf: routingNumber => banks.get(routingNumber),
    ask: async () => ({ askAgainAt: after(clock.now(), 1) }),
  };
}
