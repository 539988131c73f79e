/** A table cell of several lines: the first can be bold, and a link among them is a touch target. */
import type { ReactNode } from 'react';
import './CellLines.css';

export const CellLines = ({ children }: { children: ReactNode }) => (
  <span className="CellLines">{children}</span>
);
