/** A small number in a pill: unread notifications, waiting approvals. Past 999 it says 999+. */
import { classNames } from './classNames.ts';
import './Count.css';

export type CountProps = {
  value: number;
  /** What is counted, for screen readers: 'unread'. */
  label?: string | undefined;
  /** Only repeats what its surroundings say. */
  decorative?: boolean | undefined;
  tone?: 'brand' | 'wait' | undefined;
  className?: string | undefined;
};

export function Count({ value, label, decorative, tone = 'brand', className }: CountProps) {
  return (
    <span className={classNames('Count', `Count--${tone}`, className)} aria-hidden={decorative}>
      {value > 999 ? '999+' : value}
      {label && <span className="sr-only"> {label}</span>}
    </span>
  );
}
