/** A card with a hairline border and no shadow. A panel with a label is a landmark. */
import type { ReactNode } from 'react';
import { classNames } from './classNames.ts';
import './Panel.css';

export type PanelProps = {
  as?: 'section' | 'aside' | 'div' | 'article' | 'form' | undefined;
  label?: string | undefined;
  labelledBy?: string | undefined;
  /** Padding of 28 px (20/16 on phones); true unless the content brings its own. */
  pad?: boolean | undefined;
  children: ReactNode;
  className?: string | undefined;
};

export function Panel({
  as: Tag = 'section',
  label,
  labelledBy,
  pad = true,
  children,
  className,
}: PanelProps) {
  return (
    <Tag
      className={classNames('Panel', pad && 'Panel--pad', className)}
      aria-label={label}
      aria-labelledby={labelledBy}
    >
      {children}
    </Tag>
  );
}
