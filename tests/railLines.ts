/** Payments to other banks, and what another bank puts into its files: the head of a file, and deposits to accounts here. */
import type { Pool } from 'pg';
import { bank } from '#contract/constants.ts';
import { newId } from '#server/base/uuid.ts';
import type { Ledger } from '#server/ledger/ledger.ts';
import { traceOf } from '#server/outside/rail/nacha.ts';
import type { FileHead, PaymentLine, WrittenFile } from '#server/outside/rail/rail.ts';
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

/** Sends $10.00 to an account at another bank. Returns the transaction's id. */
export async function sendToOtherBank(
  ledger: Ledger,
  { customerId }: { customerId: string },
  { amountCents = 1_000n, accountNumber = '40218836117', bankName = 'First Harbor' } = {},
): Promise<string> {
  const { _id } = await ledger.sendExternal({
    customerId,
    sessionId: null,
    bank: { bankName, accountName: 'Ines Caldeira', accountNumber },
    amountCents,
    description: '',
    address: '::1',
  });
  return _id;
}

/** Stores a file of one line with its hash, count and sum, as the server does, through a pool of the server's login. */
export async function storeRailFile(
  pool: Pool,
  { id, to }: Pick<FileHead, 'id' | 'to'>,
  format: string,
  { name, messageId, content }: WrittenFile,
  cents = 1_000n,
): Promise<void> {
  await pool.query(
    `INSERT INTO rail_files (id, direction, name, format, message_id, counterparty, sha256, lines, cents, state, content)
     VALUES ($1, 'out', $2, $3, $4, $5, sha256(convert_to($6, 'UTF8')), 1, $7, 'made', $6)`,
    [id, name, format, messageId, to, content, cents],
  );
}

/** Takes the lock that another process holds while it stores this ISO 20022 file of the counterparty with this route. */
export const lockRailFile = (ownerPool: Pool, route: string | undefined, content: string) =>
  holdLocks(
    ownerPool,
    "SELECT pg_advisory_xact_lock(hashtext(concat_ws(' ', 'larkspur rail incoming', $1::text, $2::text)))",
    route,
    /<MsgId>(.*?)<\/MsgId>/.exec(content)![1],
  );
