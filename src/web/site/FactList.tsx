/** A few facts under each other, each with its name before it: how to reach the bank, when an event is. */
import type { ReactNode } from 'react';
import './FactList.css';

export type FactListProps = { facts: readonly { name: string; value: ReactNode }[] };

export function FactList({ facts }: FactListProps) {
  return (
    <dl className="FactList">
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
