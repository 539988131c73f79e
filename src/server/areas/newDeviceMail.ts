/** The mail that tells of a login from where its person was not seen before. */
import type { Tx } from '../db/database.ts';
import { enqueueJob } from '../jobs/queue.ts';
import type { CompletedLogin } from '../people/logins.ts';

/** Orders the mail where there is something to tell, in the transaction of the login. */
export async function mailNewDevice(
  tx: Tx,
  { personId, newDevice }: CompletedLogin,
  address: string,
): Promise<void> {
  if (newDevice === undefined) return;
  const at = new Date().toISOString();
  await enqueueJob(tx, 'mail', { template: 'new-login', personId, device: newDevice, address, at });
}
