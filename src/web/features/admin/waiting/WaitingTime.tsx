/**
 * Shows when the wait of an application began, and when the decision is due, as promised at registration. Color and text mark a
 * late application. `children`: further facts for the decision.
 */
import type { ReactNode } from 'react';
import { Icon } from '#web/ui/Icon.tsx';
import { Moment } from '../panel/Moment.tsx';
import { words } from '../words.ts';
import { describeWait } from './waitingTimes.ts';
import './WaitingTime.css';

export function WaitingTime({ since, children }: { since: string; children: ReactNode }) {
  const { state, hours } = describeWait(since, Date.now());
  return (
    <span className="WaitingTime">
      <Moment iso={since} />
      <span className={`WaitingTime-due WaitingTime-due--${state}`}>
        {state !== 'new' && <Icon name={state === 'late' ? 'alert' : 'clock'} size={16} />}
        {state === 'late' ? words.lateBy(hours) : words.dueIn(hours)}
      </span>
      <span className="WaitingTime-more">{children}</span>
    </span>
  );
}
