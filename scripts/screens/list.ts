/** The screens to compare. The public pages of the sitemap are added to them. */
import { demoAdmin } from '#server/demo/people.ts';
import {
  type Act,
  all,
  applicant,
  type Customer,
  code,
  credentials,
  credit,
  everyTable,
  external,
  fill,
  idle,
  inDialog,
  logIn,
  ofRow,
  open,
  press,
  register,
  shows,
  submit,
  toBarclays,
  toCode,
  toInes,
  toNewPassword,
  upload,
} from './acts.ts';

export type Screen = {
  name: string;
  path: string;
  /** Who is logged in. */
  as?: Customer | 'admin';
  /** The widths that have this screen; default: all. */
  at?: readonly number[];
  /** Scrolls through the page first, so that lazy parts are loaded. */
  read?: true;
  media?: { media?: 'print'; forcedColors?: 'active'; reducedMotion?: 'reduce' };
  /** Pseudo-classes that are forced on every element. */
  force?: string[];
  /** `held`: API calls that stay pending. `failing`: API calls whose connection breaks. */
  held?: RegExp;
  failing?: RegExp;
  act?: Act;
};

const desk = [1440];
const ends = [360, 1440];
const hover = { at: desk, force: ['hover'] };
const focus = { at: desk, force: ['focus', 'focus-visible', 'focus-within'] };
const print = { media: { media: 'print' } } as const;
const overview = { as: 'amara', path: '/dashboard' } as const;
const list = { as: 'amara', path: '/dashboard/transactions' } as const;
const transfer = { as: 'amara', path: '/dashboard/transfer' } as const;
const loans = { as: 'amara', path: '/dashboard/loans' } as const;
const schedule = { as: 'amara', path: '/dashboard/loans/personal-2026' } as const;
const settings = { as: 'amara', path: '/dashboard/settings' } as const;
const security = { as: 'amara', path: '/dashboard/settings?tab=security' } as const;
const send = press('Send Money');
const closing = { as: 'amara', path: '/dashboard/settings?tab=delete' } as const;
const sheet = { path: '/dev/components' } as const;
const admin = (view: string) => ({ as: 'admin', path: `/admin/dashboard?view=${view}` }) as const;
const transaction = (status: string) => ({
  ...list,
  path: `${list.path}?type=external-transfer&status=${status}`,
  act: all(open('main a[href*="/transactions/"]'), shows('Reference')),
});

export const screens: Screen[] = [
  { name: 'components', ...sheet },
  { name: 'components-hover', ...sheet, ...hover },
  { name: 'components-focus', ...sheet, ...focus },
  { name: 'components-active', ...sheet, at: desk, force: ['hover', 'active'] },
  { name: 'components-contrast', ...sheet, at: desk, media: { forcedColors: 'active' } },
  { name: 'components-still', ...sheet, at: desk, media: { reducedMotion: 'reduce' } },
  { name: 'components-dialog', ...sheet, at: desk, act: all(press('Delete…'), inDialog) },
  { name: 'components-side', ...sheet, at: desk, act: all(press('At the side'), inDialog) },
  {
    name: 'components-toast',
    ...sheet,
    at: desk,
    act: all(press('Money arrived'), press('Copied'), press('Session ended')),
  },
  { name: 'components-busy', ...sheet, at: desk, act: press('Please wait') },

  { name: 'not-found', path: '/nowhere' },
  { name: 'home-unread', at: ends, path: '/' },
  { name: 'home-filtered', path: '/', read: true, act: press('Guides') },
  { name: 'home-hover', path: '/', read: true, ...hover },
  { name: 'home-focus', path: '/', read: true, ...focus },
  { name: 'home-print', at: ends, path: '/', read: true, ...print },
  { name: 'article-print', at: ends, path: '/resources/the-rule-of-72', ...print },
  { name: 'about-menu', path: '/about', at: [360, 768], act: press('Menu') },
  { name: 'about-customer', path: '/about', as: 'amara' },
  { name: 'contact-errors', at: ends, path: '/contact', act: submit },
  {
    name: 'contact-sending',
    path: '/contact',
    as: 'amara',
    act: all(fill({ subject: 'Cards', message: 'Hello' }), submit),
  },
  { name: 'contact-hover', path: '/contact', ...hover },

  { name: 'login-hover', path: '/login', ...hover },
  { name: 'login-focus', path: '/login', ...focus },
  { name: 'login-errors', at: ends, path: '/login', act: submit },
  {
    name: 'login-refused',
    at: ends,
    path: '/login',
    act: all(credentials('stranger@field.example'), inDialog),
  },
  { name: 'login-code', path: '/login', act: toCode },
  { name: 'login-code-errors', at: ends, path: '/login', act: all(toCode, code('12'), submit) },
  { name: 'login-code-wrong', at: ends, path: '/login', act: all(toCode, code('123456'), submit, inDialog) },
  { name: 'login-done', path: '/login', act: logIn('amara') },
  { name: 'login-pending', path: '/login', act: logIn('odile') },
  { name: 'register-errors', at: ends, path: '/register', act: submit },
  { name: 'register-filled', path: '/register', act: applicant },
  { name: 'register-done', path: '/register', act: register },
  { name: 'register-hover', path: '/register', ...hover },
  { name: 'register-focus', path: '/register', ...focus },
  { name: 'forgot', path: '/forgot-password' },
  { name: 'not-me', path: '/not-me' },
  { name: 'freeze-account', path: '/freeze-account' },
  { name: 'forgot-password', path: '/forgot-password', act: toNewPassword },
  { name: 'forgot-errors', at: ends, path: '/forgot-password', act: all(toNewPassword, submit) },
  { name: 'admin-login', path: '/admin/login' },
  {
    name: 'admin-login-refused',
    path: '/admin/login',
    act: all(fill({ email: demoAdmin.email, password: 'not this one' }), submit, shows('Invalid email')),
  },

  { name: 'overview', ...overview },
  { name: 'overview-tables', ...overview, act: everyTable },
  { name: 'overview-hidden', ...overview, act: press('Hide balance') },
  { name: 'overview-waiting', at: ends, ...overview, held: /user\/(balance|transactions)/ },
  { name: 'overview-failed', at: ends, ...overview, failing: /user\/(balance|transactions)/ },
  { name: 'overview-profile', at: ends, ...overview, held: /auth\/profile/ },
  { name: 'overview-hover', ...overview, ...hover },
  { name: 'overview-focus', ...overview, ...focus },
  { name: 'overview-idle', ...overview, act: idle },
  { name: 'notifications', ...overview, act: press(/^Notifications/) },
  { name: 'overview-empty', as: 'jun', path: '/dashboard' },
  { name: 'overview-pending', as: 'odile', path: '/dashboard' },
  { name: 'settings-pending', as: 'odile', path: '/dashboard/settings' },
  { name: 'overview-frozen', at: ends, as: 'mateo', path: '/dashboard' },
  { name: 'transfer-frozen', at: ends, as: 'mateo', path: '/dashboard/transfer' },
  { name: 'settings-frozen', at: ends, as: 'mateo', path: '/dashboard/settings' },
  { name: 'overview-long', as: 'maximiliana', path: '/dashboard' },
  { name: 'settings-long', as: 'maximiliana', path: '/dashboard/settings' },
  { name: 'transactions', ...list },
  { name: 'transactions-open', ...list, at: [360], act: press(/^Filter/) },
  { name: 'transactions-filtered', ...list, path: `${list.path}?type=external-transfer&status=completed` },
  { name: 'transactions-none', at: ends, ...list, path: `${list.path}?search=nothing-like-it` },
  { name: 'transactions-waiting', at: ends, ...list, held: /user\/transactions/ },
  { name: 'transactions-failed', at: ends, ...list, failing: /user\/transactions/ },
  { name: 'transactions-statements', ...list, act: all(press('Statements'), inDialog) },
  { name: 'transactions-hover', ...list, ...hover },
  { name: 'transactions-empty', as: 'jun', path: list.path },
  { name: 'transaction-pending', ...transaction('pending') },
  { name: 'transaction-failed', ...transaction('failed') },
  { name: 'transaction-settled', ...transaction('completed') },
  { name: 'transaction-print', at: ends, ...transaction('completed'), ...print },
  { name: 'transaction-none', at: ends, ...list, path: `${list.path}/nothing` },
  { name: 'goals', as: 'amara', path: '/dashboard/goals' },
  { name: 'transfer', ...transfer },
  { name: 'transfer-errors', at: ends, ...transfer, act: send },
  { name: 'transfer-hover', ...transfer, ...hover },
  {
    name: 'transfer-unknown',
    at: ends,
    ...transfer,
    act: p => p.getByLabel(/^Receiver's/).fill('999999999990'),
  },
  { name: 'transfer-found', ...transfer, act: toInes('250') },
  { name: 'transfer-too-much', ...transfer, act: all(toInes('99999999'), send) },
  { name: 'transfer-done', ...transfer, act: all(toInes('12.34'), send, inDialog) },
  { name: 'transfer-external', ...transfer, act: external },
  { name: 'transfer-external-errors', at: ends, ...transfer, act: all(external, send) },
  { name: 'transfer-external-filled', ...transfer, act: toBarclays },
  { name: 'transfer-external-done', ...transfer, act: all(toBarclays, send, inDialog) },
  { name: 'loans', ...loans },
  { name: 'loans-dialog', ...loans, act: all(press(/^Make Payment/), inDialog) },
  { name: 'loan-schedule', ...schedule },
  { name: 'loan-print', at: ends, ...schedule, ...print },
  { name: 'loan-none', at: ends, ...loans, path: `${loans.path}/nothing` },
  { name: 'settings', ...settings },
  { name: 'settings-notifications', ...settings, path: '/dashboard/settings?tab=notifications' },
  {
    name: 'settings-errors',
    at: ends,
    ...settings,
    act: all(fill({ zipCode: '' }), open('.ContactDetails .Button')),
  },
  { name: 'settings-picture', ...settings, act: upload },
  { name: 'settings-hover', ...settings, ...hover },
  { name: 'security', ...security },
  { name: 'security-errors', at: ends, ...security, act: press('Update Password') },
  { name: 'security-app', ...security, act: all(press('Set up app'), inDialog) },
  { name: 'security-passkey', ...security, act: all(press('Add passkey'), inDialog) },
  { name: 'delete', ...closing },
  { name: 'delete-confirm', ...closing, act: press('Delete Account') },

  { name: 'admin', ...admin('') },
  { name: 'admin-tables', ...admin(''), act: everyTable },
  { name: 'admin-commands', ...admin(''), act: all(press(/^Search( Ctrl K)?$/), inDialog) },
  { name: 'admin-menu', ...admin(''), at: [360, 768], act: all(press(/menu/i), inDialog) },
  { name: 'admin-waiting', at: ends, ...admin(''), held: /admin\// },
  { name: 'admin-failed', at: ends, ...admin(''), failing: /admin\// },
  { name: 'admin-hover', ...admin(''), ...hover },
  { name: 'admin-approvals', ...admin('approvals') },
  { name: 'admin-approval', ...admin('approvals'), act: all(ofRow('Odile', 'button'), inDialog) },
  { name: 'admin-verifications', ...admin('verifications') },
  {
    name: 'admin-verification',
    ...admin('verifications'),
    act: all(ofRow('Noor', 'button:has-text("Verify ID")'), inDialog),
  },
  { name: 'admin-credit', ...admin('credit') },
  { name: 'admin-credit-slip', ...admin('credit'), act: credit },
  {
    name: 'admin-credit-unknown',
    ...admin('credit'),
    act: all(fill({ userAccountNumber: '999999999999' }), open('[aria-invalid=true]')),
  },
  { name: 'admin-credit-done', ...admin('credit'), act: all(credit, submit, inDialog) },
  { name: 'admin-transactions', ...admin('transactions') },
  { name: 'admin-transactions-none', at: ends, ...admin('transactions&search=nothing-like-it') },
  { name: 'admin-transactions-waiting', at: ends, ...admin('transactions'), held: /admin\/transactions/ },
  {
    name: 'admin-transaction',
    ...admin('transactions&status=failed'),
    act: all(open('main td a'), inDialog),
  },
  { name: 'admin-users', ...admin('users') },
  { name: 'admin-users-hover', ...admin('users'), ...hover },
  { name: 'admin-users-focus', ...admin('users'), ...focus },
  {
    name: 'admin-users-none',
    ...admin('users'),
    act: all(p => p.getByRole('searchbox').fill('nothing-like-it'), shows('No users')),
  },
  { name: 'admin-user', ...admin('users'), act: all(ofRow('Hollis', 'button:has-text("View")'), inDialog) },
  {
    name: 'admin-delete',
    ...admin('users'),
    act: all(ofRow('Hollis', 'button:has-text("Delete")'), inDialog),
  },
  {
    name: 'admin-freeze',
    ...admin('users'),
    act: all(ofRow('Hollis', '[role=switch]'), inDialog),
  },
  { name: 'admin-users-filtered', ...admin('users&state=frozen&sort=balance-down') },
  {
    name: 'admin-customer',
    ...admin('users'),
    act: all(ofRow('Hollis', 'button:has-text("View")'), open('text=Open full page'), shows('Documents')),
  },
  { name: 'admin-requests', ...admin('requests') },
  { name: 'admin-messages', ...admin('messages') },
  { name: 'admin-unclaimed', ...admin('unclaimed') },
  { name: 'admin-rail', ...admin('rail') },
  { name: 'admin-rail-files', ...admin('rail&list=out') },
  { name: 'admin-day-end', ...admin('day-end') },
  { name: 'admin-alerts', ...admin('alerts') },
  { name: 'admin-staff', ...admin('staff') },
  { name: 'admin-invite', ...admin('staff'), act: all(press('Invite'), inDialog) },
  { name: 'admin-account', ...admin('account') },
  { name: 'admin-set-password', path: '/admin/set-password' },
  { name: 'admin-audit', ...admin('audit') },
  { name: 'admin-audit-filtered', ...admin('audit&actorKind=admin') },
  { name: 'admin-audit-none', at: ends, ...admin('audit&endDate=2001-01-01') },
];
