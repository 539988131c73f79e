/** Which paths belong to the application behind a login, where the frame steps back: slim top bar, no footer. */

/** True on /dashboard, /transfer, /admin and everything below them. */
export function isAppPath(pathname: string): boolean {
  return /^\/(dashboard|transfer|admin)(\/|$)/.test(pathname);
}
