/** Builds and parses the URLs of the panel's views: the panel's path with `?view=`. */

/** The view that is shown if the URL names none. */
export const firstView = 'dashboard';

/**
 * Returns a view's URL relative to the panel's path; `page` is left out if it is 1. `parts` are further
 * parameters: filters, or what is opened in the view.
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

/** The URL of the list with one transaction opened over it. */
export const transactionAddress = (id: string) => viewAddress('transactions', 1, [['transaction', id]]);

/** The URL of the users with the details of one customer opened over them. */
export const customerAddress = (id: string) => viewAddress('users', 1, [['customer', id]]);

/** The URL of the page about one customer; `tab` opens a part other than the first. */
export const customerPageAddress = (id: string, tab?: string) =>
  viewAddress('customer', 1, [['customer', id], ...(tab ? ([['tab', tab]] as const) : [])]);

/** The URL of the waiting requests with one request opened over them. */
export const requestAddress = (id: string) => viewAddress('requests', 1, [['request', id]]);

/** The URL of the audit log narrowed to one person or transaction. */
export const auditAddress = (id: string) => viewAddress('audit', 1, [['person', id]]);

/** Returns the page number in the URL: a whole number from 1, and 1 for anything else. */
export function pageFromAddress(address: URLSearchParams): number {
  const page = Number(address.get('page') ?? 1);
  return Number.isSafeInteger(page) && page > 0 ? page : 1;
}
