/** Loads the audit log: the newest records for the filters first, older ones on request. */
import { useCallback } from 'react';
import { useLazyAuditLogQuery } from '../adminCalls.ts';
import { type AuditFilters, auditQuery } from './auditFilters.ts';
import { useOlderRecords } from './useOlderRecords.ts';

/** Records per page on a phone, where each is a card. */
const phonePage = 20;

/** `search` stays out of the URL, because it can be a name. */
export function useAuditTrail(filters: AuditFilters, search: string) {
  const [ask] = useLazyAuditLogQuery();
  const queryJson = JSON.stringify({ ...auditQuery(filters), ...(search && { search }) });
  return useOlderRecords(
    useCallback(
      async (before?: string) => {
        const query = {
          ...(innerWidth <= 640 && { limit: phonePage }),
          ...(JSON.parse(queryJson) as ReturnType<typeof auditQuery> & { search?: string }),
          ...(before && { before }),
        };
        return ask({ query });
      },
      [ask, queryJson],
    ),
  );
}
