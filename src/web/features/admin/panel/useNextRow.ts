/**
 * Keeps the focus in a list whose rows disappear once they are decided. The focus moves to the row that takes the place of the
 * decided one. If that row has no button, or no row is left, the focus moves to `fallback`, or else to the view's title.
 */
import { type RefObject, useEffect, useRef } from 'react';
import { viewTitleId } from './ViewHead.tsx';

/** `isHeld`: a dialog over the list has the focus, so the focus does not move yet. */
export function useNextRow(
  rows: readonly { _id: string }[],
  isHeld: boolean,
  fallback?: RefObject<HTMLElement | null>,
) {
  const place = useRef<HTMLDivElement>(null);
  /**
   * The decided row, its index, the list that still contains it, and what had the focus. Cleared when the next list arrives.
   */
  const decided = useRef<{ id: string; index: number; from: typeof rows; focused: Element | null }>(
    undefined,
  );

  useEffect(() => {
    if (!decided.current || isHeld || decided.current.from === rows) return;
    const { id, index, focused } = decided.current;
    decided.current = undefined;
    const { activeElement } = document;
    const at = rows.findIndex(row => row._id === id);
    // A row can stay in the list and lose only the pressed button. Move the focus only if it was lost, or is in a dialog that
    // closes and would return it to that button.
    const isReturned = focused?.isConnected || !activeElement?.closest('[role="dialog"]');
    if (at >= 0 && activeElement !== document.body && isReturned) return;
    if (activeElement instanceof HTMLInputElement || activeElement instanceof HTMLSelectElement) return;
    const next = place.current
      ?.querySelectorAll('tbody tr')
      [at >= 0 ? at : Math.min(index, rows.length - 1)]?.querySelector<HTMLElement>('button:enabled');
    (next ?? fallback?.current ?? document.getElementById(viewTitleId))?.focus();
  }, [rows, isHeld, fallback]);

  return {
    /** The list. */
    place,
    /** Call it with the row that was decided, before the list is loaded again. */
    decide: (id: string) => {
      decided.current = {
        id,
        index: rows.findIndex(row => row._id === id),
        from: rows,
        focused: document.activeElement,
      };
    },
  };
}
