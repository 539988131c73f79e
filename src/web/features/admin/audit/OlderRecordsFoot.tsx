/** The foot of a list of records: how many are shown, a button that loads older records, and why loading failed. */
import { type ReactNode, useEffect, useRef } from 'react';
import { formatCount } from '#contract/count.ts';
import { Button } from '#web/ui/Button.tsx';
import { ListFailed } from '../panel/ListFailed.tsx';
import { auditWords as words } from './auditWords.ts';
import './OlderRecordsFoot.css';

export type OlderRecordsFootProps = {
  list: {
    records: readonly unknown[];
    hasMore: boolean;
    isLoading: boolean;
    error: unknown;
    loadMore: () => void;
  };
  children?: ReactNode;
};

export function OlderRecordsFoot({ list, children }: OlderRecordsFootProps) {
  const { records, hasMore, isLoading, error, loadMore } = list;
  const status = useRef<HTMLParagraphElement>(null);
  const readToEnd = useRef(false);
  const isEnd = records.length > 0 && !hasMore && !isLoading && !error;
  useEffect(() => {
    // The clicked button disappears with the last page; move the focus so that it is not lost.
    if (isEnd && readToEnd.current) status.current?.focus({ preventScroll: true });
    readToEnd.current = false;
  }, [isEnd]);
  return (
    <>
      {error && records.length > 0 ? <ListFailed error={error} onRetry={loadMore} /> : null}
      <div className="OlderRecordsFoot">
        <p ref={status} tabIndex={-1} className="type-small" role="status">
          {!isLoading &&
            records.length > 0 &&
            (isEnd ? words.allShown : words.shown)(formatCount(records.length))}
        </p>
        {hasMore && records.length > 0 && (
          <Button
            kind="quiet"
            icon="down"
            busy={isLoading}
            busyLabel={words.moreBusy}
            onClick={() => {
              readToEnd.current = true;
              loadMore();
            }}
          >
            {words.more}
          </Button>
        )}
        {children}
      </div>
    </>
  );
}
