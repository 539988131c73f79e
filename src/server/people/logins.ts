/** A login's two ends: the session it opens once everything asked was right, and the logout. Each leaves a record. */
import { recordAudit } from '../db/audit.ts';
import type { Tx } from '../db/database.ts';
import type { PersonKind } from '../db/personKind.ts';
import { nameDevice } from './device.ts';
import { clearCounts } from './lockout.ts';
import { endSession, isFamiliar, openSession } from './sessions.ts';

/** Who logs in; `address` and `userAgent` say from where. */
export type Arrival = { personId: string; kind: PersonKind; address: string; userAgent: string };

/** Who is in now. `newDevice` names the device, where the person was not seen on such a one, or not from there, before. */
export type Admitted = {
  personId: string;
  sessionId: string;
  expiresAt: Date;
  newDevice: string | undefined;
};

/** Completes a login: wrong attempts are forgotten, and an hour's session stands. */
export async function completeLogin(tx: Tx, arrival: Arrival): Promise<Admitted> {
  const { personId, kind, address } = arrival;
  const origin = { address, device: nameDevice(arrival.userAgent) };
  await clearCounts(tx, personId);
  const isKnown = await isFamiliar(tx, personId, origin);
  const session = await openSession(tx, { personId, kind, ...origin });
  await recordAudit(tx, {
    actor: { kind, id: personId },
    action: 'login.completed',
    subject: personId,
    address,
    data: { session: session.sessionId },
  });
  return { personId, ...session, newDevice: isKnown ? undefined : origin.device };
}

/** Ends a session by its person's own wish. One that has ended already leaves no second record. */
export async function logOut(
  tx: Tx,
  { personId, kind, sessionId, address }: Omit<Arrival, 'userAgent'> & { sessionId: string },
): Promise<void> {
  if (!(await endSession(tx, sessionId))) return;
  await recordAudit(tx, {
    actor: { kind, id: personId },
    action: 'logout',
    subject: personId,
    address,
    data: { session: sessionId },
  });
}
