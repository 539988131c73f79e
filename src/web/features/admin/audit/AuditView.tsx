/**
 * The audit log: who did what to whom, when and from where, newest first, loaded page by page. The URL holds the filters;
 * clicking a name narrows the log to that person or transaction.
 */
import { useSearchParams } from 'react-router';
import * as adminMessages from '#contract/messages/admin.ts';
import { Button } from '#web/ui/Button.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { ViewHead, type ViewProps } from '../panel/ViewHead.tsx';
import { AuditFilterBar } from './AuditFilterBar.tsx';
import { AuditRecords } from './AuditRecords.tsx';
import { type AuditFilters, auditFiltersAddress, noAuditFilters, readAuditFilters } from './auditFilters.ts';
import { auditWords } from './auditWords.ts';
import { useAuditTrail } from './useAuditTrail.ts';
import './AuditTable.css';

export function AuditView({ menu }: ViewProps) {
  const [address, setAddress] = useSearchParams();
  const filters = readAuditFilters(address);
  const trail = useAuditTrail(filters);

  const change = (changed: Partial<AuditFilters>) => {
    const next = auditFiltersAddress({ ...filters, ...changed });
    setAddress(next.search, { replace: true, preventScrollReset: true });
  };
  const found = filters.person ? trail.records.find(record => record.subject === filters.person) : undefined;
  return (
    <>
      <ViewHead menu={menu} title={adminMessages.audit}>
        <Button kind="quiet" icon="refresh" disabled={trail.isLoading} onClick={trail.refresh}>
          {auditWords.refresh}
        </Button>
      </ViewHead>
      <p className="type-note AuditTable-about">{auditWords.note}</p>
      <AuditFilterBar
        filters={filters}
        actions={trail.actions}
        personName={found?.subjectName || undefined}
        onChange={change}
      />
      <AuditRecords
        label={adminMessages.audit}
        trail={trail}
        onOnly={person => change({ ...noAuditFilters, person })}
        empty={
          <EmptyState
            title={auditWords.none}
            level={2}
            action={
              <Button kind="quiet" onClick={() => change(noAuditFilters)}>
                {auditWords.clear}
              </Button>
            }
          >
            {auditWords.noneText}
          </EmptyState>
        }
      />
    </>
  );
}
