/** The "read more" link of public pages: text and an arrow that moves on hover. */
import { Link } from 'react-router';
import { Icon } from '#web/ui/Icon.tsx';

export function MoreLink({ to, children }: { to: string; children: string }) {
  return (
    <Link className="Site-more" to={to}>
      {children}
      <Icon name="arrowRight" size={18} />
    </Link>
  );
}
