/**
 * A semantic table that becomes a stack of cards if its container (not the window) is too narrow. A card has title and figure
 * on top, then the rest as labeled lines, and actions last. Roles are explicit because changing `display` removes the implicit
 * ones.
 */
import { type ReactNode, useEffect, useState } from 'react';
import { classNames } from './classNames.ts';
import { Skeleton } from './Skeleton.tsx';
import './Table.css';

export type Column<Row> = {
  key: string;
  head: string;
  cell: (row: Row) => ReactNode;
  /** Aligned to the end of the column, for figures. */
  align?: 'end' | undefined;
  /**
   * Its place in a card: `title` top left, `figure` top right, `detail` unlabeled under the title, `line` a labeled line (the
   * default), `actions` at the bottom.
   */
  place?: 'title' | 'figure' | 'detail' | 'line' | 'actions' | undefined;
  /** The header is visible only to screen readers (a column of buttons). */
  hideHead?: boolean | undefined;
  /** The column's cell in the totals row. The row exists if any column has one. */
  foot?: ReactNode;
};

export type TableProps<Row> = {
  /** The table's accessible name. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** Shows a skeleton while there are no rows. Rows that are already there stay. */
  loading?: boolean | undefined;
  loadingLabel?: string | undefined;
  /** The number of rows of the skeleton. */
  loadingRows?: number | undefined;
  /** Shown instead of the whole table if there are no rows. */
  empty?: ReactNode;
  /** Stacks below a container width of 560 or 900 px. */
  stack?: 'narrow' | 'wide' | undefined;
  /** Makes the rows shorter, for columns of figures. */
  dense?: boolean | undefined;
  className?: string | undefined;
};

export function Table<Row>(props: TableProps<Row>) {
  const {
    caption,
    columns,
    rows,
    rowKey,
    loading,
    loadingLabel = caption,
    loadingRows = 5,
    empty,
    stack = 'wide',
    dense,
  } = props;
  const isSettling = useSettling(
    columns.some(({ place }) => place === 'actions') ? rows.map(rowKey).join() : '',
  );
  if (loading && rows.length === 0) return <Skeleton kind="table" label={loadingLabel} count={loadingRows} />;
  if (rows.length === 0 && empty !== undefined) return empty;
  return (
    <div
      className={classNames(
        'Table',
        `Table--${stack}`,
        dense && 'Table--dense',
        isSettling && 'Table--settling',
        props.className,
      )}
    >
      {/* biome-ignore-start lint/a11y/noRedundantRoles: stacked cells lose their roles otherwise */}
      <table role="table" aria-busy={loading || undefined}>
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(column => (
              <th
                key={column.key}
                role="columnheader"
                scope="col"
                className={column.align && `Table-${column.align}`}
              >
                {column.hideHead ? <span className="sr-only">{column.head}</span> : column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map(row => (
            <tr key={rowKey(row)} role="row">
              {columns.map(({ key, head, cell, align, place = 'line' }) => (
                <td key={key} role="cell" className={classNames(`Table-${place}`, align && `Table-${align}`)}>
                  {place === 'line' && (
                    <span className="Table-label" aria-hidden="true">
                      {head}
                    </span>
                  )}
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        {columns.some(column => column.foot !== undefined) && (
          <tfoot role="rowgroup">
            <tr role="row">
              {columns.map(({ key, head, foot, align, place = 'line' }) => (
                <td key={key} role="cell" className={classNames(`Table-${place}`, align && `Table-${align}`)}>
                  {place === 'line' && foot !== undefined && (
                    <span className="Table-label" aria-hidden="true">
                      {head}
                    </span>
                  )}
                  {foot}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: stacked cells lose their roles otherwise */}
    </div>
  );
}

const settlesMs = 350;

/** Whether the rows have just moved: a click meant for one row would hit another. */
function useSettling(rows: string): boolean {
  const [settled, setSettled] = useState(rows);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(rows), settlesMs);
    return () => clearTimeout(timer);
  }, [rows]);
  return settled !== '' && settled !== rows;
}
