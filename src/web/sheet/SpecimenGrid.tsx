/** States of one component in columns of equal width. */
import type { ReactNode } from 'react';
import './SpecimenGrid.css';

export function SpecimenGrid({ children }: { children: ReactNode }) {
  return <div className="SpecimenGrid">{children}</div>;
}
