/** A transaction that is opened over its list: how its row says so, and the way back. */
import { type To, useLocation, useNavigate } from 'react-router';

/** The history state of a link in a row: closing what it opens leads back there. */
export const fromRow = { fromRow: true };

/** Closes what is open: back to its row, or to `list` where the address was opened by itself. */
export function useClose(list: To): () => void {
  const state = useLocation().state as Partial<typeof fromRow> | null;
  const navigate = useNavigate();
  return () => {
    if (state?.fromRow) void navigate(-1);
    else void navigate(list, { replace: true, preventScrollReset: true });
  };
}
