/**
 * The dashboard's navigation: the tabs (on phones the bottom bar), the links to screens without a tab, and the logout. On
 * phones, those links and the logout are in the top bar's menu.
 */

import * as navMessages from '#contract/messages/nav.ts';
import { logOut } from '#web/base/session.ts';
import { useAppDispatch } from '#web/base/store.ts';
import { useLocation, useNavigate } from '#web/router/hooks.ts';
import { NavLink } from '#web/router/NavLink.tsx';
import { Icon } from '#web/ui/Icon.tsx';
import { Tabs } from '#web/ui/Tabs.tsx';
import { dashboardTabs } from './dashboardTabList.ts';
import { words } from './words.ts';
import './DashboardTabs.css';

export function DashboardTabs({ approved }: { approved: boolean }) {
  const { pathname } = useLocation();
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const leave = () => {
    void dispatch(logOut());
    void navigate('/login');
  };
  // The transfer screen has a second path. On that path, its tab must be the current one too.
  const second = pathname.startsWith('/transfer') ? '/transfer' : undefined;
  const items = dashboardTabs
    // Customers who are not approved yet keep the overview's tab: its path shows them the notice.
    .filter(tab => approved || !tab.banking || tab.end)
    .map(tab => (second && tab.to.endsWith(second) ? { ...tab, to: second } : tab));
  return (
    <div className="DashboardTabs wrap">
      <Tabs label={words.tabs} items={items} bottomBar={items.length > 0} />
      <div className="DashboardTabs-more">
        {approved && (
          <nav aria-label={words.plans}>
            <NavLink to="/dashboard/scheduled">{navMessages.scheduled}</NavLink>
            <NavLink to="/dashboard/goals">{navMessages.goals}</NavLink>
          </nav>
        )}
        <button type="button" onClick={leave}>
          <Icon name="logout" size={18} />
          {navMessages.logout}
        </button>
      </div>
    </div>
  );
}
