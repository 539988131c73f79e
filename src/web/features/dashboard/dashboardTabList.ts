/** The dashboard's tabs in order. A new tab is an entry here; its screen is a route in `web/app/routes.tsx`. */
import * as navMessages from '#contract/messages/nav.ts';
import type { TabItem } from '#web/ui/Tabs.tsx';

/** A tab; `banking` screens are closed until the account is approved. */
export type DashboardTab = TabItem & { banking: boolean };

export const dashboardTabs: readonly DashboardTab[] = [
  {
    to: '/dashboard',
    label: navMessages.overview,
    icon: 'overview',
    end: true,
    also: ['/dashboard/add-money', '/dashboard/goals'],
    banking: true,
  },
  {
    to: '/dashboard/transfer',
    label: navMessages.transfer,
    icon: 'transfer',
    also: ['/dashboard/scheduled'],
    banking: true,
  },
  { to: '/dashboard/transactions', label: navMessages.transactions, icon: 'list', banking: true },
  { to: '/dashboard/loans', label: navMessages.loans, icon: 'loan', banking: true },
  { to: '/dashboard/settings', label: navMessages.settings, icon: 'settings', banking: false },
];

/** Whether the screen at this path is hidden from unapproved customers. True for paths without a tab. */
export function bankingPath(pathname: string): boolean {
  return dashboardTabs.find(tab => tab.to === pathname)?.banking ?? true;
}
