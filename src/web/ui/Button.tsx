/**
 * The bank's button, or a link that looks like one (`to` a route, `href` elsewhere). While busy it keeps the focus, shows its
 * busy label, and ignores clicks and its form's Enter key, so that nothing is sent twice.
 */
import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { Link } from '#web/router/Link.tsx';
import { classNames } from './classNames.ts';
import { Icon, type IconName } from './Icon.tsx';
import { Spinner } from './Spinner.tsx';
import './Button.css';

export type ButtonProps = {
  kind?: 'primary' | 'quiet' | 'text' | 'danger' | 'light' | undefined;
  size?: 'm' | 's' | undefined;
  /** Makes the button as wide as its column. */
  wide?: boolean | undefined;
  icon?: IconName | undefined;
  busy?: boolean | undefined;
  /** The text while busy, e.g. 'Processing...'. */
  busyLabel?: string | undefined;
  /** A route: renders a router link. */
  to?: string | undefined;
  /** A URL outside the router (anchor, mail, file): renders a plain link. */
  href?: string | undefined;
  children: ReactNode;
} & Omit<ComponentProps<'button'>, 'children'>;

export function Button(props: ButtonProps) {
  const { kind = 'primary', size = 'm', wide, icon, busy, busyLabel, to, href, children, ...rest } = props;
  const { className, onClick, type = 'button', ...native } = rest;
  const look = classNames(
    'Button',
    `Button--${kind}`,
    size === 's' && 'Button--s',
    wide && 'Button--wide',
    className,
  );
  const inside = (
    <>
      {busy ? <Spinner /> : icon && <Icon name={icon} size={size === 's' ? 16 : 18} />}
      {busy && busyLabel ? busyLabel : children}
    </>
  );
  if (to !== undefined || href !== undefined) {
    const link = {
      className: look,
      id: native.id,
      'aria-label': native['aria-label'],
      'aria-describedby': native['aria-describedby'],
      onClick: onClick as ComponentProps<'a'>['onClick'],
    };
    return to === undefined ? (
      <a {...link} href={href}>
        {inside}
      </a>
    ) : (
      <Link {...link} to={to}>
        {inside}
      </Link>
    );
  }
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    // Enter in a field clicks the form's submit button, so this also stops a second submission from a field.
    if (busy) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      {...native}
      type={type}
      className={look}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={press}
    >
      {inside}
    </button>
  );
}
