/** A small number in a pill: unread notifications, pending approvals. Above 999 it shows 999+. */
import { classNames } from './classNames.ts';
import './Count.css';

export type CountProps = {
  value: number;
  /** What is counted, for screen readers: 'unread'. */
  label?: string | undefined;
  /** The text around it already says it, so screen readers skip it. */
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
