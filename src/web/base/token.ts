/** Reads the claims of a session token that the browser needs: expiry and session id. Only the server verifies the token. */

/** Whether a token is missing, unreadable, without `exp`, or expired. `exp` is in seconds (RFC 7519, 4.1.4). */
export function isExpired(token: string | undefined, nowMs: number = Date.now()): boolean {
  const { exp } = readClaims(token);
  return typeof exp !== 'number' || !Number.isFinite(exp) || nowMs >= exp * 1000;
}

/** The id of the token's session, which the bank chooses at the login. */
export function readSessionId(token: string | undefined): string | undefined {
  const { sid } = readClaims(token);
  return typeof sid === 'string' ? sid : undefined;
}

function readClaims(token: string | undefined): { exp?: unknown; sid?: unknown } {
  try {
    const payload = (token ?? '').split('.')[1] ?? '';
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    return claims && typeof claims === 'object' ? claims : {};
  } catch {
    return {};
  }
}
