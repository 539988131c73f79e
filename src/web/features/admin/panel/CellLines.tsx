/** A table cell of several lines: the first can be bold, and a link among them is a touch target. */
import type { ReactNode } from 'react';
import { classNames } from '#web/ui/classNames.ts';
import './CellLines.css';

/** `isLong`: a line may be too long for half of a phone's card. */
export const CellLines = ({ isLong = false, children }: { isLong?: boolean; children: ReactNode }) => (
  <span className={classNames('CellLines', isLong && 'CellLines--long')}>{children}</span>
);
