/** A few figures side by side, each with its name; stacked on phones. */
import type { ReactNode } from 'react';
import { classNames } from './classNames.ts';
import { Icon, type IconName } from './Icon.tsx';
import './FigureRow.css';

export type Figure = {
  icon: IconName;
  name: string;
  /** Undefined while unknown; its space is kept. */
  value: ReactNode;
  /** A muted line under the figure. */
  detail?: ReactNode;
};

export type FigureRowProps = {
  figures: readonly Figure[];
  /** Styled as the lower half of the sheet above it. */
  under?: boolean | undefined;
  className?: string | undefined;
};

export function FigureRow({ figures, under, className }: FigureRowProps) {
  const waiting = figures.some(figure => figure.value === undefined);
  return (
    <dl className={classNames('FigureRow', under && 'FigureRow--under', className)} aria-busy={waiting}>
      {figures.map(({ icon, name, value, detail }) => (
        <div key={name}>
          <dt>
            <Icon name={icon} size={16} />
            {name}
          </dt>
          <dd>
            {value ?? <span className="FigureRow-wait" />}
            {detail && <span className="FigureRow-detail">{detail}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
