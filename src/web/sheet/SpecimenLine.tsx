/** States of one part side by side, wrapping where there is no room. */
import type { ReactNode } from 'react';
import './SpecimenLine.css';

export function SpecimenLine({ children }: { children: ReactNode }) {
  return <div className="SpecimenLine">{children}</div>;
}
