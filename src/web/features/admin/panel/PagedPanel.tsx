/**
 * A page of a list in a panel with its pager, or why it could not be loaded. The pager stays while another page is loading.
 * Goes to the last page if the wanted page is past it, for example because the wanted page's only row is gone.
 */
import type { ReactNode } from 'react';
import { formatCount } from '#contract/count.ts';
import { pagerTexts } from '#web/bank/pagerTexts.ts';
import { useLastPage } from '#web/bank/useLastPage.ts';
import { Pager } from '#web/ui/Pager.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { ListFailed } from './ListFailed.tsx';

export type PagedPanelProps<Page> = {
  label: string;
  /** The result of the query. `data`: the page that was loaded last; `currentData`: the wanted page. */
  list: {
    data?: Page | undefined;
    currentData?: Page | undefined;
    error?: unknown;
    refetch: () => unknown;
  };
  /** Which page is wanted. */
  page: number;
  onPage: (page: number) => void;
  /** How many rows all pages have. */
  countOf: (data: Page) => number;
  /** The text beside the pager, from the page, the number of pages and the number of rows. */
  footer: (page: string, pages: string, rows: string) => string;
  /** The table. */
  children: ReactNode;
};

export function PagedPanel<Page extends { totalPages: number }>(props: PagedPanelProps<Page>) {
  const { label, list, page, onPage, countOf, footer, children } = props;
  const { data, currentData, error, refetch } = list;
  const pages = Math.max(1, data?.totalPages ?? 1);
  const shown = Math.min(page, pages);
  useLastPage({ page, replace: onPage }, { totalPages: currentData?.totalPages });
  return (
    <>
      {error && !currentData ? (
        <ListFailed error={error} onRetry={refetch} />
      ) : (
        <Panel pad={false} label={label}>
          {children}
        </Panel>
      )}
      {data && (
        <Pager
          texts={pagerTexts}
          page={shown}
          pageCount={pages}
          onPage={onPage}
          text={footer(formatCount(shown), formatCount(pages), formatCount(countOf(data)))}
        />
      )}
    </>
  );
}
