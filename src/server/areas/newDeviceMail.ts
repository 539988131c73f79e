/** The mail about a login from a device or network that the person has not used before. */
import type { Tx } from '../db/database.ts';
import { enqueueJob } from '../jobs/queue.ts';
import type { CompletedLogin } from '../people/logins.ts';

/** Enqueues the mail in the transaction of the login, if the device is new. */
export async function mailNewDevice(
  tx: Tx,
  { personId, newDevice }: CompletedLogin,
  address: string,
): Promise<void> {
  if (newDevice === undefined) return;
  const at = new Date().toISOString();
  await enqueueJob(tx, 'mail', { template: 'new-login', personId, device: newDevice, address, at });
}
