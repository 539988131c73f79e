/** States of one component side by side, wrapping if there is not enough space. */
import type { ReactNode } from 'react';
import './SpecimenLine.css';

export function SpecimenLine({ children }: { children: ReactNode }) {
  return <div className="SpecimenLine">{children}</div>;
}
