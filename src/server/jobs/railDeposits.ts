/** Delivers a payment of the sandbox's other bank, in a file that is read like every other file. */
import { sql } from 'kysely';
import { calendarDay } from '#contract/bankTime.ts';
import * as railMessages from '#contract/messages/rail.ts';
import { sleep } from '../base/deadline.ts';
import { sandboxRouting } from '../base/routingNumbers.ts';
import { fingerprint, newId } from '../base/uuid.ts';
import type { Reader } from '../db/database.ts';
import type { DepositOutcome } from '../ledger/deposits.ts';
import { referenceOf } from '../ledger/ledger.ts';
import { uetrOf, writePayments } from '../outside/rail/iso20022.ts';
import { RailFileError } from '../outside/rail/rail.ts';
import { readableText } from '../outside/rail/railText.ts';
import { applyLines, type IncomingParts, receiveFile } from './railIncoming.ts';

/** A payment that another bank sends. `ref`: that bank's id for it. */
type Deposit = {
  ref: string;
  accountNumber: string;
  amountCents: bigint;
  senderName: string;
  bankName: string;
};

/** How often, and for how long, to check whether another process has applied the line. */
const [applyingMs, maxApplyingMs] = [50, 30_000];

/**
 * Delivers a payment once per `ref`. A payment to an account that cannot receive it is sent back, and the return is recorded.
 * Throws `RailFileError` if its file is refused or its line becomes an exception, and another error if another process does not
 * finish the line within 30 seconds.
 */
export async function deliverDeposit(parts: IncomingParts, deposit: Deposit): Promise<DepositOutcome> {
  const { reader } = parts.database;
  const { ref, accountNumber, amountCents, senderName, bankName } = deposit;
  const id = fingerprint('deposit', ref);
  // Completes a delivery that was interrupted.
  await applyLines(parts);
  const known = await findOutcome(reader, id, deposit, '');
  if (known) return known;

  const madeAt = new Date();
  const head = {
    id: newId(),
    madeAt,
    settlesOn: calendarDay(madeAt),
    from: sandboxRouting,
    fromName: bankName,
    to: parts.rail.routingNumber,
  };
  const line = {
    id,
    sentAt: madeAt,
    amountCents,
    bankName: '',
    accountName: '',
    accountNumber,
    reference: `SR-${id.replaceAll('-', '')}`,
    senderName,
    description: ref,
    trace: '',
  };
  // `readableText` keeps the names as they were typed, because customers read them.
  const { name, messageId, content } = writePayments(head, [line], readableText);
  const receipt = await receiveFile(parts, name, Buffer.from(content));
  if (receipt.status === 'refused') throw new RailFileError(receipt.reason);
  for (const startedAt = performance.now(); ; ) {
    await applyLines(parts);
    // Reads the exception before the outcome: if a payment is delivered twice, the second line is an exception, but the payment
    // has the outcome of the first.
    const reason = await findException(reader, messageId);
    const outcome = await findOutcome(reader, id, deposit, messageId);
    if (outcome) return outcome;
    if (reason)
      throw new RailFileError(
        `The payment was not booked and waits in the back office under Payment rail: ${reason}.`,
      );
    if (performance.now() - startedAt > maxApplyingMs)
      throw new Error(
        `Another process has not booked the payment yet. Run the command again with --ref ${ref}.`,
      );
    // Another process applies the line.
    await sleep(applyingMs);
  }
}

async function findOutcome(
  reader: Reader,
  id: string,
  { accountNumber, amountCents }: Deposit,
  messageId: string,
): Promise<DepositOutcome | undefined> {
  const found = await sql<{
    id: string | null;
    reason: string | null;
    isSame: boolean;
    wasKnown: boolean;
  }>`
    SELECT transaction_id AS id, return_reason AS reason,
           (account_number, amount) = (${accountNumber}, ${amountCents}) AS "isSame",
           NOT EXISTS (SELECT FROM rail_incoming i JOIN rail_files f ON f.id = i.file_id
                        WHERE f.direction = 'in' AND f.counterparty = ${sandboxRouting} AND f.message_id = ${messageId}
                          AND i.outcome IN ('applied', 'sent-back')) AS "wasKnown"
      FROM deposits WHERE ref = ${`iso:${uetrOf(id)}`}`.execute(reader);
  const [row] = found.rows;
  if (!row) return undefined;
  if (!row.isSame) return { status: 'mismatch' };
  const { id: transactionId, reason, wasKnown } = row;
  return transactionId === null
    ? { status: 'sent back', reason: reason!, wasKnown }
    : { status: 'booked', id: transactionId, reference: referenceOf(transactionId), wasKnown };
}

/** Why the line of a file waits for the staff, if it does. */
async function findException(reader: Reader, messageId: string): Promise<string | undefined> {
  const found = await sql<{ reason: keyof typeof railMessages.exceptionReasons }>`
    SELECT e.reason FROM rail_exceptions e JOIN rail_incoming i ON i.id = e.incoming_id JOIN rail_files f ON f.id = i.file_id
     WHERE f.direction = 'in' AND f.counterparty = ${sandboxRouting} AND f.message_id = ${messageId}`.execute(
    reader,
  );
  const [exception] = found.rows;
  return exception && railMessages.exceptionReasons[exception.reason];
}
