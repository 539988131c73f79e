/** The tabs of an area: links to routes, the current one marked. On phones they can become the fixed bar at the bottom. */
import { NavLink } from '#web/router/NavLink.tsx';
import { classNames } from './classNames.ts';
import { Icon, type IconName } from './Icon.tsx';
import './Tabs.css';

export type TabItem = {
  to: string;
  label: string;
  /** Shown in the bottom bar. */
  icon?: IconName | undefined;
  /** Marked only on exactly this route, not below it. */
  end?: boolean | undefined;
  /** Marked on these routes too. */
  also?: readonly string[] | undefined;
};

export type TabsProps = {
  /** The accessible name, e.g. 'Dashboard'. */
  label: string;
  items: readonly TabItem[];
  bottomBar?: boolean | undefined;
};

export function Tabs({ label, items, bottomBar }: TabsProps) {
  return (
    <nav className={classNames('Tabs', bottomBar && 'Tabs--bottom')} aria-label={label}>
      {items.map(({ to, label: text, icon, end, also }) => (
        <NavLink key={to} to={to} end={end ?? false} also={also ?? []} className="Tabs-tab">
          {icon && <Icon name={icon} size={22} />}
          {text}
        </NavLink>
      ))}
    </nav>
  );
}
