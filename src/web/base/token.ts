/** Reads the one claim of a session token the browser needs: when it runs out. The server alone decides its worth. */

/** Whether a token is missing, unreadable, without `exp`, or past it. `exp` is in seconds (RFC 7519, 4.1.4). */
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
