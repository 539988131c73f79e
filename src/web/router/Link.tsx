/** A link to a route. The browser handles a click with a modifier key, another button or another target. */
import { type ComponentProps, createElement, type MouseEvent } from 'react';
import { pathOf, resolveTo, type To } from './history.ts';
import { useLocation, useNavigate } from './hooks.ts';
import type { NavigateOptions } from './router.ts';

export type LinkProps = { to: To } & NavigateOptions & Omit<ComponentProps<'a'>, 'href'>;

export function Link({ to, replace, state, preventScrollReset, onClick, ...native }: LinkProps) {
  const location = useLocation();
  const navigate = useNavigate();
  const href = pathOf(resolveTo(to, location));
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const { metaKey, altKey, ctrlKey, shiftKey, button } = event;
    if (event.defaultPrevented || button !== 0 || metaKey || altKey || ctrlKey || shiftKey) return;
    if (native.target && native.target !== '_self') return;
    event.preventDefault();
    // A link to the page that is open adds no history entry.
    void navigate(to, { replace: replace ?? href === pathOf(location), state, preventScrollReset });
  };
  return createElement('a', { ...native, href, onClick: follow });
}
