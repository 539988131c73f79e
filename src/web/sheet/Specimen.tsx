/** One row of the component sheet: the part's name in the margin, its states beside it. */
import type { ReactNode } from 'react';

export function Specimen({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className="grid gap-x-6 gap-y-3.5 border-t border-line-2 py-5 md:py-7 md:grid-cols-[176px_minmax(0,1fr)]">
      <h2 className="font-serif text-lg text-ink-2 italic">{name}</h2>
      <div className="grid min-w-0 gap-4.5">{children}</div>
    </section>
  );
}
