/**
 * A dialog that a button of the screen opens. A mail or a notification can link to it with its name as a query parameter. The
 * button adds a history entry with that parameter, so that Back closes the dialog. Closing it goes back.
 */
import { useSearchParams } from '#web/router/hooks.ts';
import { fromRow, useClose } from './openedRow.ts';

export function useLinkedDialog(name: string) {
  const [address, setAddress] = useSearchParams();
  return {
    isOpen: address.has(name),
    open: () =>
      setAddress(new URLSearchParams([...address, [name, '']]), { state: fromRow, preventScrollReset: true }),
    close: useClose({ search: '' }),
  };
}
