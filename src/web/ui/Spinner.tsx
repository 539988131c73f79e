/** A rotating ring in the color of the text next to it. Always accompanies text, so screen readers skip it. */
import { classNames } from './classNames.ts';
import './Spinner.css';

export function Spinner({
  size = 's',
  className,
}: {
  size?: 's' | 'm' | 'l' | undefined;
  className?: string | undefined;
}) {
  return <span className={classNames('Spinner', `Spinner--${size}`, className)} aria-hidden="true" />;
}
