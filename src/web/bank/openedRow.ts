/** Opening and closing a transaction over its list, or a dialog with a URL over its screen. */
import type { To } from '#web/router/history.ts';
import { useLocation, useRouter } from '#web/router/hooks.ts';

/** The history state of a link in a row, or of a dialog that a button opened: closing goes back. */
export const fromRow = { fromRow: true };

/** Closes what is open: goes back to where it was opened, or to `list` if its URL was opened directly. */
export function useClose(list: To): () => void {
  const { key, state } = useLocation();
  const router = useRouter();
  return () => {
    // A second press while it closes must not go back again.
    if (router.state.location.key !== key) return;
    if ((state as Partial<typeof fromRow> | null)?.fromRow) void router.navigate(-1);
    else void router.navigate(list, { replace: true, preventScrollReset: true });
  };
}
