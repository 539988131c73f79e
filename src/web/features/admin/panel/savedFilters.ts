/**
 * The filters that each administrator saved under a name, kept in this browser's storage. Only filters in the URL are saved.
 * A search text is never saved, because it can be a name.
 */
import { useSyncExternalStore } from 'react';
import { selectAdmin } from '#web/base/session.ts';
import { useAppSelector } from '#web/base/store.ts';
import { storedText } from '#web/base/storedText.ts';

/** `search` is the URL's query: the view and its filters. */
export type SavedFilter = { name: string; search: string };

/** The key of the view that a filter belongs to. */
export const viewOf = ({ search }: SavedFilter) => new URLSearchParams(search).get('view');

const storage = storedText('adminFilters');
/** For each view. */
export const maxSaved = 20;
const notSaved = ['page', 'search', 'customer', 'person', 'transaction', 'request', 'tab'];

/** The query that would be saved for an address; undefined if it has no filter. */
export function filterOf(address: URLSearchParams): string | undefined {
  const kept = [...address].filter(([name, value]) => !notSaved.includes(name) && value !== '');
  return kept.length > 1 ? new URLSearchParams(kept).toString() : undefined;
}

/** Leaves out what is no filter: another program or an older version of the bank may have written it. */
function parse(text: string): Record<string, SavedFilter[]> {
  try {
    const stored = (JSON.parse(text) ?? {}) as Record<string, unknown>;
    return Object.fromEntries(
      Object.entries(stored).map(([adminId, filters]) => [
        adminId,
        Array.isArray(filters) ? filters.filter(isFilter) : [],
      ]),
    );
  } catch {
    return {};
  }
}

function isFilter(stored: unknown): stored is SavedFilter {
  const { name, search } = (stored ?? {}) as Partial<Record<string, unknown>>;
  return typeof name === 'string' && typeof search === 'string';
}

/** The logged-in administrator's filters, oldest first, and functions that save and remove one. */
export function useSavedFilters() {
  const adminId = useAppSelector(selectAdmin)?._id ?? '';
  const all = parse(useSyncExternalStore(storage.subscribe, storage.read) ?? '{}');
  const saved = all[adminId] ?? [];
  const store = (next: SavedFilter[]) => storage.write(JSON.stringify({ ...all, [adminId]: next }));
  const without = (removed: SavedFilter) =>
    saved.filter(filter => filter.name !== removed.name || viewOf(filter) !== viewOf(removed));
  return {
    saved,
    /** A filter of the same view with the same name is replaced. */
    save: (filter: SavedFilter) => store([...without(filter), filter]),
    remove: (filter: SavedFilter) => store(without(filter)),
  };
}
