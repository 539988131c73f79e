/**
 * Every address of the product. Each page and screen is fetched when it is needed; only the frame and the 404, the last
 * line, come with the first chunk.
 */
import './app.css';
import type { RouteObject } from 'react-router';
import * as appMessages from '#contract/messages/app.ts';
import * as loansMessages from '#contract/messages/loans.ts';
import * as navMessages from '#contract/messages/nav.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { CrashScreen } from './CrashScreen.tsx';
import { NotFoundScreen } from './NotFoundScreen.tsx';
import { pageInfos } from './pageInfos.ts';
import { publicPages } from './publicPages.tsx';
import { ShellScreen } from './ShellScreen.tsx';
import { SiteFrame } from './SiteFrame.tsx';
import { lazyScreen } from './screens.ts';

const doors: RouteObject[] = [
  {
    path: '/login',
    ...lazyScreen(
      'features/auth/LoginScreen.tsx',
      async () => (await import('#web/features/auth/LoginScreen.tsx')).LoginScreen,
      pageInfos.login,
    ),
  },
  {
    path: '/register',
    ...lazyScreen(
      'features/auth/RegisterScreen.tsx',
      async () => (await import('#web/features/auth/RegisterScreen.tsx')).RegisterScreen,
      pageInfos.register,
    ),
  },
  {
    path: '/forgot-password',
    ...lazyScreen(
      'features/auth/ForgotPasswordScreen.tsx',
      async () => (await import('#web/features/auth/ForgotPasswordScreen.tsx')).ForgotPasswordScreen,
      pageInfos.forgotPassword,
    ),
  },
  {
    path: '/admin/login',
    ...lazyScreen(
      'features/admin/login/AdminLoginScreen.tsx',
      async () => (await import('#web/features/admin/login/AdminLoginScreen.tsx')).AdminLoginScreen,
      pageInfos.adminLogin,
    ),
  },
];

const dashboardShell = () =>
  lazyScreen(
    'features/dashboard/DashboardShell.tsx',
    async () => (await import('#web/features/dashboard/DashboardShell.tsx')).DashboardShell,
  );

const transferScreen = () =>
  lazyScreen(
    'features/transfer/TransferScreen.tsx',
    async () => (await import('#web/features/transfer/TransferScreen.tsx')).TransferScreen,
    { title: transferMessages.title },
  );

const customerScreens: RouteObject[] = [
  {
    index: true,
    ...lazyScreen(
      'features/dashboard/OverviewScreen.tsx',
      async () => (await import('#web/features/dashboard/OverviewScreen.tsx')).OverviewScreen,
      { title: navMessages.overview },
    ),
  },
  { path: 'transfer', ...transferScreen() },
  {
    path: 'transactions',
    ...lazyScreen(
      'features/transactions/TransactionsScreen.tsx',
      async () => (await import('#web/features/transactions/TransactionsScreen.tsx')).TransactionsScreen,
      { title: navMessages.transactions },
    ),
    children: [
      {
        path: ':id',
        ...lazyScreen(
          'features/transactions/TransactionScreen.tsx',
          async () => (await import('#web/features/transactions/TransactionScreen.tsx')).TransactionScreen,
          { title: transactionsMessages.one },
        ),
      },
    ],
  },
  {
    path: 'loans',
    ...lazyScreen(
      'features/loans/LoansScreen.tsx',
      async () => (await import('#web/features/loans/LoansScreen.tsx')).LoansScreen,
      { title: loansMessages.title },
    ),
  },
  {
    path: 'loans/:loanId',
    ...lazyScreen(
      'features/loans/LoanScheduleScreen.tsx',
      async () => (await import('#web/features/loans/LoanScheduleScreen.tsx')).LoanScheduleScreen,
      { title: loansMessages.schedule },
    ),
  },
  {
    path: 'settings',
    ...lazyScreen(
      'features/settings/SettingsScreen.tsx',
      async () => (await import('#web/features/settings/SettingsScreen.tsx')).SettingsScreen,
      { title: navMessages.settings },
    ),
  },
];

const adminPanel = () =>
  lazyScreen(
    'features/admin/panel/AdminShell.tsx',
    async () => (await import('#web/features/admin/panel/AdminShell.tsx')).AdminShell,
    { title: navMessages.administration },
  );

const roomWithStore = (children: RouteObject[]): RouteObject => ({
  ...lazyScreen('app/StoreRoom.tsx', async () => (await import('./StoreRoom.tsx')).StoreRoom),
  children,
});

const screens: RouteObject[] = [
  ...publicPages,
  roomWithStore([
    ...doors,
    { path: '/dashboard', ...dashboardShell(), children: customerScreens },
    { path: '/transfer', ...dashboardShell(), children: [{ index: true, ...transferScreen() }] },
    { path: '/admin', ...adminPanel() },
    { path: '/admin/dashboard', ...adminPanel() },
  ]),
  {
    path: '/dev/components',
    ...lazyScreen(
      'sheet/ComponentSheet.tsx',
      async () => (await import('#web/sheet/ComponentSheet.tsx')).ComponentSheet,
      { title: 'Components' },
    ),
  },
  { path: '*', Component: NotFoundScreen, handle: { page: { title: appMessages.notFoundTitle } } },
];

/** The routes of the app. */
export const routes: RouteObject[] = [
  {
    Component: SiteFrame,
    HydrateFallback: ShellScreen,
    children: [{ ErrorBoundary: CrashScreen, children: screens }],
  },
];

/** The frame around nothing yet: what an application path shows until its screen has been fetched. */
export const shellRoutes: RouteObject[] = [
  { Component: SiteFrame, children: [{ path: '*', Component: ShellScreen }] },
];

const fixedPath = ({ path, index }: RouteObject) => (index ? '/' : (path ?? ''));

/** Paths that are written as finished pages at build time. */
export const prerenderedPaths: readonly string[] = [
  ...publicPages.map(fixedPath),
  ...doors.map(fixedPath),
  '/404',
];
