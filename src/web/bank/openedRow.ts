/** A transaction that opens over its list. If a row opened it, the history state says so, and closing it goes back. */
import type { To } from '#web/router/history.ts';
import { useLocation, useNavigate } from '#web/router/hooks.ts';

/** The history state of a link in a row: closing the transaction goes back to the row. */
export const fromRow = { fromRow: true };

/** Closes the transaction: goes back to its row, or to `list` if the transaction's URL was opened directly. */
export function useClose(list: To): () => void {
  const state = useLocation().state as Partial<typeof fromRow> | null;
  const navigate = useNavigate();
  return () => {
    if (state?.fromRow) void navigate(-1);
    else void navigate(list, { replace: true, preventScrollReset: true });
  };
}
