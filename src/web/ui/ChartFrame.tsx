/** The svg of a chart, as wide in pixels as its container, so that text is not scaled. `ChartLines` draws its hairlines. */
import type { ReactNode, Ref } from 'react';
import { classNames } from './classNames.ts';
import './ChartFrame.css';

export type ChartFrameProps = {
  /** The ref from `useWidth`, which measures the container. */
  place: Ref<HTMLDivElement>;
  width: number;
  height: number;
  /** The chart in words, for screen readers. */
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
