/**
 * The audit log: who did what to whom, when and from where, newest first, loaded page by page. The URL holds the filters;
 * clicking a name narrows the log to that person or transaction.
 */
import { useState } from 'react';
import { adminCustomersApi } from '#contract/adminCustomers.ts';
import { admin as limits, maxLength } from '#contract/constants.ts';
import type { AuditEntry } from '#contract/entities.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import { retainedApi } from '#contract/retained.ts';
import { useSearchParams } from '#web/router/hooks.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Table } from '#web/ui/Table.tsx';
import { ExportButton } from '../panel/ExportButton.tsx';
import { ListFailed } from '../panel/ListFailed.tsx';
import { SavedFilters } from '../panel/SavedFilters.tsx';
import { useMay } from '../panel/useRole.ts';
import { useSettled } from '../panel/useSettled.ts';
import { ViewHead, type ViewProps } from '../panel/ViewHead.tsx';
import { AuditFilterBar } from './AuditFilterBar.tsx';
import { auditColumns } from './auditColumns.tsx';
import { type AuditFilters, auditFiltersAddress, noAuditFilters, readAuditFilters } from './auditFilters.ts';
import { auditWords } from './auditWords.ts';
import { OlderRecordsFoot } from './OlderRecordsFoot.tsx';
import { RetainedData } from './RetainedData.tsx';
import { useAuditTrail } from './useAuditTrail.ts';
import './AuditTable.css';

export function AuditView({ menu }: ViewProps) {
  const [address, setAddress] = useSearchParams();
  const filters = readAuditFilters(address);
  const [typed, setTyped] = useState('');
  const search = useSettled(typed.trim(), limits.searchDebounceMs);
  const trail = useAuditTrail(filters, search);
  const { records, page, isLoading, error, refresh } = trail;
  const mayOpen = useMay()(retainedApi.openRetained);
  const [asked, setAsked] = useState<AuditEntry>();

  const change = (changed: Partial<AuditFilters>) => {
    const next = auditFiltersAddress({ ...filters, ...changed });
    setAddress(next.search, { replace: true, preventScrollReset: true });
  };

  const found = filters.person ? records.find(record => record.subject === filters.person) : undefined;
  return (
    <>
      <ViewHead menu={menu} title={adminMessages.audit}>
        <div className="AuditTable-acts">
          <ExportButton call={adminCustomersApi.exportAudit} query={filters} search={search} />
          <Button kind="quiet" icon="refresh" disabled={isLoading} onClick={refresh}>
            {auditWords.refresh}
          </Button>
        </div>
      </ViewHead>
      <p className="type-note AuditTable-about">{auditWords.note}</p>
      <AuditFilterBar
        filters={filters}
        actions={page?.actions ?? []}
        personName={found?.subjectName || undefined}
        search={typed}
        onSearch={text => setTyped(text.slice(0, maxLength.search))}
        onChange={change}
      />
      <SavedFilters view="audit" />
      {page?.isCut && <Banner kind="info" className="AuditTable-cut" title={auditWords.cut} />}
      {error && records.length === 0 ? (
        <ListFailed error={error} onRetry={refresh} />
      ) : (
        <Panel pad={false} label={adminMessages.audit}>
          <Table
            className="AuditTable"
            caption={adminMessages.audit}
            columns={auditColumns({
              onOnly: person => change({ ...noAuditFilters, person }),
              onRetained: mayOpen ? setAsked : undefined,
            })}
            rows={records}
            rowKey={record => record._id}
            loading={isLoading}
            loadingLabel={auditWords.loading}
            loadingRows={10}
            empty={
              <EmptyState
                title={auditWords.none}
                level={2}
                action={
                  <Button
                    kind="quiet"
                    onClick={() => {
                      setTyped('');
                      change(noAuditFilters);
                    }}
                  >
                    {auditWords.clear}
                  </Button>
                }
              >
                {search ? auditWords.nothingLikeIt : auditWords.noneText}
              </EmptyState>
            }
          />
        </Panel>
      )}
      <OlderRecordsFoot list={trail} />
      <RetainedData record={asked} onClose={() => setAsked(undefined)} />
    </>
  );
}
