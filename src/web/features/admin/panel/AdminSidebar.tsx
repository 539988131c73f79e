/** The panel's navigation: the logged-in administrator, the views with their counts, and Logout at the bottom. */
import type { ReactNode } from 'react';
import * as navMessages from '#contract/messages/nav.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import { logOutAdmin } from '#web/base/session.ts';
import { useAppDispatch } from '#web/base/store.ts';
import { Link } from '#web/router/Link.tsx';
import { Count } from '#web/ui/Count.tsx';
import { classNames } from '#web/ui/classNames.ts';
import { Icon } from '#web/ui/Icon.tsx';
import { words } from '../words.ts';
import { type AdminView, listedViews, type Waiting } from './adminViews.ts';
import { useMay, useRole } from './useRole.ts';
import { viewAddress } from './viewAddress.ts';
import './AdminSidebar.css';

export type AdminSidebarProps = {
  adminName: string;
  /** The key of the open view. */
  current: string;
  waiting: Waiting;
  /** Called after a view is chosen, even the open one. */
  onPick?: () => void;
  /** Opens the list of commands. */
  onCommands?: (() => void) | undefined;
  /** Extra content under Logout; only the drawer has some. */
  end?: ReactNode;
  className?: string;
};

export function AdminSidebar(props: AdminSidebarProps) {
  const { adminName, current, waiting, onPick, onCommands, end, className } = props;
  const dispatch = useAppDispatch();
  const may = useMay();
  const role = useRole();
  const views = listedViews(may, waiting);
  const entry = (view: AdminView) => {
    const count = (view.count && waiting[view.count]) ?? 0;
    return (
      <li key={view.key}>
        <Link
          to={viewAddress(view.key)}
          aria-current={view.key === current ? 'page' : undefined}
          {...(onPick && { onClick: onPick })}
        >
          <Icon name={view.icon} />
          {view.label}
          {count > 0 && <Count value={count} label={words.waiting} tone="wait" />}
        </Link>
      </li>
    );
  };
  return (
    <nav className={classNames('AdminSidebar', className)} aria-label={navMessages.administration}>
      <h2>{navMessages.administration}</h2>
      <p>
        {adminName}
        {role && <span>{staffMessages.roleNames[role]}</span>}
      </p>
      {onCommands && (
        <button
          type="button"
          className="AdminSidebar-commands"
          aria-keyshortcuts="Control+K"
          aria-haspopup="dialog"
          onClick={onCommands}
        >
          <Icon name="search" />
          {words.openCommands}
          <span className="AdminSidebar-keys">{words.commandKeys}</span>
        </button>
      )}
      <ul>{views.filter(view => !view.isLast).map(entry)}</ul>
      <div className="AdminSidebar-end">
        <ul>{views.filter(view => view.isLast).map(entry)}</ul>
        <button type="button" onClick={() => void dispatch(logOutAdmin())}>
          <Icon name="logout" />
          {navMessages.logout}
        </button>
        {end}
      </div>
    </nav>
  );
}
