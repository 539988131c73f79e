/** A link that is marked as the current page: on its path and below it, with `end` only on exactly its path. */
import { resolveTo } from './history.ts';
import { useLocation } from './hooks.ts';
import { Link, type LinkProps } from './Link.tsx';

export function NavLink({ end = false, ...link }: LinkProps & { end?: boolean }) {
  const location = useLocation();
  const trim = (path: string) => path.toLowerCase().replace(/\/+$/, '');
  const here = trim(location.pathname);
  const there = trim(resolveTo(link.to, location).pathname);
  const isCurrent = here === there || (!end && here.startsWith(`${there}/`));
  return <Link {...link} aria-current={isCurrent ? 'page' : undefined} />;
}
