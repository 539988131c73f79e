/** A login's two ends: the session it opens once everything asked was right, and the logout. Each leaves a record. */
import { recordAudit } from '../db/audit.ts';
import type { Tx } from '../db/database.ts';
import type { PersonKind } from '../db/personKind.ts';
import { clearCounts } from './lockout.ts';
import { endSession, openSession } from './sessions.ts';

/** Who logs in; `address` and `userAgent` say from where. */
export type Arrival = { personId: string; kind: PersonKind; address: string; userAgent: string };

/** Completes a login: wrong attempts are forgotten, and an hour's session stands. */
export async function completeLogin(
  tx: Tx,
  arrival: Arrival,
): Promise<{ personId: string; sessionId: string; expiresAt: Date }> {
  const { personId, kind, address } = arrival;
  await clearCounts(tx, personId);
  const session = await openSession(tx, arrival);
  await recordAudit(tx, {
    actor: { kind, id: personId },
    action: 'login.completed',
    subject: personId,
    address,
    data: { session: session.sessionId },
  });
  return { personId, ...session };
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
