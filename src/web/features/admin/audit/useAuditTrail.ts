/** Loads the audit log: the newest records for the filters first, older ones on request. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { AuditEntry } from '#contract/entities.ts';
import { useLazyAuditLogQuery } from '../adminCalls.ts';
import { type AuditFilters, auditQuery } from './auditFilters.ts';

type Trail = {
  records: AuditEntry[];
  /** All recorded actions; empty before the first answer. */
  actions: string[];
  hasMore: boolean;
  /** The search found more people than were searched for. */
  isCut?: boolean | undefined;
  isLoading: boolean;
  error: unknown;
};

const nothing: Trail = { records: [], actions: [], hasMore: false, isLoading: true, error: undefined };

/** Records per page on a phone, where each is a card. */
const phonePage = 20;

/** `search` stays out of the URL, because it can be a name. */
export function useAuditTrail(filters: AuditFilters, search: string) {
  const [ask] = useLazyAuditLogQuery();
  const [trail, setTrail] = useState(nothing);
  const requestId = useRef(0);
  const queryJson = JSON.stringify({ ...auditQuery(filters), ...(search && { search }) });

  const read = useCallback(
    async (before?: string) => {
      requestId.current += 1;
      const ownId = requestId.current;
      setTrail(known => ({
        ...known,
        ...(before === undefined && { records: [] }),
        isLoading: true,
        error: undefined,
      }));
      const query = {
        ...(innerWidth <= 640 && { limit: phonePage }),
        ...(JSON.parse(queryJson) as ReturnType<typeof auditQuery> & { search?: string }),
        ...(before && { before }),
      };
      const { data, error } = await ask({ query });
      // The filters changed while this request ran; drop its answer.
      if (ownId !== requestId.current) return;
      setTrail(known => ({
        ...known,
        ...(data && { isCut: undefined, ...data, records: [...known.records, ...data.records] }),
        isLoading: false,
        error,
      }));
    },
    [ask, queryJson],
  );
  useEffect(() => void read(), [read]);

  return { ...trail, refresh: () => void read(), loadMore: () => void read(trail.records.at(-1)?._id) };
}
