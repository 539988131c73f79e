/** A section of the form with its title in the margin and a note in italics. */
import { type ReactNode, useId } from 'react';
import './RegisterSection.css';

export type RegisterSectionProps = { title: string; note: string; children: ReactNode };

export function RegisterSection({ title, note, children }: RegisterSectionProps) {
  const titleId = useId();
  return (
    <section className="RegisterSection" aria-labelledby={titleId}>
      <div className="RegisterSection-side">
        <h2 id={titleId}>{title}</h2>
        <p className="type-note">{note}</p>
      </div>
      <div className="RegisterSection-fields">{children}</div>
    </section>
  );
}
