/** A ruled list of facts: the term in the margin, its description next to it. */
import type { ReactNode } from 'react';
import './FactList.css';

export type Fact = { term: string; is: ReactNode };

export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="FactList">
      {facts.map(({ term, is }) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{is}</dd>
        </div>
      ))}
    </dl>
  );
}
