/**
 * The panel's views in the sidebar's order. `adminViews` lists every view that can be opened; any other name in the URL
 * shows the first one.
 */
import type { FunctionComponent } from 'react';
import { adminApi } from '#contract/admin.ts';
import { alertsApi } from '#contract/alerts.ts';
import { contactQueueApi } from '#contract/contactQueue.ts';
import { dayEndApi } from '#contract/dayEnd.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { fourEyesApi } from '#contract/fourEyes.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import * as alertsMessages from '#contract/messages/alerts.ts';
import * as screeningMessages from '#contract/messages/screening.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import { railApi } from '#contract/rail.ts';
import { screeningApi } from '#contract/screening.ts';
import { staffApi } from '#contract/staff.ts';
import { unclaimedApi } from '#contract/unclaimed.ts';
import type { IconName } from '#web/ui/Icon.tsx';
import { AccountView } from '../account/AccountView.tsx';
import { AlertsView } from '../alerts/AlertsView.tsx';
import { AuditView } from '../audit/AuditView.tsx';
import { MessagesView } from '../contactQueue/MessagesView.tsx';
import { messageWords } from '../contactQueue/messageWords.ts';
import { CreditUserView } from '../credit/CreditUserView.tsx';
import { CustomerView } from '../customer/CustomerView.tsx';
import { DashboardView } from '../dashboard/DashboardView.tsx';
import { DayEndView } from '../dayEnd/DayEndView.tsx';
import { dayEndWords } from '../dayEnd/dayEndWords.ts';
import { RailView } from '../rail/RailView.tsx';
import { railWords } from '../rail/railWords.ts';
import { RequestsView } from '../requests/RequestsView.tsx';
import { ScreeningView } from '../screening/ScreeningView.tsx';
import { StaffView } from '../staff/StaffView.tsx';
import { staffWords } from '../staff/staffWords.ts';
import { TransactionsView } from '../transactions/TransactionsView.tsx';
import { UnclaimedView } from '../unclaimed/UnclaimedView.tsx';
import { unclaimedWords } from '../unclaimed/unclaimedWords.ts';
import { UsersView } from '../users/UsersView.tsx';
import { ApprovalsView } from '../waiting/ApprovalsView.tsx';
import { IdVerificationsView } from '../waiting/IdVerificationsView.tsx';
import { words } from '../words.ts';
import type { ViewProps } from './ViewHead.tsx';
import { firstView } from './viewAddress.ts';

/** Items that wait for an administrator, counted in the sidebar. */
export type Waiting = {
  approvals: number;
  verifications: number;
  requests: number;
  messages: number;
  alerts: number;
  rail: number;
  /** Undefined without a sanctions list: the view is not offered then. */
  screening: number | undefined;
};

export type AdminView = {
  /** Its name in the URL: `?view=approvals`. */
  key: string;
  label: string;
  icon: IconName;
  /** Set for a view without a sidebar entry: the view whose entry is marked instead. */
  under?: string;
  /** The entry is at the end of the sidebar, above Logout. */
  isLast?: true;
  /** The call that the view is for: roles that may not make it do not see the view. */
  call: Endpoint;
  /** Which count its sidebar entry shows. */
  count?: keyof Waiting;
  View: FunctionComponent<ViewProps>;
};

const dashboard: AdminView = {
  key: firstView,
  label: adminMessages.dashboard,
  icon: 'dash',
  call: adminApi.adminStats,
  View: DashboardView,
};

/** The view of the administrator's own account, with the second factors. */
export const accountKey = 'account';

export const adminViews: readonly AdminView[] = [
  dashboard,
  {
    key: 'approvals',
    label: adminMessages.approvals,
    icon: 'approve',
    call: adminApi.approvalQueue,
    count: 'approvals',
    View: ApprovalsView,
  },
  {
    key: 'verifications',
    label: adminMessages.idVerifications,
    icon: 'idcard',
    call: adminApi.verificationQueue,
    count: 'verifications',
    View: IdVerificationsView,
  },
  {
    key: 'screening',
    label: screeningMessages.screening,
    icon: 'eye',
    call: screeningApi.screening,
    count: 'screening',
    View: ScreeningView,
  },
  {
    key: 'requests',
    label: staffMessages.requests,
    icon: 'clock',
    call: fourEyesApi.requests,
    count: 'requests',
    View: RequestsView,
  },
  {
    key: 'messages',
    label: messageWords.title,
    icon: 'mail',
    call: contactQueueApi.messages,
    count: 'messages',
    View: MessagesView,
  },
  {
    key: 'alerts',
    label: alertsMessages.alerts,
    icon: 'alert',
    call: alertsApi.alerts,
    count: 'alerts',
    View: AlertsView,
  },
  {
    key: 'credit',
    label: adminMessages.creditUser,
    icon: 'credit',
    call: adminApi.credit,
    View: CreditUserView,
  },
  {
    key: 'transactions',
    label: adminMessages.transactions,
    icon: 'list',
    call: adminApi.adminTransactions,
    View: TransactionsView,
  },
  {
    key: 'unclaimed',
    label: unclaimedWords.title,
    icon: 'bank',
    call: unclaimedApi.unclaimedBalances,
    View: UnclaimedView,
  },
  {
    key: 'rail',
    label: railWords.title,
    icon: 'transfer',
    call: railApi.railExceptions,
    count: 'rail',
    View: RailView,
  },
  {
    key: 'day-end',
    label: dayEndWords.title,
    icon: 'calendar',
    call: dayEndApi.dayEnd,
    View: DayEndView,
  },
  { key: 'users', label: adminMessages.users, icon: 'users', call: adminApi.users, View: UsersView },
  {
    key: 'customer',
    label: words.customer,
    icon: 'person',
    call: adminApi.user,
    under: 'users',
    View: CustomerView,
  },
  { key: 'audit', label: adminMessages.audit, icon: 'shield', call: adminApi.auditLog, View: AuditView },
  { key: 'staff', label: staffMessages.staff, icon: 'person', call: staffApi.listStaff, View: StaffView },
  {
    key: accountKey,
    label: staffWords.account,
    icon: 'settings',
    call: staffApi.adminProfile,
    isLast: true,
    View: AccountView,
  },
];

/** The views of the sidebar: those whose call is allowed and, if they have a count, whose count is known. */
export const listedViews = (may: (call: Endpoint) => boolean, waiting: Waiting) =>
  adminViews.filter(
    view => !view.under && may(view.call) && !(view.count && waiting[view.count] === undefined),
  );

/** Returns the view with this key; the dashboard if there is none. */
export function viewByKey(key: string | null): AdminView {
  return adminViews.find(view => view.key === key) ?? dashboard;
}
