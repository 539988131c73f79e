/** A history, oldest first: a filled dot for done, an open dot for still to come, a bent arrow for returned. */
import type { ReactNode } from 'react';
import { Icon, type IconName } from './Icon.tsx';
import './Timeline.css';

export type TimelineStep = {
  state: 'done' | 'next' | 'back';
  title: ReactNode;
  /** A `<time>`; a step that is still to come has none. */
  when?: ReactNode;
  text?: ReactNode;
};

export type TimelineProps = {
  /** 'What happened'. */
  label?: string | undefined;
  steps: readonly TimelineStep[];
};

const icons: Record<TimelineStep['state'], IconName> = { done: 'check', next: 'clock', back: 'back' };

export function Timeline({ label, steps }: TimelineProps) {
  return (
    <ol className="Timeline" aria-label={label}>
      {steps.map(({ state, title, when, text }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a story only grows at its end
        <li key={place} className={`Timeline-${state}`}>
          <span className="Timeline-dot">
            <Icon name={icons[state]} size={16} />
          </span>
          <p className="Timeline-title">{title}</p>
          {when && <p className="Timeline-when">{when}</p>}
          {text && <p className="Timeline-text">{text}</p>}
        </li>
      ))}
    </ol>
  );
}
