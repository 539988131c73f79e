/** A transaction that is opened over its list. The history state marks that a row opened it, so that closing it goes back. */
import type { To } from '#web/router/history.ts';
import { useLocation, useNavigate } from '#web/router/hooks.ts';

/** The history state of a link in a row: closing what it opens goes back to the row. */
export const fromRow = { fromRow: true };

/** Closes what is open: goes back to its row, or to `list` if its URL was opened directly. */
export function useClose(list: To): () => void {
  const state = useLocation().state as Partial<typeof fromRow> | null;
  const navigate = useNavigate();
  return () => {
    if (state?.fromRow) void navigate(-1);
    else void navigate(list, { replace: true, preventScrollReset: true });
  };
}
