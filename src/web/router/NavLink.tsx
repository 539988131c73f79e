/**
 * A link that is marked as current on its path and all paths below it; with `end`, only on exactly its path. `also` lists
 * further paths on which it is marked.
 */
import { resolveTo } from './history.ts';
import { useLocation } from './hooks.ts';
import { Link, type LinkProps } from './Link.tsx';

export type NavLinkProps = LinkProps & { end?: boolean; also?: readonly string[] };

export function NavLink({ end = false, also = [], ...link }: NavLinkProps) {
  const location = useLocation();
  const trim = (path: string) => path.toLowerCase().replace(/\/+$/, '');
  const here = trim(location.pathname);
  const there = trim(resolveTo(link.to, location).pathname);
  const isCurrent =
    here === there || (!end && here.startsWith(`${there}/`)) || also.some(path => here === trim(path));
  return <Link {...link} aria-current={isCurrent ? 'page' : undefined} />;
}
