/** Defines the application paths behind a login, which have a slim top bar and no footer. */

/** True for /dashboard, /transfer, /admin and everything below them. */
export function isAppPath(pathname: string): boolean {
  return /^\/(dashboard|transfer|admin)(\/|$)/.test(pathname);
}
