/** Which list of a view is shown, and which page of it: both are in the URL, except for the first list and the first page. */
import { useSearchParams } from '#web/router/hooks.ts';
import { pageFromAddress, viewAddress } from './viewAddress.ts';

/** `names`: the lists, the default one first. `parameter`: the URL parameter that holds the list's name. */
export function useShownList<Name extends string>(
  view: string,
  parameter: string,
  names: readonly [Name, ...Name[]],
) {
  const [address, setAddress] = useSearchParams();
  const page = pageFromAddress(address);
  const shown = names.find(name => name === address.get(parameter)) ?? names[0];
  const addressOf = (name: string, at: number, parts: readonly (readonly [string, string])[] = []) =>
    viewAddress(view, at, [...(name === names[0] ? [] : ([[parameter, name]] as const)), ...parts]);
  return {
    shown,
    page,
    show: (name: string) => setAddress(addressOf(name, 1).search, { replace: true }),
    showPage: (next: number) => setAddress(addressOf(shown, next).search, { replace: next < page }),
    /** The URL of this page of the list, with further parameters: the row that is opened over it. */
    listAddress: (...parts: [string, string][]) => addressOf(shown, page, parts),
  };
}
