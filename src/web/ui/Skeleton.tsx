/** A placeholder in the shape and size of content that is loading, announced once to screen readers. */
import type { ReactNode } from 'react';
import { classNames } from './classNames.ts';
import './Skeleton.css';

export type SkeletonProps = {
  kind: 'rows' | 'card' | 'text' | 'table';
  /** The number of rows or lines. */
  count?: number | undefined;
  /** 'Loading transactions...' */
  label: string;
  className?: string | undefined;
};

const row = (
  <>
    <span className="Skeleton-bone Skeleton-round" />
    <span className="Skeleton-lines">
      <span className="Skeleton-bone" />
      <span className="Skeleton-bone" />
    </span>
    <span className="Skeleton-lines Skeleton-end">
      <span className="Skeleton-bone" />
      <span className="Skeleton-bone" />
    </span>
  </>
);
const line = <span className="Skeleton-bone" />;
const card = (
  <>
    <span className="Skeleton-bone" />
    <span className="Skeleton-bone Skeleton-figure" />
    <span className="Skeleton-bone" />
  </>
);

const shapes: Record<SkeletonProps['kind'], { inside: ReactNode; count: number }> = {
  rows: { inside: row, count: 5 },
  table: { inside: row, count: 5 },
  text: { inside: line, count: 3 },
  card: { inside: card, count: 1 },
};

export function Skeleton({ kind, count = shapes[kind].count, label, className }: SkeletonProps) {
  return (
    <div className={classNames(`Skeleton--${kind}`, className)} role="status" aria-busy="true">
      <span className="sr-only">{label}</span>
      {Array.from({ length: count }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: identical shapes
        <div key={place} className="Skeleton-item" aria-hidden="true">
          {shapes[kind].inside}
        </div>
      ))}
    </div>
  );
}
