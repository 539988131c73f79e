/** Application paths have a slim top bar and no footer: /dashboard, /transfer, /admin and everything below them. */
export function isAppPath(pathname: string): boolean {
  return /^\/(dashboard|transfer|admin)(\/|$)/.test(pathname);
}
