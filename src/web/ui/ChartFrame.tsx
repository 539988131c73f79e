/** What every drawing of figures stands in: an svg at the size of its place, so that its type keeps its own, and its hairlines. */
import type { ReactNode, Ref } from 'react';
import { classNames } from './classNames.ts';
import './ChartFrame.css';

export type ChartFrameProps = {
  /** Measures the place; of `useWidth`. */
  place: Ref<HTMLDivElement>;
  width: number;
  height: number;
  /** The drawing in words, for whoever cannot see it. */
  description: string;
  className: string;
  children: ReactNode;
};

export function ChartFrame({ place, width, height, description, className, children }: ChartFrameProps) {
  return (
    <div ref={place} className={classNames('ChartFrame', className)}>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        role="img"
        aria-label={description}
      >
        {children}
      </svg>
    </div>
  );
}
