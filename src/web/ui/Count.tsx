/** A small number in a pill: unread notifications, pending approvals. Above `max` it shows `max` and a plus sign. */
import { classNames } from './classNames.ts';
import './Count.css';

export type CountProps = {
  value: number;
  max?: number | undefined;
  /** What is counted, for screen readers: 'unread'. */
  label?: string | undefined;
  /** The text around it already says the number, so screen readers skip it. */
  decorative?: boolean | undefined;
  tone?: 'brand' | 'wait' | undefined;
  className?: string | undefined;
};

export function Count({ value, max = 999, label, decorative, tone = 'brand', className }: CountProps) {
  return (
    <span className={classNames('Count', `Count--${tone}`, className)} aria-hidden={decorative}>
      {value > max ? `${max}+` : value}
      {label && <span className="sr-only"> {label}</span>}
    </span>
  );
}
