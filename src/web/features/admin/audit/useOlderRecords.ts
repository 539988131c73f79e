/** Loads records page by page: the newest first, older ones on request. */
import { useCallback, useEffect, useRef, useState } from 'react';

type Page<Row> = { records: Row[]; hasMore: boolean };

/**
 * `ask()` reads the newest page, `ask(id)` the page of records older than the record `id`. The list starts again whenever `ask`
 * or `changed` changes, so memoize `ask`.
 */
export function useOlderRecords<Row extends { _id: string }, More>(
  ask: (before?: string) => Promise<{ data?: (Page<Row> & More) | undefined; error?: unknown }>,
  changed?: unknown,
) {
  type List = { records: Row[]; page: (Page<Row> & More) | undefined; isLoading: boolean; error: unknown };
  const [list, setList] = useState<List>({ records: [], page: undefined, isLoading: true, error: undefined });
  const requestId = useRef(0);
  const read = useCallback(
    async (before?: string) => {
      requestId.current += 1;
      const ownId = requestId.current;
      setList(known => ({
        ...known,
        ...(before === undefined && { records: [] }),
        isLoading: true,
        error: undefined,
      }));
      const { data, error } = await ask(before);
      // The list was started again while this request ran; drop its answer.
      if (ownId !== requestId.current) return;
      setList(known => ({
        records: [...known.records, ...(data?.records ?? [])],
        page: data ?? known.page,
        isLoading: false,
        error,
      }));
    },
    [ask],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads again when `changed` changes
  useEffect(() => void read(), [read, changed]);
  return {
    ...list,
    hasMore: list.page?.hasMore ?? false,
    refresh: () => void read(),
    loadMore: () => void read(list.records.at(-1)?._id),
  };
}
