/** Horizontal bars on one scale from zero, each with its name and its figure as text; negative bars extend to the left. */
import type { CSSProperties } from 'react';
import { classNames } from './classNames.ts';
import './BarRows.css';

export type BarRow = {
  key: string;
  name: string;
  /** The bar's length, in any unit that all rows share. */
  value: number;
  /** The figure as text, at the row's end. */
  figure: string;
  detail?: string | undefined;
};

export type BarRowsProps = {
  /** The accessible name of the rows. */
  label: string;
  rows: readonly BarRow[];
};

export function BarRows({ label, rows }: BarRowsProps) {
  const values = rows.map(row => row.value);
  const lowest = Math.min(0, ...values);
  const reach = Math.max(0, ...values) - lowest || 1;
  const percent = (value: number) => `${(value / reach) * 100}%`;
  return (
    <ul className="BarRows" aria-label={label} style={{ '--zero': percent(-lowest) } as CSSProperties}>
      {rows.map(({ key, name, value, figure, detail }) => (
        <li key={key}>
          <p className="BarRows-text">
            {name} <b>{figure}</b>
            {detail && <span className="BarRows-detail">{detail}</span>}
          </p>
          <div className="BarRows-track" aria-hidden="true">
            {value !== 0 && (
              <span
                className={classNames('BarRows-bar', value < 0 && 'BarRows-bar--below')}
                style={
                  value < 0
                    ? { right: percent(lowest + reach), width: percent(-value) }
                    : { left: percent(-lowest), width: percent(value) }
                }
              />
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}
