/** The history state of the auth pages: why the visitor came, where they want to go, and which step they reached. */

/**
 * Another screen sets the reason to show, the requested path, and the email to log in with. The previous step sets the email
 * that the code was sent to, and times (milliseconds since 1970). Must never contain a secret, because the browser stores it.
 */
export type Arrival = {
  say?: string;
  wanted?: string;
  email?: string;
  sentAtMs?: number;
  /** When the password of this login was accepted. */
  begunAtMs?: number;
  /** A press on Verify OTP got no answer, and may have used the code. */
  isUnheard?: boolean;
  /** The code comes from the customer's authenticator app. */
  usesApp?: boolean;
} | null;

/** The part of the state that passes to another auth page, so that the login still leads to the requested path. */
export function wantedState(arrival: Arrival): { wanted: string } | null {
  return arrival?.wanted ? { wanted: arrival.wanted } : null;
}

/** The path that a login leads to: the requested one if it is a customer screen, else the dashboard. */
export function destinationOf(arrival: Arrival): string {
  const wanted = arrival?.wanted;
  return wanted && /^\/(dashboard|transfer)([/?#]|$)/.test(wanted) ? wanted : '/dashboard';
}
