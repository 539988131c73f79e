/** States of one part side by side, wrapping where there is no room. */
import type { ReactNode } from 'react';

export function SpecimenLine({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-x-4 gap-y-3">{children}</div>;
}
