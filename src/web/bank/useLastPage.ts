/** Keeps the page number in a list's URL within the number of pages. */
import { useEffect, useEffectEvent } from 'react';

type Paged = { page: number; isSettling?: boolean; replace: (page: number) => void };
type Answer = { totalPages: number | undefined; isFetching?: boolean };

/**
 * Goes to the last page if the URL names a page past it (an old bookmark), or the last row of the last page is gone. Returns
 * the last page; until `totalPages` is known, the wanted page.
 */
export function useLastPage(
  { page, isSettling = false, replace }: Paged,
  { totalPages, isFetching = false }: Answer,
): number {
  const last = Math.max(1, totalPages ?? page);
  const isBeyond = !isFetching && !isSettling && page > last;
  const leave = useEffectEvent(replace);
  useEffect(() => {
    if (isBeyond) leave(last);
  }, [isBeyond, last]);
  return last;
}
