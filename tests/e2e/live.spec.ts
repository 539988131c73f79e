/**
 * Live updates of a customer's dashboard: incoming money and account changes show without a reload, and inactive customers are
 * logged out.
 */
import { type Browser, type BrowserContext, expect, type Page, test } from '@playwright/test';
import { adminApi } from '#contract/admin.ts';
import { authApi } from '#contract/auth.ts';
import { session } from '#contract/constants.ts';
import { notificationsApi } from '#contract/notifications.ts';
import { transferApi } from '#contract/transfer.ts';
import { startBankForFile } from './bank.ts';
import { adminToken, callOrThrow, logInThroughApi, newCustomer, type StoredCustomer } from './customers.ts';
import { stopClock } from './visit.ts';
import { collectErrors, expectAccessible } from './watch.ts';

const bank = startBankForFile({ RATE_LIMITS: 'off' });
let nora: StoredCustomer;
let olaf: StoredCustomer;

test.beforeAll(async () => {
  nora = await newLoggedInCustomer('Nora');
  olaf = await newLoggedInCustomer('Olaf');
  const body = { userAccountNumber: nora.accountNumber, amount: 1000, description: 'start' };
  await callOrThrow(bank, adminApi.credit, { body, token: await adminToken(bank) });
});

async function newLoggedInCustomer(firstName: string, approved = true): Promise<StoredCustomer> {
  const { email } = await newCustomer(bank, { firstName, lastName: 'Quist', approved });
  return await logInThroughApi(bank, email);
}

/** Opens a browser context in which `user` is logged in; undefined for a visitor. */
async function openAs(
  browser: Browser,
  user: StoredCustomer | undefined,
  width = 1440,
): Promise<BrowserContext> {
  const stored = user ? [{ name: 'user', value: JSON.stringify(user) }] : [];
  return await browser.newContext({
    viewport: { width, height: 900 },
    baseURL: bank.url,
    storageState: { cookies: [], origins: [{ origin: bank.url, localStorage: stored }] },
  });
}

const pay = (amount: number, from = nora, to = olaf) =>
  callOrThrow(bank, transferApi.sendInternal, {
    body: { receiverAccountNumber: to.accountNumber, amount, description: '' },
    token: from.token,
  });
const bell = (page: Page) => page.getByRole('button', { name: /^Notifications/ });
const balance = (page: Page) => page.getByRole('region', { name: 'Balance' });

test('a transfer shows in bell, balance and list without a reload, for the sender and the receiver [N-01, N-02, N-05, N-06, N-07]', async ({
  browser,
}) => {
  const [sender, receiver] = [await openAs(browser, nora), await openAs(browser, olaf, 360)];
  const [noraPage, olafPage] = [await sender.newPage(), await receiver.newPage()];
  const errorChecks = [collectErrors(noraPage), collectErrors(olafPage)];
  await Promise.all([noraPage.goto('/dashboard'), olafPage.goto('/dashboard')]);
  await expect(olafPage.getByText('No recent transactions found')).toBeVisible();
  await expect(bell(olafPage)).toHaveAccessibleName('Notifications, 1 unread');
  await expect(balance(noraPage)).toContainText('$1,000.00');

  const { _id } = await pay(12.5);
  // Checks the toast first, because it closes after five seconds.
  await expect(olafPage.getByRole('status').filter({ hasText: '$12.50 from Nora Quist' })).toBeVisible();
  await expect(bell(olafPage)).toHaveAccessibleName('Notifications, 2 unread');
  await expect(balance(olafPage)).toContainText('$12.50');
  await expect(olafPage.getByText('From: Nora Quist')).toBeVisible();
  await expect(balance(noraPage)).toContainText('$987.50');
  // Her own transfer is listed, but does not count as unread.
  await expect(bell(noraPage)).toHaveAccessibleName('Notifications, 2 unread');

  await bell(olafPage).click();
  const list = olafPage.getByRole('dialog', { name: 'Notifications' });
  const link = list.getByRole('link', { name: '$12.50 from Nora Quist' });
  await expect(link).toHaveAttribute('href', `/dashboard/transactions/${_id}`);
  await expectAccessible(olafPage);
  await list.getByRole('button', { name: 'Mark as read: $12.50 from Nora Quist' }).click();
  await expect(list.getByText('Unread')).toHaveCount(1);
  await pay(1);
  await expect(list.getByText('$1.00 from Nora Quist')).toBeVisible();
  const marked = olafPage.waitForResponse(`**${notificationsApi.readNotifications.path}`);
  await list.getByRole('button', { name: 'Mark all as read' }).click();
  await expect(list.getByText('Unread')).toHaveCount(0);
  await olafPage.keyboard.press('Escape');
  await expect(bell(olafPage)).toHaveAccessibleName('Notifications');
  await expect(bell(olafPage)).toBeFocused();
  expect((await marked).status()).toBe(200);
  await olafPage.reload();
  await expect(balance(olafPage)).toContainText('$13.50');
  await expect(bell(olafPage)).toHaveAccessibleName('Notifications');

  for (const expectErrors of errorChecks) expectErrors();
  await Promise.all([sender.close(), receiver.close()]);
});

test('approval and freeze show without a reload [N-04, D-03, D-04, D-05, D-09]', async ({ browser }) => {
  const wren = await newLoggedInCustomer('Wren', false);
  const context = await openAs(browser, wren);
  const page = await context.newPage();
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'Account Pending Approval' })).toBeVisible();
  await expect(
    page.getByText('Your account is under review. Please wait for admin approval, usually 24-48 hours.'),
  ).toBeVisible();
  await expect(page.getByText('Pending Approval', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Logout' }).last()).toBeVisible();
  await page.getByRole('link', { name: 'Settings' }).click();
  for (const name of ['Profile & Documents', 'Security'])
    await expect(page.getByRole('tab', { name })).toBeVisible();
  await expect(bell(page)).toBeVisible();
  await page.getByRole('link', { name: 'Overview' }).click();
  const asAdmin = { params: { id: wren._id }, token: await adminToken(bank) };
  await callOrThrow(bank, adminApi.approve, asAdmin);
  await expect(page.getByText('Verified', { exact: true })).toBeVisible();
  await expect(page.getByText('Total Sent')).toBeVisible();
  await callOrThrow(bank, adminApi.freeze, { ...asAdmin, body: { isFrozen: true } });
  await expect(page.getByText(/Your account is frozen/).first()).toBeVisible();
  await expect(page.getByText('You can’t start a goal while your account is frozen.')).toBeVisible();
  for (const name of ['Start a goal', 'Schedule a transfer', 'Transfer money'])
    await expect(page.getByRole('link', { name })).toHaveCount(0);
  await context.close();
});

test('a session that ends on the server closes the dashboard immediately, with a message [ST-11, ST-20]', async ({
  browser,
}) => {
  const user = await logInThroughApi(bank, olaf.email);
  const context = await openAs(browser, user);
  const page = await context.newPage();
  const listening = page.waitForResponse(response => response.url().endsWith(notificationsApi.live.path));
  await page.goto('/dashboard');
  await listening;
  await callOrThrow(bank, authApi.logout, { token: user.token });
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByText('Your session has ended. Please log in again.').first()).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull();
  await context.close();
});

test('when the customer is inactive, both tabs warn, a press in one keeps both logged in, and later both log out, on the server too [ST-38, ST-39]', async ({
  browser,
}) => {
  const user = await logInThroughApi(bank, olaf.email);
  const context = await openAs(browser, user, 768);
  const tabs = [await context.newPage(), await context.newPage()] as const;
  const errorChecks = tabs.map(collectErrors);
  // All tabs of a browser context share this clock.
  await context.clock.install();
  for (const tab of tabs) {
    await tab.goto('/dashboard');
    await expect(tab.getByText('Total Sent')).toBeVisible();
  }
  const warning = (tab: Page) => tab.getByRole('dialog', { name: 'Are you still there?' });
  const pass = (seconds: number) => context.clock.fastForward(seconds * 1000);

  await pass(session.idleWarningSeconds);
  // With a running clock, a slow machine would log the customer out while this test checks the page.
  await stopClock(...tabs);
  for (const tab of tabs) await expect(warning(tab)).toBeVisible();
  await expect(warning(tabs[0]).getByText(/0:[1-5]\d|1:00/)).toBeVisible();
  // The accessibility check needs a running clock, so the clock advances in small steps.
  let isChecked = false;
  const checking = expectAccessible(tabs[0]).finally(() => {
    isChecked = true;
  });
  while (!isChecked) await context.clock.runFor(10);
  await checking;
  await expect(warning(tabs[0]).getByRole('button', { name: 'Stay logged in' })).toBeFocused();
  await context.clock.resume();
  await tabs[0].keyboard.press('Enter');
  for (const tab of tabs) await expect(warning(tab)).toHaveCount(0);

  await pass(session.idleWarningSeconds);
  await stopClock(...tabs);
  for (const tab of tabs) await expect(warning(tab)).toBeVisible();
  // The first tab logs out on the server; the other may then get a 401, so errors are not checked after this point.
  for (const expectErrors of errorChecks) expectErrors();
  const loggedOut = context.waitForEvent('response', response =>
    response.url().endsWith(authApi.logout.path),
  );
  await context.clock.resume();
  await pass(session.idleLogoutSeconds);
  expect((await loggedOut).status()).toBe(200);
  for (const tab of tabs) {
    await expect(tab).toHaveURL(/\/login$/);
    await expect(warning(tab)).toHaveCount(0);
  }
  await expect(tabs[0].getByText('Your session has ended. Please log in again.').first()).toBeVisible();
  const profile = await fetch(`${bank.url}${authApi.profile.path}`, {
    headers: { authorization: `Bearer ${user.token}` },
  });
  expect(profile.status).toBe(401);
  await context.close();
});

test('the shell requires a session, waits for the profile and shows who is logged in [D-01, D-02, D-06, D-07, D-08, D-10, D-11, D-12, D-13, D-14]', async ({
  browser,
}) => {
  const visitor = await openAs(browser, undefined);
  const visitorPage = await visitor.newPage();
  for (const path of ['/dashboard', '/dashboard/transfer', '/dashboard/transactions', '/transfer']) {
    await visitorPage.goto(path);
    await expect(visitorPage).toHaveURL(/\/login$/);
  }
  await visitorPage.evaluate(
    user => localStorage.setItem('user', user),
    JSON.stringify({ ...olaf, token: '' }),
  );
  await visitorPage.goto('/dashboard');
  await expect(visitorPage).toHaveURL(/\/login$/);
  expect(await visitorPage.evaluate(() => localStorage.getItem('user'))).toBeNull();
  await visitor.close();

  const context = await openAs(browser, await logInThroughApi(bank, olaf.email));
  const page = await context.newPage();
  const held = Promise.withResolvers<void>();
  await page.route('**/auth/profile', async route => {
    await held.promise;
    await route.continue();
  });
  await page.goto('/dashboard');
  const loader = page.getByRole('status').filter({ hasText: 'Loading your account...' });
  await expect(loader.first()).toBeVisible();
  held.resolve();
  await expect(page.getByText('Total Sent')).toBeVisible();
  await expect(loader).toHaveCount(0);
  await expect(page.getByRole('link', { name: /^Larkspur Bank/ })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Welcome, Olaf' })).toBeVisible();
  await expect(page.getByText('Verified', { exact: true })).toBeVisible();
  await expect(bell(page)).toBeVisible();
  await expect(page.locator('.ShellHeader img')).toBeVisible();
  await page.unroute('**/auth/profile');
  await page.route('**/files/**', route => route.fulfill({ status: 404 }));
  await page.reload();
  await expect(page.locator('.ShellHeader').getByText('OQ')).toBeVisible();
  const tabs = page.getByRole('navigation', { name: 'Dashboard' });
  await expect(tabs.getByRole('link')).toHaveText([
    'Overview',
    'Transfer',
    'Transactions',
    'Loans',
    'Settings',
  ]);
  await tabs.getByRole('link', { name: 'Loans' }).click();
  await expect(page).toHaveURL(/\/dashboard\/loans$/);
  await page.getByRole('button', { name: 'Logout' }).last().click();
  await expect(page).toHaveURL(/\/login$/);
  await context.close();
});

test('the overview shows the balance, account number, totals and the latest five transactions [O-01, O-02, O-03, O-04, O-05, O-06]', async ({
  browser,
}) => {
  const jun = await newLoggedInCustomer('Jun');
  const context = await openAs(browser, jun);
  const page = await context.newPage();
  const held = Promise.withResolvers<void>();
  await page.route('**/user/transactions?*', async route => {
    await held.promise;
    await route.continue();
  });
  await page.goto('/dashboard');
  await expect(page.getByText('Loading transactions...')).toBeAttached();
  held.resolve();
  await expect(page.getByText('No recent transactions found')).toBeVisible();
  await page.unroute('**/user/transactions?*');

  for (let cents = 1; cents <= 7; cents++) await pay(cents / 100, nora, jun);
  await expect(balance(page)).toContainText('$0.28');
  const recent = page.getByRole('list', { name: 'Recent transactions' }).getByRole('listitem');
  await expect(recent).toHaveCount(5);
  await expect(recent.first()).toContainText('+$0.07');
  await expect(recent.last()).toContainText('+$0.03');
  for (const [figure, value] of [
    ['Total Sent', '$0.00'],
    ['Total Received', '$0.28'],
    ['Total Transactions', '7'],
  ] as const)
    await expect(page.locator('dl > div').filter({ hasText: figure })).toContainText(value);
  await expect(balance(page)).toContainText(jun.accountNumber);
  await page.getByRole('button', { name: 'Hide balance' }).click();
  await expect(balance(page).getByText('••••••')).toHaveCount(3);
  await expect(balance(page)).not.toContainText('$');
  await page.getByRole('button', { name: 'Show balance' }).click();
  await expect(balance(page)).toContainText('$0.28');
  await context.close();
});
