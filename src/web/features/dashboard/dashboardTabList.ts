/** The screens behind the login, in the order of their tabs. A new screen is one line here. */
import { messages } from '#contract/messages.ts';
import type { TabItem } from '#web/ui/Tabs.tsx';

const { nav } = messages;

/** A tab; `banking` screens wait until the account is approved. */
export type DashboardTab = TabItem & { banking: boolean };

export const dashboardTabs: readonly DashboardTab[] = [
  { to: '/dashboard', label: nav.overview, icon: 'overview', end: true, banking: true },
  { to: '/dashboard/transfer', label: nav.transfer, icon: 'transfer', banking: true },
  { to: '/dashboard/transactions', label: nav.transactions, icon: 'list', banking: true },
  { to: '/dashboard/loans', label: nav.loans, icon: 'loan', banking: true },
  { to: '/dashboard/settings', label: nav.settings, icon: 'settings', banking: false },
];

/** Whether the screen at a path is one an unapproved customer does not see. What is not in the list counts as one. */
export function bankingPath(pathname: string): boolean {
  return dashboardTabs.find(tab => tab.to === pathname)?.banking ?? true;
}
