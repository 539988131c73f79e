/** A page of a list as a table, in a panel with its pager. */
import type { Ref } from 'react';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Table, type TableProps } from '#web/ui/Table.tsx';
import { PagedPanel, type PagedPanelProps } from './PagedPanel.tsx';

export type PagedTableProps<Page, Row> = Omit<PagedPanelProps<Page>, 'list' | 'children'> &
  Pick<TableProps<Row>, 'columns' | 'rows' | 'loadingLabel'> & {
    list: PagedPanelProps<Page>['list'] & { isFetching: boolean };
    /** Shown instead of the rows if there are none. */
    none: { title: string; text: string };
    /** The element around the table. */
    place?: Ref<HTMLDivElement>;
  };

export function PagedTable<Page extends { totalPages: number }, Row extends { _id: string }>(
  props: PagedTableProps<Page, Row>,
) {
  const { columns, rows, loadingLabel, none, place, ...panel } = props;
  const { currentData, isFetching } = panel.list;
  return (
    <PagedPanel {...panel}>
      <div ref={place}>
        <Table
          caption={panel.label}
          columns={columns}
          rows={rows}
          rowKey={row => row._id}
          loading={isFetching && !currentData}
          loadingLabel={loadingLabel}
          empty={
            <EmptyState title={none.title} level={2}>
              {none.text}
            </EmptyState>
          }
        />
      </div>
    </PagedPanel>
  );
}
