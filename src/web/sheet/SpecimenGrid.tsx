/** States of one part in columns of equal width. */
import type { ReactNode } from 'react';

export function SpecimenGrid({ children }: { children: ReactNode }) {
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(280px,100%),1fr))] items-start gap-x-7 gap-y-5.5">
      {children}
    </div>
  );
}
