/** From when a new second factor can confirm payments. Shows nothing once that time has come. */
import { minuteAfter } from '#contract/bankTime.ts';
import { fill } from '#contract/messages/fill.ts';
import { useCountdown } from '#web/ui/useCountdown.ts';
import * as texts from './factorTexts.ts';

export function ConfirmsFrom({ from }: { from: string }) {
  const isWaiting = useCountdown(Date.parse(from)) > 0;
  return (
    isWaiting && <span className="type-small">{fill(texts.confirmsFrom, { time: minuteAfter(from) })}</span>
  );
}
