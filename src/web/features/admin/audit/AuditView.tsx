/**
 * The audit log: who did what to whom, when and from where, newest first, loaded page by page. The URL holds the filters;
 * clicking a name narrows the log to that person or transaction.
 */
import { useEffect, useRef, useState } from 'react';
import { adminCustomersApi } from '#contract/adminCustomers.ts';
import { admin as limits, maxLength } from '#contract/constants.ts';
import { formatCount } from '#contract/count.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import { useSearchParams } from '#web/router/hooks.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Table } from '#web/ui/Table.tsx';
import { ExportButton } from '../panel/ExportButton.tsx';
import { ListFailed } from '../panel/ListFailed.tsx';
import { SavedFilters } from '../panel/SavedFilters.tsx';
import { useSettled } from '../panel/useSettled.ts';
import { ViewHead, type ViewProps } from '../panel/ViewHead.tsx';
import { AuditFilterBar } from './AuditFilterBar.tsx';
import { auditColumns } from './auditColumns.tsx';
import { type AuditFilters, auditFiltersAddress, noAuditFilters, readAuditFilters } from './auditFilters.ts';
import { auditWords } from './auditWords.ts';
import { useAuditTrail } from './useAuditTrail.ts';
import './AuditTable.css';

export function AuditView({ menu }: ViewProps) {
  const [address, setAddress] = useSearchParams();
  const filters = readAuditFilters(address);
  const [typed, setTyped] = useState('');
  const search = useSettled(typed.trim(), limits.searchDebounceMs);
  const { records, actions, hasMore, isCut, isLoading, error, refresh, loadMore } = useAuditTrail(
    filters,
    search,
  );
  const end = useRef<HTMLParagraphElement>(null);
  const readToEnd = useRef(false);

  const change = (changed: Partial<AuditFilters>) => {
    const next = auditFiltersAddress({ ...filters, ...changed });
    setAddress(next.search, { replace: true, preventScrollReset: true });
  };
  const isEnd = records.length > 0 && !hasMore && !isLoading && !error;
  useEffect(() => {
    // The clicked 'Load more' button disappears with the last page; move the focus so that it is not lost.
    if (isEnd && readToEnd.current) end.current?.focus({ preventScroll: true });
    readToEnd.current = false;
  }, [isEnd]);

  const found = filters.person ? records.find(record => record.subject === filters.person) : undefined;
  return (
    <>
      <ViewHead menu={menu} title={adminMessages.audit}>
        <div className="AuditTable-acts">
          {!filters.actorKind && !search && (
            <ExportButton call={adminCustomersApi.exportAudit} query={filters} />
          )}
          <Button kind="quiet" icon="refresh" disabled={isLoading} onClick={refresh}>
            {auditWords.refresh}
          </Button>
        </div>
      </ViewHead>
      <p className="type-note AuditTable-about">{auditWords.note}</p>
      <AuditFilterBar
        filters={filters}
        actions={actions}
        personName={found?.subjectName || undefined}
        search={typed}
        onSearch={text => setTyped(text.slice(0, maxLength.search))}
        onChange={change}
      />
      <SavedFilters view="audit" />
      {isCut && <Banner kind="info" className="AuditTable-cut" title={auditWords.cut} />}
      {error && records.length === 0 ? (
        <ListFailed error={error} onRetry={refresh} />
      ) : (
        <Panel pad={false} label={adminMessages.audit}>
          <Table
            className="AuditTable"
            caption={adminMessages.audit}
            columns={auditColumns(person => change({ ...noAuditFilters, person }))}
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
                {auditWords.noneText}
              </EmptyState>
            }
          />
        </Panel>
      )}
      {error && records.length > 0 ? <ListFailed error={error} onRetry={loadMore} /> : null}
      <div className="AuditTable-foot">
        <p className="type-small" role="status">
          {!isLoading && records.length > 0 && auditWords.shown(formatCount(records.length))}
        </p>
        {hasMore && records.length > 0 && (
          <Button
            kind="quiet"
            icon="down"
            busy={isLoading}
            busyLabel={auditWords.moreBusy}
            onClick={() => {
              readToEnd.current = true;
              loadMore();
            }}
          >
            {auditWords.more}
          </Button>
        )}
        {isEnd && (
          <p ref={end} tabIndex={-1} className="type-small AuditTable-end">
            {auditWords.end}
          </p>
        )}
      </div>
    </>
  );
}
