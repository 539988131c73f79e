/** Completing a login, which opens a session, and logging out. Both are audited. */
import type { LoginMethod } from '#contract/auth.ts';
import { recordAudit } from '../db/audit.ts';
import type { Tx } from '../db/database.ts';
import type { PersonKind } from '../db/personKind.ts';
import { markEmailProven } from './customers.ts';
import { nameDevice } from './device.ts';
import { type Browser, clearCounts } from './knownDevices.ts';
import { endSession, isKnownOrigin, openSession } from './sessions.ts';

/** A person who logs in, with the IP address and User-Agent of the request. */
export type LoginRequest = {
  personId: string;
  kind: PersonKind;
  address: string;
  userAgent: string;
  browser: Browser;
  /** How the second step was done; 'none' for an administrator without a second factor. */
  method: LoginMethod | 'passkey' | 'none';
};

/** The opened session. `newDevice`: the device name, if this device or this network is new to the person. */
export type CompletedLogin = {
  personId: string;
  sessionId: string;
  expiresAt: Date;
  newDevice: string | undefined;
};

/**
 * Completes a login: resets the counts of wrong attempts, makes the browser a known device and opens a session for an hour. A
 * mailed code also proves that the email is the customer's.
 */
export async function completeLogin(tx: Tx, request: LoginRequest): Promise<CompletedLogin> {
  const { personId, kind, address, method } = request;
  const origin = { address, device: nameDevice(request.userAgent) };
  await clearCounts(tx, personId, request.browser);
  if (method === 'email') await markEmailProven(tx, personId);
  const isKnown = await isKnownOrigin(tx, personId, origin);
  const session = await openSession(tx, { personId, kind, ...origin });
  await recordAudit(tx, {
    actor: { kind, id: personId },
    action: 'login.completed',
    subject: personId,
    address,
    data: { session: session.sessionId, ...(method !== 'none' && { method }) },
  });
  return { personId, ...session, newDevice: isKnown ? undefined : origin.device };
}

/** Ends a session at the person's request, and audits it unless the session had already ended. */
export async function logOut(
  tx: Tx,
  {
    personId,
    kind,
    sessionId,
    address,
  }: Omit<LoginRequest, 'userAgent' | 'browser' | 'method'> & { sessionId: string },
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
