/** The filters and the order of the users in the URL (`?view=users&state=frozen&sort=balance-down`). */
import { customerSorts, customerStates, documentStates } from '#contract/adminCustomers.ts';
import { words } from '../words.ts';

/** Each is text; empty means all, or the list's own order. `sort` is a column and its direction. */
export type UserFilters = { state: string; document: string; sort: string };

export const userSorts = Object.entries(words.userSorts).map(([value, label]) => ({ value, label }));

/** Reads the filters from the URL. Unknown values become empty. */
export function readUserFilters(address: URLSearchParams): UserFilters {
  const known = (name: string, values: readonly string[]) =>
    values.find(value => value === address.get(name)) ?? '';
  return {
    state: known('state', customerStates),
    document: known('document', documentStates),
    sort: known('sort', Object.keys(words.userSorts)),
  };
}

/** The filters that are set, for the URL. */
export const writeUserFilters = (filters: UserFilters): [string, string][] =>
  Object.entries(filters).filter(([, value]) => value !== '');

/** The filters as the call's query. */
export function userQuery({ state, document, sort }: UserFilters) {
  const [, column, direction] = /^(.+)-(up|down)$/.exec(sort) ?? [];
  return {
    ...pick('state', customerStates, state),
    ...pick('document', documentStates, document),
    ...pick('sort', customerSorts, column),
    ...pick('direction', ['up', 'down'] as const, direction),
  };
}

function pick<Name extends string, Value extends string>(
  name: Name,
  values: readonly Value[],
  given: string | undefined,
): { [K in Name]?: Value } {
  const value = values.find(one => one === given);
  return (value === undefined ? {} : { [name]: value }) as { [K in Name]?: Value };
}
