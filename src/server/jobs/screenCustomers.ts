/** The task `screen-customers`: compares all customers with a newly imported sanctions list, in batches. */
import { waitUntilIdle } from '../base/waitUntilIdle.ts';
import type { Database } from '../db/database.ts';
import { screenNextCustomers } from '../people/screening.ts';

export type ScreeningOrder = { importId: string };

/** Continues where an earlier attempt stopped. Throws when `signal` aborts. */
export async function screenAllCustomers(
  database: Database,
  { importId }: ScreeningOrder,
  signal?: AbortSignal,
): Promise<void> {
  while (await database.inTransaction(tx => screenNextCustomers(tx, importId))) {
    signal?.throwIfAborted();
    await waitUntilIdle(signal);
  }
}
