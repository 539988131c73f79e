/** Compares the answers that customers received with the transfers in the books. */
import { sql } from 'kysely';
import type { Reader } from '#server/db/database.ts';
import type { RecordedPress } from './load.ts';

/** A transfer in the books; its idempotency key was sent as the description. */
export type BookedTransfer = { id: string; key: string; amount: bigint; sender: bigint; receiver: bigint };

/** Returns every transfer between customers. */
export async function readBookedTransfers(reader: Reader): Promise<BookedTransfer[]> {
  const found = await sql<BookedTransfer>`
    SELECT id, description AS key, amount, sender_account AS sender, receiver_account AS receiver
      FROM transactions WHERE type = 'transfer'`.execute(reader);
  return found.rows;
}

/** Returns a sentence for each difference: none if all were answered and exactly the acknowledged are booked, each once. */
export function checkBooks(presses: Iterable<RecordedPress>, booked: BookedTransfer[]): string[] {
  const faults: string[] = [];
  const byKey = new Map<string, BookedTransfer[]>();
  for (const row of booked) byKey.set(row.key, [...(byKey.get(row.key) ?? []), row]);
  for (const { key, outcome, from, to, amountCents } of presses) {
    const rows = byKey.get(key) ?? [];
    byKey.delete(key);
    const [row] = rows;
    if (rows.length > 1) faults.push(`${key} is booked ${rows.length} times`);
    if (outcome.kind === 'acknowledged') {
      if (outcome.status !== 201) faults.push(`${key} counts as acknowledged with ${outcome.status}`);
      if (!row) faults.push(`${key} was acknowledged and is lost`);
      else if (row.id !== outcome.id)
        faults.push(`${key} was acknowledged as ${outcome.id} and is booked as ${row.id}`);
    } else if (outcome.kind === 'refused') {
      if (row) faults.push(`${key} was refused (${outcome.code}) and is booked`);
    } else {
      faults.push(`${key} was never answered`);
    }
    if (row && (row.amount !== amountCents || row.sender !== from.accountId || row.receiver !== to.accountId))
      faults.push(`${key} is booked with other values than requested`);
  }
  for (const key of byKey.keys()) faults.push(`${key} is booked but was never requested`);
  return faults;
}
