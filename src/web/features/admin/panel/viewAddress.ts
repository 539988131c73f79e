/** Where a view is found: the panel's own path with `?view=`. */

/** The view that is shown when the address names none. */
export const firstView = 'dashboard';

/**
 * The address of a view, relative to the panel's own path; `page` only past the first. `parts` is what else it says: filters,
 * what is opened in it.
 */
export function viewAddress(
  key: string,
  page = 1,
  parts: Iterable<readonly [string, string]> = [],
): { search: string } {
  const address = new URLSearchParams();
  if (key !== firstView) address.set('view', key);
  for (const [name, value] of parts) address.set(name, value);
  if (page > 1) address.set('page', String(page));
  return { search: address.toString() };
}

/** The address of one transaction, opened over the list. */
export const transactionAddress = (id: string) => viewAddress('transactions', 1, [['transaction', id]]);

/** The audit log of one person or transaction. */
export const auditAddress = (id: string) => viewAddress('audit', 1, [['person', id]]);

/** The page an address names: a whole number from 1, and 1 for anything else. */
export function pageNamed(address: URLSearchParams): number {
  const page = Number(address.get('page') ?? 1);
  return Number.isSafeInteger(page) && page > 0 ? page : 1;
}
