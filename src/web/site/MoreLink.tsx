/** The "read on" link of public pages: words and an arrow that leans forward. */
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
