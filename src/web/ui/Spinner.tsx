/** A turning ring in the colour of the text beside it. Always stands next to words, so it says nothing itself. */
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
