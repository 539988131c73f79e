/** A chart's figures as a table that a click opens, for readers who prefer text. */
import type { ReactNode } from 'react';
import { classNames } from './classNames.ts';
import './ChartTable.css';

export type ChartTableProps = {
  /** The text that opens it. */
  summary: string;
  /** The table's accessible name: the chart's own title. */
  caption: string;
  /** The first is the header of the name column. */
  heads: readonly string[];
  rows: readonly { key: string; name: ReactNode; figures: readonly ReactNode[] }[];
  className?: string | undefined;
};

export function ChartTable({ summary, caption, heads, rows, className }: ChartTableProps) {
  return (
    <details className={classNames('ChartTable', className)}>
      <summary>{summary}</summary>
      <table>
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {heads.map(head => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, figures }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              {figures.map((figure, place) => (
                <td key={heads[place + 1]} className="num">
                  {figure}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
