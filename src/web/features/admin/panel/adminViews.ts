/**
 * The panel's views in the sidebar's order. `adminViews` lists every view that can be opened; any other name in the URL
 * shows the first one.
 */
import type { ComponentType } from 'react';
import * as adminMessages from '#contract/messages/admin.ts';
import type { IconName } from '#web/ui/Icon.tsx';
import { AuditView } from '../audit/AuditView.tsx';
import { CreditUserView } from '../credit/CreditUserView.tsx';
import { DashboardView } from '../dashboard/DashboardView.tsx';
import { SecurityView } from '../security/SecurityView.tsx';
import { TransactionsView } from '../transactions/TransactionsView.tsx';
import { UsersView } from '../users/UsersView.tsx';
import { ApprovalsView } from '../waiting/ApprovalsView.tsx';
import { IdVerificationsView } from '../waiting/IdVerificationsView.tsx';
import type { ViewProps } from './ViewHead.tsx';
import { firstView } from './viewAddress.ts';

/** Items that wait for an administrator, counted in the sidebar. */
export type Waiting = { approvals: number; verifications: number };

export type AdminView = {
  /** Its name in the URL: `?view=approvals`. */
  key: string;
  label: string;
  icon: IconName;
  /** Which count its sidebar entry shows. */
  count?: keyof Waiting;
  View: ComponentType<ViewProps>;
};

const dashboard: AdminView = {
  key: firstView,
  label: adminMessages.dashboard,
  icon: 'dash',
  View: DashboardView,
};

/** The view of the administrator's own second factors. */
export const securityKey = 'security';

/** The views, in the sidebar's order. */
export const adminViews: readonly AdminView[] = [
  dashboard,
  {
    key: 'approvals',
    label: adminMessages.approvals,
    icon: 'approve',
    count: 'approvals',
    View: ApprovalsView,
  },
  {
    key: 'verifications',
    label: adminMessages.idVerifications,
    icon: 'idcard',
    count: 'verifications',
    View: IdVerificationsView,
  },
  { key: 'credit', label: adminMessages.creditUser, icon: 'credit', View: CreditUserView },
  { key: 'transactions', label: adminMessages.transactions, icon: 'list', View: TransactionsView },
  { key: 'users', label: adminMessages.users, icon: 'users', View: UsersView },
  { key: 'audit', label: adminMessages.audit, icon: 'shield', View: AuditView },
  { key: securityKey, label: adminMessages.security, icon: 'lock', View: SecurityView },
];

/** Returns the view with this key; the dashboard if there is none. */
export function viewByKey(key: string | null): AdminView {
  return adminViews.find(view => view.key === key) ?? dashboard;
}
