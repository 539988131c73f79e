/** Where a view is found: the panel's own path with `?view=`. */

/** The view that is shown when the address names none. */
export const firstView = 'dashboard';

/** The address of a view, relative to the panel's own path; `page` only past the first. */
export function viewAddress(key: string, page = 1): { search: string } {
  const address = new URLSearchParams();
  if (key !== firstView) address.set('view', key);
  if (page > 1) address.set('page', String(page));
  return { search: address.toString() };
}

/** The page an address names: a whole number from 1, and 1 for anything else. */
export function pageNamed(address: URLSearchParams): number {
  const page = Number(address.get('page') ?? 1);
  return Number.isSafeInteger(page) && page > 0 ? page : 1;
}
