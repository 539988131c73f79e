/** The "read more" link of public pages: text and an arrow that moves on hover. */
import { Link } from '#web/router/Link.tsx';
import { classNames } from '#web/ui/classNames.ts';
import { Icon } from '#web/ui/Icon.tsx';

export function MoreLink({ to, children }: { to: string; children: string }) {
  // A customer has an account already.
  const only = to === '/register' && 'only-visitor';
  return (
    <Link className={classNames('Site-more', only)} to={to}>
      {children}
      <Icon name="arrowRight" size={18} />
    </Link>
  );
}
