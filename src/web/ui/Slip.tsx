/** A ruled list of terms and values, like a deposit slip; the total has a double rule under it. */
import type { ReactNode } from 'react';
import { classNames } from './classNames.ts';
import { Ranges } from './Ranges.tsx';
import './Slip.css';

export type SlipRow = {
  label: string;
  value: ReactNode;
  /** The total: at most one row, the last. */
  total?: boolean | undefined;
};

/** Anything other than a row is left out, so a row can have a condition. */
export type SlipRows = readonly (SlipRow | false | '' | undefined)[];

export type SlipProps = { rows: SlipRows; className?: string | undefined };

export function Slip({ rows, className }: SlipProps) {
  return (
    <dl className={classNames('Slip', className)}>
      {rows
        .flatMap(row => row || [])
        .map(row => (
          <div key={row.label} className={row.total ? 'Slip-total' : undefined}>
            <dt>{row.label}</dt>
            <dd>
              {row.total ? (
                <span className="ruled">{row.value}</span>
              ) : typeof row.value === 'string' ? (
                <Ranges>{row.value}</Ranges>
              ) : (
                row.value
              )}
            </dd>
          </div>
        ))}
    </dl>
  );
}
