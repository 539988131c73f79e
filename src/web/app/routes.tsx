/**
 * Every route of the product. Each page and screen is fetched when it is needed. The first chunk has only the frame and the
 * screens that must always work: the 404 page, the screen after a crash, and the placeholder of application paths.
 */
import './app.css';
import * as appMessages from '#contract/messages/app.ts';
import * as goalsMessages from '#contract/messages/goals.ts';
import * as loansMessages from '#contract/messages/loans.ts';
import * as navMessages from '#contract/messages/nav.ts';
import * as scheduledMessages from '#contract/messages/scheduled.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import type { RouteObject } from '#web/router/matching.ts';
import { CrashScreen } from './CrashScreen.tsx';
import { NotFoundScreen } from './NotFoundScreen.tsx';
import { pageInfos } from './pageInfos.ts';
import { publicPages } from './publicPages.tsx';
import { ShellScreen } from './ShellScreen.tsx';
import { SiteFrame } from './SiteFrame.tsx';
import { lazyScreen } from './screens.ts';

export const authPages: RouteObject[] = [
  {
    path: '/login',
    ...lazyScreen(() => import('#web/features/auth/LoginScreen.tsx'), pageInfos.login),
  },
  {
    path: '/register',
    ...lazyScreen(() => import('#web/features/auth/RegisterScreen.tsx'), pageInfos.register),
  },
  {
    path: '/forgot-password',
    ...lazyScreen(() => import('#web/features/auth/ForgotPasswordScreen.tsx'), pageInfos.forgotPassword),
  },
  {
    path: '/not-me',
    ...lazyScreen(() => import('#web/features/auth/NotMeScreen.tsx'), pageInfos.notMe),
  },
  {
    path: '/freeze-account',
    ...lazyScreen(() => import('#web/features/auth/FreezeAccountScreen.tsx'), pageInfos.freezeAccount),
  },
  {
    path: '/admin/login',
    ...lazyScreen(() => import('#web/features/admin/login/AdminLoginScreen.tsx'), pageInfos.adminLogin),
  },
  {
    path: '/admin/set-password',
    ...lazyScreen(
      () => import('#web/features/admin/login/SetPasswordScreen.tsx'),
      pageInfos.setAdminPassword,
    ),
  },
];

/** The dashboard's frame. Step-ups and the result of an unanswered transfer can appear on each of its screens. */
const dashboard = (children: RouteObject[]) => ({
  ...lazyScreen(() => import('#web/features/stepUp/StepUpHost.tsx')),
  children: [
    {
      ...lazyScreen(() => import('#web/features/dashboard/DashboardShell.tsx')),
      children: [{ ...lazyScreen(() => import('#web/features/transfer/PendingTransfer.tsx')), children }],
    },
  ],
});

const transferScreen = () =>
  lazyScreen(() => import('#web/features/transfer/TransferScreen.tsx'), { title: transferMessages.title });

const customerScreens: RouteObject[] = [
  {
    index: true,
    ...lazyScreen(() => import('#web/features/dashboard/OverviewScreen.tsx'), {
      title: navMessages.overview,
    }),
  },
  { path: 'transfer', ...transferScreen() },
  {
    path: 'scheduled',
    ...lazyScreen(() => import('#web/features/scheduled/ScheduledScreen.tsx'), {
      title: scheduledMessages.list,
    }),
  },
  {
    path: 'goals',
    ...lazyScreen(() => import('#web/features/goals/GoalsScreen.tsx'), { title: goalsMessages.goals }),
  },
  {
    path: 'add-money',
    ...lazyScreen(() => import('#web/features/scheduled/AddMoneyScreen.tsx'), {
      title: navMessages.addMoney,
    }),
  },
  {
    path: 'transactions',
    ...lazyScreen(() => import('#web/features/transactions/TransactionsScreen.tsx'), {
      title: navMessages.transactions,
    }),
    children: [
      {
        path: ':id',
        ...lazyScreen(() => import('#web/features/transactions/TransactionScreen.tsx'), {
          title: transactionsMessages.one,
        }),
      },
    ],
  },
  {
    path: 'loans',
    ...lazyScreen(() => import('#web/features/loans/LoansScreen.tsx'), { title: loansMessages.title }),
  },
  {
    path: 'loans/:loanId',
    ...lazyScreen(() => import('#web/features/loans/LoanScheduleScreen.tsx'), {
      title: loansMessages.schedule,
    }),
  },
  {
    path: 'settings',
    ...lazyScreen(() => import('#web/features/settings/SettingsScreen.tsx'), { title: navMessages.settings }),
  },
];

const adminPanel = () =>
  lazyScreen(() => import('#web/features/admin/panel/AdminShell.tsx'), { title: navMessages.administration });

const routesWithStore = (children: RouteObject[]): RouteObject => ({
  ...lazyScreen(() => import('./WithStore.tsx')),
  children,
});

const screens: RouteObject[] = [
  ...publicPages,
  routesWithStore([
    ...authPages,
    { path: '/dashboard', ...dashboard(customerScreens) },
    { path: '/transfer', ...dashboard([{ index: true, ...transferScreen() }]) },
    { path: '/admin', ...adminPanel() },
    { path: '/admin/dashboard', ...adminPanel() },
  ]),
  {
    path: '/dev/components',
    ...lazyScreen(() => import('#web/sheet/ComponentSheet.tsx'), { title: 'Components' }),
  },
  { path: '*', Component: NotFoundScreen, handle: { page: { title: appMessages.notFoundTitle } } },
];

export const routes: RouteObject[] = [
  {
    Component: SiteFrame,
    children: [{ ErrorBoundary: CrashScreen, children: screens }],
  },
];

/** The frame without content, shown on an application path until its screen has been fetched. */
export const shellRoutes: RouteObject[] = [
  { Component: SiteFrame, children: [{ path: '*', Component: ShellScreen }] },
];

/** The page that the service worker shows without a connection. */
export const offlineRoutes: RouteObject[] = [
  {
    Component: SiteFrame,
    children: [{ path: '*', ...lazyScreen(() => import('./OfflineScreen.tsx'), pageInfos.offline) }],
  },
];
