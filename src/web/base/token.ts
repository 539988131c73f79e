/** Reads the only claim of a session token that the browser needs: its expiry. Only the server verifies the token. */

/** Whether a token is missing, unreadable, without `exp`, or expired. `exp` is in seconds (RFC 7519, 4.1.4). */
export function isExpired(token: string | undefined, nowMs: number = Date.now()): boolean {
  const exp = readExpiry(token);
  return exp === undefined || nowMs >= exp * 1000;
}

function readExpiry(token: string | undefined): number | undefined {
  try {
    const payload = (token ?? '').split('.')[1] ?? '';
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    const { exp } = claims as { exp?: unknown };
    return typeof exp === 'number' && Number.isFinite(exp) ? exp : undefined;
  } catch {
    return undefined;
  }
}
