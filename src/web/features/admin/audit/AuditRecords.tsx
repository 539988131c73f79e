/** Records of the audit log as a table, newest first, with a button that loads older ones. */
import { type ReactNode, useEffect, useRef } from 'react';
import { formatCount } from '#contract/count.ts';
import { Button } from '#web/ui/Button.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Table } from '#web/ui/Table.tsx';
import { ListFailed } from '../panel/ListFailed.tsx';
import { auditColumns } from './auditColumns.tsx';
import { auditWords } from './auditWords.ts';
import type { useAuditTrail } from './useAuditTrail.ts';
import './AuditTable.css';

export type AuditRecordsProps = {
  label: string;
  trail: ReturnType<typeof useAuditTrail>;
  /** Narrows the log to the records about the person or transaction with this id. */
  onOnly: (id: string) => void;
  /** Shown if there are no records. */
  empty: ReactNode;
};

export function AuditRecords({ label, trail, onOnly, empty }: AuditRecordsProps) {
  const { records, hasMore, isLoading, error, refresh, loadMore } = trail;
  const end = useRef<HTMLParagraphElement>(null);
  const readToEnd = useRef(false);
  const isEnd = records.length > 0 && !hasMore && !isLoading && !error;
  useEffect(() => {
    // The clicked 'Load more' button disappears with the last page; move the focus so that it is not lost.
    if (isEnd && readToEnd.current) end.current?.focus({ preventScroll: true });
    readToEnd.current = false;
  }, [isEnd]);

  return (
    <>
      {error && records.length === 0 ? (
        <ListFailed error={error} onRetry={refresh} />
      ) : (
        <Panel pad={false} label={label}>
          <Table
            className="AuditTable"
            caption={label}
            columns={auditColumns(onOnly)}
            rows={records}
            rowKey={record => record._id}
            loading={isLoading}
            loadingLabel={auditWords.loading}
            loadingRows={10}
            empty={empty}
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
