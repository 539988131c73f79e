/** Opens a session after the last step of a login, and sends the mails about it. */
import { recordAudit } from '../db/audit.ts';
import type { Tx } from '../db/database.ts';
import { raiseAlerts } from '../jobs/alerts.ts';
import { enqueueJob } from '../jobs/queue.ts';
import { cancelResetByLogin } from '../people/factorResets.ts';
import { type CompletedLogin, completeLogin, type LoginRequest } from '../people/logins.ts';
import { announceCanceledReset } from './factorProtection.ts';

/** Mails a person that wrong attempts have locked their login. */
export const mailLoginLocked = (tx: Tx, personId: string): Promise<void> =>
  enqueueJob(tx, 'mail', { template: 'login-locked', personId });

/**
 * Completes a login. The person is mailed about a new device or network, which also raises an alert if the person is a
 * customer. The use of a recovery code is audited and mailed. A login with a second factor may cancel a pending reset of the
 * second factors (`cancelResetByLogin`).
 */
export async function openLogin(tx: Tx, request: LoginRequest): Promise<CompletedLogin> {
  const { personId, kind, address, method } = request;
  const completed = await completeLogin(tx, request);
  const actor = { kind, id: personId };
  if (completed.newDevice !== undefined) {
    const at = new Date().toISOString();
    const device = completed.newDevice;
    await enqueueJob(tx, 'mail', { template: 'new-login', personId, device, address, at });
    if (kind === 'customer')
      await raiseAlerts(tx, [{ rule: 'new-login', customerId: personId, network: address, device }]);
  }
  if (method === 'recovery') {
    await recordAudit(tx, { actor, action: 'factor.recovery-used', subject: personId, address });
    await enqueueJob(tx, 'mail', { template: 'recovery-used', personId });
  }
  if (method !== 'email' && method !== 'none' && (await cancelResetByLogin(tx, personId, method)))
    await announceCanceledReset(tx, personId, { actor, address });
  return completed;
}
