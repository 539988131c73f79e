/** One row of the component sheet: the component's name in the margin, its states next to it. */
import type { ReactNode } from 'react';
import './Specimen.css';

export function Specimen({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className="Specimen">
      <h2>{name}</h2>
      <div>{children}</div>
    </section>
  );
}
