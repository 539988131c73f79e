/** What another bank puts into its files: the head of a file, and deposits to accounts here. */
import type { Pool } from 'pg';
import { bank } from '#contract/constants.ts';
import { newId } from '#server/base/uuid.ts';
import { traceOf } from '#server/outside/rail/nacha.ts';
import type { PaymentLine } from '#server/outside/rail/rail.ts';
import { holdLocks } from './holdLocks.ts';

export const counterparty = '800000019';

export const head = (from = counterparty) => ({
  id: newId(),
  madeAt: new Date(),
  settlesOn: '2026-11-24',
  from,
  to: bank.routingNumber,
});

export function deposit(accountNumber: string, more: Partial<PaymentLine> = {}): PaymentLine {
  const id = newId();
  return {
    id,
    sentAt: new Date(),
    amountCents: 2_500n,
    bankName: bank.name,
    accountName: 'Nora Kim',
    accountNumber,
    reference: `XX-${id.slice(-12)}`,
    senderName: 'Canal Street Payroll',
    description: 'May',
    trace: traceOf(counterparty, Number.parseInt(id.slice(-5), 16)),
    ...more,
  };
}

/** Takes the lock that another process holds while it stores this ISO 20022 file of the counterparty with this route. */
export const lockRailFile = (ownerPool: Pool, route: string | undefined, content: string) =>
  holdLocks(
    ownerPool,
    "SELECT pg_advisory_xact_lock(hashtext(concat_ws(' ', 'larkspur rail incoming', $1::text, $2::text)))",
    route,
    /<MsgId>(.*?)<\/MsgId>/.exec(content)![1],
  );
