/** Reads the claims of a session token that the browser needs: expiry and session id. Only the server verifies the token. */

/** Storage key: how many milliseconds this browser's clock is ahead (negative: behind). Absent if the clock is right. */
const clockKey = 'clockAhead';
/** Smaller differences are ignored: the login's response takes time to arrive. */
const toleratedMs = 60_000;

/** Compares this browser's clock with the bank's, by a token that the bank has just issued. */
export function compareClocks(issued: string): void {
  const { iat } = readClaims(issued);
  const ahead = typeof iat === 'number' ? Date.now() - iat * 1000 : 0;
  try {
    if (Math.abs(ahead) < toleratedMs) localStorage.removeItem(clockKey);
    else localStorage.setItem(clockKey, String(ahead));
  } catch {
    // Without storage the browser's clock decides.
  }
}

function bankNow(): number {
  try {
    return Date.now() - (Number(localStorage.getItem(clockKey)) || 0);
  } catch {
    return Date.now();
  }
}

/** Whether a token is missing, unreadable, without `exp`, or expired. */
export function isExpired(token: string | undefined, nowMs: number = bankNow()): boolean {
  return lifeLeftMs(token, nowMs) <= 0;
}

/** How long a token is still valid; 0 or less if expired, missing or unreadable. `exp` is in seconds (RFC 7519, 4.1.4). */
export function lifeLeftMs(token: string | undefined, nowMs: number = bankNow()): number {
  const { exp } = readClaims(token);
  return Number.isFinite(exp) ? (exp as number) * 1000 - nowMs : 0;
}

/** The id of the token's session, which the bank chooses at the login. */
export function readSessionId(token: string | undefined): string | undefined {
  const { sid } = readClaims(token);
  return typeof sid === 'string' ? sid : undefined;
}

function readClaims(token: string | undefined): { exp?: unknown; iat?: unknown; sid?: unknown } {
  try {
    const payload = (token ?? '').split('.')[1] ?? '';
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    return claims && typeof claims === 'object' ? claims : {};
  } catch {
    return {};
  }
}
