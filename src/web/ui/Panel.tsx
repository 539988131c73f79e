/** A card of paper: hairline, no shadow. A labelled one is a landmark. */
import type { ReactNode } from 'react';
import { classNames } from './classNames.ts';
import './Panel.css';

export type PanelProps = {
  as?: 'section' | 'aside' | 'div' | 'article' | 'form' | undefined;
  label?: string | undefined;
  labelledBy?: string | undefined;
  /** 28 px (20/16 on phones) inside; on unless the content brings its own. */
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
