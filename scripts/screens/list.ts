/** The screens of the comparison, a line each, with what is pressed before the picture is taken. The sitemap adds the public pages. */
import type { Page } from '@playwright/test';
import { authApi } from '#contract/auth.ts';
import { demoAdmin } from '#server/demo/people.ts';
import type { LoggedIn } from '../../tests/e2e/customers.ts';
import {
  box,
  dialog,
  enterCredentials,
  password,
  portraitPath,
  typeCode,
} from '../../tests/e2e/customers.ts';

/** Demo customers: with a rich history, empty, pending, frozen, with a long name, and one to send money to. */
export const customers = {
  amara: 'amara@lindqvist.example',
  jun: 'jun.takeda@inkstone.example',
  odile: 'odile@marchetti.example',
  mateo: 'mateo@brandtroofing.example',
  maximiliana: 'maximiliana.bartholomew@longmeadow.example',
  ines: 'ines.caldeira@posta.example',
} as const;
export type Customer = keyof typeof customers;
export type Sessions = Record<Customer, LoggedIn>;

export type Screen = {
  name: string;
  path: string;
  /** Who is logged in. */
  as?: Customer | 'admin';
  /** The widths that have this screen; all where absent. */
  at?: readonly number[];
  /** Scrolls through the page first, so that what loads lazily is there. */
  read?: true;
  media?: { media?: 'print'; forcedColors?: 'active'; reducedMotion?: 'reduce' };
  /** Pseudo-classes that every element gets. */
  force?: string[];
  /** Calls of the API that are not answered, and those whose connection breaks. */
  held?: RegExp;
  failing?: RegExp;
  act?: Act;
};
type Act = (page: Page, sessions: Sessions) => Promise<unknown>;

const press =
  (name: string | RegExp): Act =>
  page =>
    page.getByRole('button', { name, exact: true }).first().click();
const open =
  (css: string): Act =>
  page =>
    page.locator(css).first().click();
const submit = open('main form [type=submit]');
const shows =
  (text: string): Act =>
  page =>
    page.getByText(text).first().waitFor();
const inDialog: Act = page => dialog(page).first().waitFor();
const all =
  (...acts: Act[]): Act =>
  async (page, sessions) => {
    for (const act of acts) await act(page, sessions);
  };
/** Fills in fields by their names. */
const fill =
  (fields: Record<string, string>): Act =>
  async page => {
    for (const [name, text] of Object.entries(fields)) await page.locator(`main [name=${name}]`).fill(text);
  };
const upload: Act = async page => {
  for (const input of await page.locator('main [type=file]').all()) await input.setInputFiles(portraitPath);
};
const code =
  (digits: string): Act =>
  page =>
    typeCode(page, digits);

const stranger = 'stranger@field.example';
const toCode: Act = async page => {
  await enterCredentials(page, customers.amara);
  await box(page, 1).waitFor();
};
/** Answers a call with success, so that nothing is done to the bank. */
const grant = (page: Page, { path }: { path: string }, data: object) =>
  page.route(`**${path}`, route => route.fulfill({ json: { success: true, message: '', data } }));
const logIn =
  (customer: Customer): Act =>
  async (page, sessions) => {
    await grant(page, authApi.verifyCode, sessions[customer]);
    await all(toCode, code('123456'), submit, inDialog)(page, sessions);
  };
const register = all(
  fill({ firstName: 'Ottoline', lastName: 'Marsh', address: '18 Meadow Row', region: 'New York' }),
  fill({ zipCode: '10014', email: 'ottoline@marsh.example', phoneNumber: '2125550147', password }),
  page => page.getByText('Female', { exact: true }).click(),
  upload,
);
const registered: Act = page =>
  grant(page, authApi.register, {
    _id: '01a2043d-b509-72ad-b1e3-2043b228b459',
    email: 'ottoline@marsh.example',
    isApproved: false,
  });
const toNewPassword = all(fill({ email: stranger }), submit, code('123456'), submit, shows('of 3'), page =>
  page.locator('main [type=password]').first().waitFor(),
);
const toInes =
  (amount: string): Act =>
  async (page, { ines }) => {
    await page.getByLabel("Receiver's account number").fill(ines.accountNumber);
    await page.locator('[name=amount]').fill(amount);
    await page.getByText('Ines Caldeira').first().waitFor();
  };
const external: Act = page => page.getByText('External Transfer', { exact: true }).click();
const toBarclays = all(
  external,
  page => page.locator('main select').selectOption('Barclays'),
  fill({ accountName: 'Hollis Vane', receiverAccountNumber: 'CH9300762011623852957', amount: '310.50' }),
);
const credit: Act = (page, { ines }) =>
  all(
    fill({ userAccountNumber: ines.accountNumber, amount: '1250.50', description: 'Goodwill' }),
    shows('Ines Cal'),
  )(page, { ines } as Sessions);
const ofRow =
  (person: string, name: string): Act =>
  page =>
    page.getByRole('row').filter({ hasText: person }).getByRole('button', { name }).click();
const everyTable: Act = async page => {
  for (const summary of await page.locator('main summary').all()) await summary.click();
};
/** Fifteen and a half minutes pass without an action. */
const idle: Act = async page => {
  await page.clock.setFixedTime((await page.evaluate(() => Date.now())) + 930_000);
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await page.getByRole('alertdialog').or(dialog(page)).first().waitFor();
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
  { name: 'login-refused', at: ends, path: '/login', act: all(p => enterCredentials(p, stranger), inDialog) },
  { name: 'login-code', path: '/login', act: toCode },
  { name: 'login-code-errors', at: ends, path: '/login', act: all(toCode, code('12'), submit) },
  { name: 'login-code-wrong', at: ends, path: '/login', act: all(toCode, code('123456'), submit, inDialog) },
  { name: 'login-done', path: '/login', act: logIn('amara') },
  { name: 'login-pending', path: '/login', act: logIn('odile') },
  { name: 'register-errors', at: ends, path: '/register', act: submit },
  { name: 'register-filled', path: '/register', act: register },
  { name: 'register-done', path: '/register', act: all(registered, register, submit, inDialog) },
  { name: 'register-hover', path: '/register', ...hover },
  { name: 'register-focus', path: '/register', ...focus },
  { name: 'forgot', path: '/forgot-password' },
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
  { name: 'transactions-hover', ...list, ...hover },
  { name: 'transactions-empty', as: 'jun', path: list.path },
  { name: 'transaction-pending', ...transaction('pending') },
  { name: 'transaction-failed', ...transaction('failed') },
  { name: 'transaction-settled', ...transaction('completed') },
  { name: 'transaction-print', at: ends, ...transaction('completed'), ...print },
  { name: 'transaction-none', at: ends, ...list, path: `${list.path}/nothing` },
  { name: 'transfer', ...transfer },
  { name: 'transfer-errors', at: ends, ...transfer, act: submit },
  { name: 'transfer-hover', ...transfer, ...hover },
  {
    name: 'transfer-unknown',
    at: ends,
    ...transfer,
    act: p => p.getByLabel(/^Receiver's/).fill('999999999990'),
  },
  { name: 'transfer-found', ...transfer, act: toInes('250') },
  { name: 'transfer-too-much', ...transfer, act: all(toInes('99999999'), submit) },
  { name: 'transfer-done', ...transfer, act: all(toInes('12.34'), submit, inDialog) },
  { name: 'transfer-external', ...transfer, act: external },
  { name: 'transfer-external-errors', at: ends, ...transfer, act: all(external, submit) },
  { name: 'transfer-external-filled', ...transfer, act: toBarclays },
  { name: 'transfer-external-done', ...transfer, act: all(toBarclays, submit, inDialog) },
  { name: 'loans', ...loans },
  { name: 'loans-dialog', ...loans, act: all(press(/^Make Payment/), inDialog) },
  { name: 'loan-schedule', ...schedule },
  { name: 'loan-print', at: ends, ...schedule, ...print },
  { name: 'loan-none', at: ends, ...loans, path: `${loans.path}/nothing` },
  { name: 'settings', ...settings },
  { name: 'settings-errors', at: ends, ...settings, act: all(fill({ zipCode: '' }), press('Save Changes')) },
  { name: 'settings-picture', ...settings, act: upload },
  { name: 'settings-hover', ...settings, ...hover },
  { name: 'security', ...security },
  { name: 'security-errors', at: ends, ...security, act: press('Update Password') },
  { name: 'delete', ...closing },
  { name: 'delete-confirm', ...closing, act: press('Delete Account') },

  { name: 'admin', ...admin('') },
  { name: 'admin-tables', ...admin(''), act: everyTable },
  { name: 'admin-menu', ...admin(''), at: [360, 768], act: all(press(/menu/i), inDialog) },
  { name: 'admin-waiting', at: ends, ...admin(''), held: /admin\// },
  { name: 'admin-failed', at: ends, ...admin(''), failing: /admin\// },
  { name: 'admin-hover', ...admin(''), ...hover },
  { name: 'admin-approvals', ...admin('approvals') },
  { name: 'admin-approval', ...admin('approvals'), act: all(ofRow('Odile', 'View'), inDialog) },
  { name: 'admin-verifications', ...admin('verifications') },
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
  { name: 'admin-user', ...admin('users'), act: all(ofRow('Hollis', 'View'), inDialog) },
  { name: 'admin-delete', ...admin('users'), act: all(ofRow('Hollis', 'Delete'), inDialog) },
  {
    name: 'admin-freeze',
    ...admin('users'),
    act: all(open('tr:has-text("Hollis") [role=switch]'), inDialog),
  },
  { name: 'admin-audit', ...admin('audit') },
  { name: 'admin-audit-filtered', ...admin('audit&actorKind=admin') },
  { name: 'admin-audit-none', at: ends, ...admin('audit&endDate=2001-01-01') },
];
