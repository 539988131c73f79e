/**
 * The administration in a real browser: administrators log in, approve, verify, credit, freeze, delete, and read the audit log.
 * Runs on a real server with the demo people and a year of their history.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, expect, type Locator, type Page, test } from '@playwright/test';
import { adminApi } from '#contract/admin.ts';
import { alertsApi } from '#contract/alerts.ts';
import { calendarDay } from '#contract/bankTime.ts';
import { bank as constants, admin as limits } from '#contract/constants.ts';
import { contactApi } from '#contract/contact.ts';
import type { AuditEntry, User } from '#contract/entities.ts';
import { factorsApi } from '#contract/factors.ts';
import { railApi } from '#contract/rail.ts';
import { settingsApi } from '#contract/settings.ts';
import { transactionsApi } from '#contract/transactions.ts';
import { transferApi } from '#contract/transfer.ts';
import { formatPhone } from '#contract/typedNumbers.ts';
import { sandboxRouting } from '#server/base/routingNumbers.ts';
import { writeNotice } from '#server/outside/rail/iso20022.ts';
import { appCode } from '../authenticator.ts';
import { callAt, summarize } from '../call.ts';
import { waitLimitMs, waitUntil } from '../waiting.ts';
import { admin, startBankForFile } from './bank.ts';
import { adminSession, adminToken, callOrThrow, logInThroughApi, newCustomer } from './customers.ts';
import { displays, narrowDisplays, settle, stopClock, visit } from './visit.ts';
import { expectAccessible, expectAccessibleAndFitting } from './watch.ts';

const specimen = fileURLToPath(new URL('../../src/server/demo/portraits/specimen-id.webp', import.meta.url));
const people = {
  amara: 'amara@lindqvist.example',
  ines: 'ines.caldeira@posta.example',
  maximiliana: 'maximiliana.bartholomew@longmeadow.example',
  noor: 'noor.haddad@souk.example',
  mateo: 'mateo@brandtroofing.example',
  odile: 'odile@marchetti.example',
} as const;

// A business day takes an hour, so that no cut-off sends a payment to the other bank before a freeze can hold it.
const bank = startBankForFile({
  DEMO: '1',
  RATE_LIMITS: 'off',
  RAIL_DAY_SECONDS: '3600',
  RETENTION_YEARS: '5',
});
let token: string;

test.beforeAll(async () => {
  token = await adminToken(bank);
});

async function userOf(email: string): Promise<User> {
  return (await callOrThrow(bank, adminApi.users, { query: { search: email }, token })).users[0]!;
}

const fund = async (email: string, amount: number) =>
  callOrThrow(bank, adminApi.credit, {
    body: { userAccountNumber: (await userOf(email)).accountNumber, amount, description: 'A gift' },
    token,
  });

const sessionOf = async (email: string) => (await logInThroughApi(bank, email)).token;

/** Returns the audit log entries about a person, newest first. */
async function auditOf(person: string): Promise<AuditEntry[]> {
  return (await callOrThrow(bank, adminApi.auditLog, { query: { person }, token })).records;
}

const displayOf = {
  desktop: displays['on a desktop in light mode'],
  phone: displays['on a phone in dark mode'],
};

/** Opens a browser with a logged-in administrator at a view of the panel. */
async function enter(browser: Browser, view: string, display: keyof typeof displayOf = 'desktop') {
  const opened = await visit(browser, bank.url, displayOf[display], { admin: await adminSession(bank) });
  await opened.page.goto(`/admin/dashboard${view}`);
  return opened;
}

/** Holds all requests to `path` until the returned function is called. */
async function holdAnswers(page: Page, path: string): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  const matches = (url: URL) => url.pathname === path;
  await page.route(matches, async route => {
    await held;
    await route.continue();
  });
  return release;
}

const row = (page: Page, text: string): Locator => page.getByRole('row').filter({ hasText: text });
const heads = (page: Page) => page.getByRole('columnheader').allInnerTexts();
const search = (page: Page) => page.getByPlaceholder('Search users...');

test('an administrator logs in, stays logged in on return, and leaves nothing in storage after logout [AL-01, AL-02, AL-03, AL-04, AL-05, R-16, R-17, R-18, V-26, RO-05, ST-03, ST-16, ST-17]', async ({
  browser,
}) => {
  const { page, expectErrors, close } = await visit(browser, bank.url);
  await page.goto('/admin');
  await expect(page).toHaveURL(/\/admin\/login$/);
  await expect(page.getByRole('heading', { name: 'Admin Login' })).toBeVisible();
  await expect(page.getByText('Access the administrative dashboard')).toBeVisible();
  await expectAccessibleAndFitting(page);

  // Found by its type, because the button has another name while it sends.
  const button = page.locator('form button[type=submit]');
  const [above, below] = await Promise.all([
    button.boundingBox(),
    page.getByRole('button', { name: 'Log in with a passkey' }).boundingBox(),
  ]);
  expect(below!.y - above!.y - above!.height).toBeGreaterThanOrEqual(8);
  await button.click();
  await expect(page.getByLabel('Email')).toBeFocused();
  await page.getByLabel('Email').fill(admin.email);
  await button.click();
  await expect(page.getByLabel('Password')).toBeFocused();

  await page.getByLabel('Password').fill('not the password');
  await stopClock(page);
  await button.click();
  const refusal = page.getByText('Invalid email or password');
  await expect(refusal).toBeVisible();
  await settle(page);
  await page.clock.runFor(limits.loginErrorMs - 1);
  await settle(page);
  await expect(refusal).toBeVisible();
  await page.clock.runFor(1);
  await expect(refusal).toBeHidden();
  await page.clock.resume();
  await expect(page.getByLabel('Email')).toHaveValue(admin.email);

  const release = await holdAnswers(page, adminApi.adminLogin.path);
  await page.getByLabel('Password').fill(admin.password);
  await button.click();
  await expect(button).toHaveText('Logging in...');
  release();
  await expect(page).toHaveURL(/\/admin\/dashboard$/);
  const stored = await page.evaluate(() => JSON.parse(localStorage.getItem('admin') ?? '{}') as object);
  expect(Object.keys(stored).sort()).toEqual(['_id', 'email', 'name', 'token']);

  await page.goto('/admin/login');
  await expect(page).toHaveURL(/\/admin\/dashboard$/);
  await page.goto('/admin');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard');
  await page
    .getByRole('navigation', { name: 'Administration' })
    .getByRole('button', { name: 'Logout' })
    .click();
  await expect(page).toHaveURL(/\/admin\/login$/);
  const storage = await page.evaluate(() => JSON.stringify(localStorage));
  for (const text of ['"admin"', 'token', admin.email]) expect(storage).not.toContain(text);
  await page.goto('/admin/dashboard');
  await expect(page).toHaveURL(/\/admin\/login$/);
  expectErrors('401');
  await close();
});

test('opening the panel loads its counts and cards with one call each, and each chart can be shown as a table [A-01, A-02, A-03, A-04, A-05, C-67, C-68, RO-07]', async ({
  browser,
}) => {
  const { page, expectErrors, close } = await visit(browser, bank.url);
  const requested: string[] = [];
  page.on('request', request =>
    requested.push(new URL(request.url()).pathname + new URL(request.url()).search),
  );
  await page.goto('/admin/login');
  await page.getByLabel('Email').fill(admin.email);
  await page.getByLabel('Password').fill(admin.password);
  await page.locator('form').getByRole('button', { name: 'Login', exact: true }).click();
  const sidebar = page.getByRole('navigation', { name: 'Administration' });
  await expect(sidebar.getByRole('link').filter({ hasText: /\d/ })).toHaveCount(2);
  for (const call of ['adminStats', 'approvalQueue', 'adminTransactions', 'verificationQueue'] as const)
    expect(requested.filter(path => path === adminApi[call].path)).toHaveLength(1);

  const waiting = await callOrThrow(bank, adminApi.pendingApprovals, { token });
  const unverified = await callOrThrow(bank, adminApi.unverifiedIds, { token });
  expect((await sidebar.getByRole('link').allInnerTexts()).map(text => text.split('\n')[0])).toEqual([
    'Dashboard',
    'Approvals',
    'ID Verifications',
    'Requests',
    'Messages',
    'Alerts',
    'Credit User',
    'Transactions',
    'Unclaimed balances',
    'Payment rail',
    'Day end',
    'Users',
    'Audit log',
    'Staff',
    'Your account',
  ]);
  await expect(sidebar.getByRole('link', { name: /Approvals/ })).toContainText(String(waiting.length));
  await expect(sidebar.getByRole('link', { name: /ID Verifications/ })).toContainText(
    String(unverified.filter(({ idCard }) => idCard).length),
  );
  await expect(sidebar.getByRole('button', { name: 'Logout' })).toBeVisible();

  const figure = (name: string) => page.locator('dl > div, dl').filter({ hasText: name }).last();
  await expect(figure('Total Transactions')).toContainText(/\d{3}/);
  await expect(figure('Total Amount')).toContainText(/\$[\d,]+\.\d\d/);
  await expect(figure('Success Rate')).toContainText(/\d+(\.\d)?%/);
  await expect(figure('Pending Approvals')).toContainText(String(waiting.length));

  await expect(page.getByRole('link', { name: /^Odile Marchetti/ }).locator('img')).toBeVisible();

  const figures = await callOrThrow(bank, adminApi.figures, { token });
  await expect(page.getByRole('img', { name: /^Money moved by day/ })).toBeVisible();
  for (const summary of await page.getByText('Show as a table').all()) await summary.click();
  const days = page.getByRole('table', { name: 'Money moved by day' });
  await expect(days.getByRole('row')).toHaveCount(figures.days.length + 1);
  const accounts = page.getByRole('table', { name: 'The bank’s own accounts' });
  await expect(accounts.getByRole('row', { name: /Bank treasury/ })).toContainText('−$');
  await expect(page.getByRole('table', { name: 'All time by type' }).getByRole('row')).toHaveCount(
    figures.types.length + 1,
  );
  await expectAccessibleAndFitting(page);
  expectErrors();
  await close();
});

test('an administrator views and approves an application, whose row leaves the list while the focus moves to the next row; a decision by a colleague is reported [A-06, A-07, A-47, A-48, A-55, RO-06, SD-15]', async ({
  browser,
}) => {
  const { page, expectErrors, close } = await enter(browser, '?view=approvals');
  await expect(row(page, 'Odile Marchetti')).toBeVisible();
  expect((await heads(page)).slice(0, 3)).toEqual(['Name', 'Email', 'Account Number']);
  await expect(row(page, 'Odile Marchetti')).toContainText(people.odile);
  await expectAccessibleAndFitting(page);
  const others = await page.getByRole('row').count();

  const odile = await userOf(people.odile);
  const review = row(page, 'Odile Marchetti').getByRole('button', { name: 'Review Odile Marchetti' });
  const boxOf = async (shown: Locator) => (await shown.boundingBox())!;
  const unviewed = await boxOf(review);
  await review.click();
  const application = page.getByRole('dialog', { name: 'Application: Odile Marchetti' });
  for (const text of [
    formatPhone(odile.phoneNumber),
    odile.address,
    'Date of birth',
    'confirmed',
    'Registered',
  ])
    await expect(application).toContainText(text, { ignoreCase: true });
  const picture = (name: string) => application.getByRole('img', { name });
  for (const name of ['Profile image', 'ID document']) await expect(picture(name)).toBeVisible();
  await expectAccessibleAndFitting(page);
  await application.getByRole('button', { name: 'Rotate ID document' }).click();
  await expect(picture('ID document')).toHaveCSS('rotate', '90deg');
  const frame = await boxOf(application.getByRole('region', { name: 'ID document' }));
  const facts = await boxOf(application.locator('.ApplicationReview-facts'));
  expect(frame.x + frame.width).toBeCloseTo(facts.x + facts.width, 0);
  const rotated = await boxOf(picture('ID document'));
  for (const [inner, outer] of [
    [rotated.width, frame.width],
    [rotated.height, frame.height],
  ] as const)
    expect(Math.abs(outer - 2 - inner)).toBeLessThan(1);
  const width = (await picture('ID document').boundingBox())!.width;
  await application.getByRole('button', { name: 'Zoom in on ID document' }).click();
  await expect
    .poll(async () => (await picture('ID document').boundingBox())!.width)
    .toBeGreaterThan(width * 1.4);
  // The middle of the picture stays in view, not a corner that can be empty.
  for (let zoom = 2; zoom < 5; zoom++)
    await application.getByRole('button', { name: 'Zoom in on ID document' }).click();
  await expect
    .poll(async () => {
      const shown = await boxOf(picture('ID document'));
      return Math.abs(shown.x + shown.width / 2 - (frame.x + frame.width / 2));
    })
    .toBeLessThan(10);
  await page.keyboard.press('Escape');
  await expect(application).toHaveCount(0);
  await expect(review).toBeFocused();
  // A viewed application can be selected. The checkbox that appears for that does not move the rows.
  await expect(page.getByRole('checkbox', { name: 'Select Odile Marchetti' })).toBeVisible();
  expect((await boxOf(review)).y).toBe(unviewed.y);

  const names = await page
    .getByRole('button', { name: /^Review / })
    .evaluateAll(all => all.map(button => button.getAttribute('aria-label')));
  const place = names.indexOf('Review Odile Marchetti');
  const neighbor = names[place + 1] ?? names[place - 1]!;
  const approve = row(page, 'Odile Marchetti').getByRole('button', { name: 'Approve Odile Marchetti' });
  const release = await holdAnswers(page, `/api/v1/admin/approve/${odile._id}`);
  const idle = await boxOf(approve);
  await approve.click();
  // If the button became wider, other cells would wrap and the rows would move. A double click could approve two customers.
  await expect(approve).toHaveAttribute('aria-busy', 'true');
  expect(await boxOf(approve)).toEqual(idle);
  release();
  await expect(row(page, 'Odile Marchetti')).toHaveCount(0);
  await expect(
    page.getByRole('status').filter({ hasText: 'Odile Marchetti: Account approved' }),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: neighbor })).toBeFocused();
  await expect(page.getByRole('row')).toHaveCount(others - 1);
  const [approval] = await auditOf((await userOf(people.odile))._id);
  expect(approval).toMatchObject({ action: 'customer.approved', actorKind: 'admin' });

  // A colleague deletes the next customer before the administrator clicks Approve.
  const [next] = await callOrThrow(bank, adminApi.pendingApprovals, { token });
  const name = `${next!.firstName} ${next!.lastName}`;
  await callOrThrow(bank, adminApi.deleteUser, { params: { id: next!._id }, token });
  await row(page, name).getByRole('button', { name: 'Approve' }).click();
  const refusal = page.getByRole('dialog').filter({ hasText: `${name} was not approved` });
  await expect(refusal).toContainText(
    'This application no longer exists. It was rejected, or the account was deleted.',
  );
  await expect(row(page, name)).toHaveCount(0);
  expectErrors('404');
  await close();
});

test('an administrator views an ID, and verifies it in a dialog that shows it; an ID that was replaced in the meantime must be viewed again [A-08, A-09, A-10, A-12, A-44, A-45, A-46, A-49, A-50]', async ({
  browser,
}) => {
  const { page, context, expectErrors, close } = await enter(browser, '?view=approvals');
  await expect(
    row(page, 'ID')
      .or(page.getByRole('heading', { level: 1 }))
      .first(),
  ).toBeVisible();
  const release = await holdAnswers(page, adminApi.verificationQueue.path);
  await page.goto('/admin/dashboard?view=verifications');
  await expect(page.getByText('Loading verifications...')).toBeAttached();
  release();
  await expect(row(page, 'Noor Haddad')).toBeVisible();
  expect((await heads(page)).slice(0, 4)).toEqual(['Name', 'Email', 'ID Card', 'Submitted Date']);
  await expect(row(page, 'Jun Takeda')).toContainText('No ID Uploaded');
  const verifyMissing = row(page, 'Jun Takeda').getByRole('button', { name: 'Verify ID' });
  await expect(verifyMissing).toBeDisabled();
  await expect(verifyMissing).toHaveAccessibleDescription('Jun Takeda has not uploaded an ID yet');
  await expectAccessibleAndFitting(page);

  const view = async () => {
    const arriving = context.waitForEvent('page');
    await row(page, 'Noor Haddad').getByRole('button', { name: 'View ID' }).click();
    const tab = await arriving;
    const messages: string[] = [];
    tab.on('console', message => messages.push(message.text()));
    await expect(tab).toHaveTitle('ID document of Noor Haddad');
    await expect(tab.getByRole('heading', { name: 'ID document of Noor Haddad' })).toBeVisible();
    const image = tab.getByRole('img', { name: 'ID document of Noor Haddad' });
    await expect
      .poll(() => image.evaluate((shown: HTMLImageElement) => shown.naturalWidth))
      .toBeGreaterThan(0);
    expect(tab.url()).toBe('about:blank');
    expect(messages).toEqual([]);
    await tab.close();
  };
  const noor = await userOf(people.noor);
  await view();
  expect((await auditOf(noor._id)).map(({ action }) => action)).toContain('customer.id-viewed');

  const form = new FormData();
  form.append('avatar', new Blob([readFileSync(specimen)], { type: 'image/webp' }), 'id.webp');
  await row(page, 'Noor Haddad').getByRole('button', { name: 'Verify ID of Noor Haddad' }).click();
  const application = page.getByRole('dialog', { name: 'ID document: Noor Haddad' });
  const verify = application.getByRole('button', { name: 'Verify ID of Noor Haddad' });
  for (const name of ['Profile image', 'ID document']) {
    const shown = application.getByRole('img', { name });
    await expect
      .poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
  }
  await expect(verify).toBeEnabled();
  await callOrThrow(bank, settingsApi.uploadIdCard, { body: form, token: await sessionOf(people.noor) });
  const viewedAgain = page.waitForResponse(answer => answer.url().endsWith('/id-card'));
  await verify.click();
  await expect(
    application.getByText('This customer uploaded a new ID after you viewed the last one.'),
  ).toBeVisible();
  await viewedAgain;
  await expect(verify).toBeEnabled();
  await verify.click();
  await expect(application).toHaveCount(0);
  await expect(row(page, 'Noor Haddad')).toHaveCount(0);
  expect((await userOf(people.noor)).isVerified).toBe(true);
  const [verified] = (await auditOf(noor._id)).filter(({ action }) => action === 'customer.id-verified');
  expect(verified!.details).toContain('opened before verifying');

  // The order is in the URL, and a search finds one customer.
  await page.getByLabel('Sort by').selectOption('Newest first');
  await expect(page).toHaveURL(/sort=newest/);
  await page.getByPlaceholder('Search name, email, phone, or account').fill('takeda');
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page.getByText('Page 1 of 1 (1 waiting)')).toBeVisible();
  expectErrors('409');
  await close();
});

test('an administrator sees the account holder before crediting the account, a double click credits it once, and an unapproved account is refused [A-13, A-14, A-15, A-16, A-17, A-18, ER-14, OK-10, RO-06]', async ({
  browser,
}) => {
  const { page, expectErrors, close } = await enter(browser, '?view=credit');
  const number = page.getByLabel('Account Number');
  const amount = page.getByLabel(/^Amount/);
  const description = page.getByLabel('Description');
  const button = page.locator('form').getByRole('button', { name: /Credit User|Processing/ });
  await expect(number).toHaveJSProperty('type', 'text');
  await expect(amount).toHaveAttribute('inputmode', 'decimal');
  await expect(amount).toHaveAttribute('min', '0');
  await expect(amount).toHaveAttribute('step', '0.01');
  await expect(page.locator('.AmountField')).toContainText('$');
  expect(await description.evaluate(field => field.tagName)).toBe('TEXTAREA');

  const [waiting] = await callOrThrow(bank, adminApi.pendingApprovals, { token });
  await number.fill(waiting!.accountNumber);
  await expect(page.locator('form')).toContainText(waiting!.firstName);
  await expect(page.locator('form')).toContainText('Pending Approval');
  await expect(button).toBeDisabled();
  await amount.fill('12.34');
  await expect(button).toBeDisabled();
  await description.fill('Goodwill');
  await expect(button).toBeEnabled();
  await button.click();
  await expect(page.getByRole('dialog')).toContainText('Error');
  await expect(page.getByRole('dialog')).toContainText('This account is not approved yet.');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

  await number.fill((await userOf(people.mateo)).accountNumber);
  await expect(page.locator('form')).toContainText('Mateo Brandt');
  await expect(page.locator('form')).toContainText('Frozen');
  await number.fill('999999999999');
  await expect(page.locator('.Field--bad')).toContainText('Account Number');

  const before = await userOf(people.ines);
  await number.fill(before.accountNumber);
  await expect(page.locator('form')).toContainText('Ines Caldeira');
  await amount.clear();
  await amount.pressSequentially('1250.50');
  await expect(amount).toHaveValue('1,250.50');
  await expectAccessibleAndFitting(page);
  const reloaded = [adminApi.adminStats.path, adminApi.adminTransactions.path].map(path =>
    page.waitForRequest(request => new URL(request.url()).pathname === path),
  );
  const release = await holdAnswers(page, adminApi.credit.path);
  await button.dblclick();
  await expect(button).toHaveText('Processing...');
  await expect(button).toHaveAttribute('aria-disabled', 'true');
  release();
  const result = page.getByRole('dialog');
  await expect(result).toContainText('Success!');
  await expect(result).toContainText('Ines Caldeira');
  await expect(result).toContainText(`Successfully credited $1,250.50 to account ${before.accountNumber}`);
  await Promise.all(reloaded);
  await result.getByRole('button', { name: 'Close' }).click();
  expect((await userOf(people.ines)).balance).toBe(Math.round((before.balance + 1250.5) * 100) / 100);
  expectErrors('403');
  await close();
});

test('an administrator pages through all transactions, finds the filters in the URL, and reads why a transfer was returned [A-19, A-20, A-21, A-22, A-24, A-25, A-26, A-52, RO-07]', async ({
  browser,
}) => {
  const { page, expectErrors, close } = await enter(browser, '?view=users');
  const release = await holdAnswers(page, adminApi.adminTransactions.path);
  await page.goto('/admin/dashboard?view=transactions');
  await expect(page.getByText('Loading transactions...')).toBeAttached();
  release();
  await expect(page.getByText(/^Page 1 of \d+ \(\d+ total transactions\)$/)).toBeVisible();
  expect(await heads(page)).toEqual([
    'Reference',
    'Type',
    'From',
    'To',
    'Amount',
    'Status',
    'Date',
    'Bank Details',
  ]);
  await expectAccessibleAndFitting(page);

  const next = page.getByRole('button', { name: 'Next' });
  const firstPage = await page.getByRole('link', { name: /^LB-/ }).allInnerTexts();
  await next.click();
  await expect(page.getByText(/^Page 2 of /)).toBeVisible();
  await expect(page).toHaveURL(/page=2/);
  await expect(page.getByRole('link', { name: firstPage[0]! })).toHaveCount(0);
  const pages = Number(/of (\d+)/.exec(await page.getByText(/^Page 2 of /).innerText())![1]);
  await page.goto(`/admin/dashboard?view=transactions&page=${pages}`);
  await expect(page.getByText(new RegExp(`^Page ${pages} of ${pages}`))).toBeVisible();
  await expect(next).toBeDisabled();
  await expect(row(page, 'Admin Credit').first()).toContainText('System');
  await expect(row(page, 'Admin Credit').first()).toContainText(/\$[\d,]+\.\d\d/);

  await page.goto('/admin/dashboard?view=transactions&page=99999');
  await expect(page.getByText(new RegExp(`^Page ${pages} of ${pages}`))).toBeVisible();

  await page.getByLabel('Type').selectOption('external-transfer');
  await page.getByLabel('Status').selectOption('failed');
  await expect(page).toHaveURL(/type=external-transfer/);
  await expect(page).toHaveURL(/status=failed/);
  await expect(page.getByText(/^Page 1 of 1 /)).toBeVisible();
  const returned = row(page, 'External Transfer').first();
  await expect(returned).toContainText('Returned');
  await expect(returned).toContainText(/73120840000/);
  await page.reload();
  await expect(returned).toBeVisible();

  const reference = returned.getByRole('link', { name: /^LB-/ });
  await reference.focus();
  await page.keyboard.press('Enter');
  const sheet = page.getByRole('dialog');
  await expect(sheet).toContainText('Reason: ');
  await expect(sheet).toContainText(/The money was returned to .+\./);
  await expect(sheet.locator('.Slip')).toContainText(/\d{4} \d{4} \d{4}/);
  await expectAccessibleAndFitting(page);
  await page.reload();
  await expect(sheet).toContainText('Reason: ');
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  await expect(page).toHaveURL(/status=failed/);
  await expect(page).not.toHaveURL(/transaction=/);
  await reference.click();
  await sheet.locator('.Slip').getByRole('link').click();
  await expect(page.getByRole('dialog', { name: 'User Details' })).toContainText('Account Number');
  await expect(page).toHaveURL(/view=users&customer=/);
  await page.keyboard.press('Escape');
  await expect(page).not.toHaveURL(/customer=/);
  await page.goto('/admin/dashboard?view=transactions');

  await page.getByRole('searchbox', { name: 'Search' }).fill('no such transaction anywhere');
  await expect(page.getByText('No transactions found')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page.getByText(/^Page 1 of \d\d/)).toBeVisible();
  await expect(
    row(page, 'Transfer').filter({ hasNotText: 'External' }).first().getByRole('cell').last(),
  ).toHaveText(/-$/);
  expectErrors();
  await close();
});

test('another view opens at its top, and Back returns to the same place in the list of users [A-27]', async ({
  browser,
}) => {
  const { page, expectErrors, close } = await enter(browser, '?view=users');
  await expect(row(page, 'Jun Takeda')).toBeVisible();
  const scrolled = () => page.evaluate(() => Math.round(scrollY));
  await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
  const place = await scrolled();
  expect(place).toBeGreaterThan(0);
  await page.getByRole('link', { name: 'Transactions' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Transactions');
  expect(await scrolled()).toBe(0);
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(row(page, 'Jun Takeda')).toBeVisible();
  expect(await scrolled()).toBe(place);
  expectErrors();
  await close();
});

test('users are listed, searched after a pause in typing, paged and viewed [A-27, A-28, A-29, A-30, A-31, A-34, A-35, A-36, A-37, A-38, A-40, RO-08]', async ({
  browser,
}) => {
  const { page, expectErrors, close } = await enter(browser, '');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard');
  const requests: { query: URLSearchParams; at: number }[] = [];
  page.on('request', request => {
    const url = new URL(request.url());
    // The list without filters comes from one call; filters and searches use another.
    if ([adminApi.users.path, '/api/v1/admin/customers'].includes(url.pathname))
      requests.push({ query: url.searchParams, at: Date.now() });
  });
  await page.getByRole('link', { name: 'Users' }).click();
  await expect(row(page, 'Jun Takeda')).toBeVisible();
  expect(requests).toHaveLength(1);
  expect(await heads(page)).toEqual([
    'Name',
    'Email',
    'Account Number',
    'Balance',
    'Status',
    'Account Status',
    'Actions',
  ]);
  await expect(row(page, 'Jun Takeda').locator('img')).toBeVisible();
  await expect(row(page, 'Jun Takeda')).toContainText('$0.00');
  await expect(row(page, 'Jun Takeda')).toContainText('Pending');
  await expect(row(page, 'Hollis Vane')).toContainText('Verified');
  await expect(row(page, 'Jun Takeda').getByRole('button', { name: 'View Jun Takeda' })).toHaveText('View');
  await expect(row(page, 'Jun Takeda').getByRole('button', { name: 'Delete Jun Takeda' })).toHaveText(
    'Delete',
  );
  await expectAccessibleAndFitting(page);

  await expect(page.getByText('Page 1 of 2')).toBeVisible();
  const pressedAt = Date.now();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(row(page, 'Amara Lindqvist')).toBeVisible();
  const ofSecondPage = requests.filter(({ query }) => query.get('page') === '2');
  expect(ofSecondPage).toHaveLength(1);
  expect(ofSecondPage[0]!.at - pressedAt).toBeGreaterThanOrEqual(490);
  await expect(page.getByText('Page 2 of 2')).toBeVisible();
  await page.getByRole('button', { name: 'Previous' }).click();
  await expect(row(page, 'Jun Takeda')).toBeVisible();

  // The visible list is also polled. Those requests have no search text.
  const searches = () => requests.map(({ query }) => query.get('search')).filter(text => text !== null);
  // Until `resume`, the clock moves only when the test advances it, however slowly the test types.
  await stopClock(page);
  await search(page).pressSequentially('maximiliana');
  await page.clock.runFor(limits.searchDebounceMs - 1);
  await settle(page);
  expect(searches()).toEqual([]);
  await page.clock.runFor(1);
  await expect.poll(searches).toEqual(['maximiliana']);
  await page.clock.resume();
  await expect(page.getByRole('row')).toHaveCount(2);
  expect(searches()).toEqual(['maximiliana']);

  const view = row(page, 'Maximiliana').getByRole('button', { name: 'View' });
  await view.focus();
  await page.keyboard.press('Enter');
  const details = page.getByRole('dialog', { name: 'User Details' });
  const maximiliana = await userOf(people.maximiliana);
  for (const text of [
    `${maximiliana.firstName} ${maximiliana.lastName}`,
    'Verified',
    maximiliana.email,
    '$12,345,678.90',
    formatPhone(maximiliana.phoneNumber),
    maximiliana.address,
    'Joined',
  ])
    await expect(details).toContainText(text);
  await expect(details).toContainText(maximiliana.accountNumber.slice(0, 4));
  await expect(details.getByRole('button', { name: 'View ID' })).toBeVisible();
  await expectAccessibleAndFitting(page);
  await page.keyboard.press('Escape');
  await expect(details).toHaveCount(0);
  await expect(view).toBeFocused();

  await search(page).fill('takeda');
  await row(page, 'Jun Takeda').getByRole('button', { name: 'View' }).click();
  await expect(details).toContainText('No ID uploaded');
  expectErrors();
  await close();
});

test('an administrator freezes a customer, whose next request is refused, and unfreezes the account [A-32, A-33, A-43, OK-12, OK-13, ER-16]', async ({
  browser,
}) => {
  const amara = await userOf(people.amara);
  const { accountNumber } = await userOf(people.ines);
  const session = await sessionOf(people.amara);
  const pay = () =>
    callAt(bank.url, transferApi.sendInternal, {
      body: { receiverAccountNumber: accountNumber, amount: 1, description: '' },
      token: session,
    });
  expect((await pay()).status).toBe(201);

  const { page, expectErrors, close } = await enter(browser, '?view=users');
  await search(page).fill(people.amara);
  await expect(page.getByRole('row')).toHaveCount(2);
  const toggle = row(page, 'Amara Lindqvist').getByRole('switch');
  await expect(row(page, 'Amara Lindqvist')).toContainText('Active');
  const freezing = page.waitForRequest(request => request.method() === 'PUT');
  await toggle.focus();
  await page.keyboard.press('Space');
  expect((await freezing).postDataJSON()).toEqual({ isFrozen: true });
  const notice = page.getByRole('dialog');
  await expect(notice).toContainText('Success');
  await expect(notice).toContainText('User account frozen successfully');
  await page.keyboard.press('Escape');
  await expect(row(page, 'Amara Lindqvist')).toContainText('Frozen');
  await expect(toggle).toBeFocused();

  const refused = await pay();
  expect(summarize(refused)).toMatchObject({
    status: 403,
    message: 'Your account is frozen. Please contact customer service.',
  });

  await toggle.click();
  await expect(notice).toContainText('User account unfrozen successfully');
  await notice.getByRole('button', { name: 'Close' }).click();
  await expect(row(page, 'Amara Lindqvist')).toContainText('Active');
  expect((await auditOf(amara._id)).map(({ action }) => action)).toEqual(
    expect.arrayContaining(['customer.frozen', 'customer.unfrozen']),
  );

  // When the window gets the focus again, it shows what a colleague changed in the meantime.
  const byColleague = (isFrozen: boolean) =>
    callOrThrow(bank, adminApi.freeze, { params: { id: amara._id }, body: { isFrozen }, token });
  await byColleague(true);
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(row(page, 'Amara Lindqvist')).toContainText('Frozen');
  await byColleague(false);
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(row(page, 'Amara Lindqvist')).toContainText('Active');

  await page.context().setOffline(true);
  await toggle.click();
  await expect(notice).toContainText('Result unknown');
  await page.keyboard.press('Escape');
  await expect(row(page, 'Amara Lindqvist')).toContainText('Active');
  await page.context().setOffline(false);
  // The change, and what is loaded again to show the true state: the list of users and the three counts in the sidebar.
  expectErrors(...Array<string>(5).fill('ERR_INTERNET_DISCONNECTED'));
  await close();
});

test('an administrator deletes a customer, whose balance moves to the unclaimed balances; a deletion by a colleague is reported [A-41, A-42, A-43, OK-11, ER-15]', async ({
  browser,
}) => {
  const { page, expectErrors, close } = await enter(browser, '?view=users');
  const unclaimed = async () =>
    (await callOrThrow(bank, adminApi.figures, { token })).accounts.find(
      ({ account }) => account === 'unclaimed',
    )!.balance;
  const total = async () => (await callOrThrow(bank, adminApi.users, { token })).totalUsers;
  const mateo = await userOf(people.mateo);
  const [held, count] = [await unclaimed(), await total()];

  await search(page).fill(people.mateo);
  await expect(page.getByRole('row')).toHaveCount(2);
  const press = row(page, 'Mateo Brandt').getByRole('button', { name: 'Delete' });
  await press.click();
  const question = page.getByRole('dialog', { name: 'Delete User' });
  await expect(question).toContainText(
    'Are you sure you want to delete this user? This action cannot be undone.',
  );
  await expect(question).toContainText(
    'The remaining balance of $9,020.00 moves to the bank’s unclaimed balances.',
  );
  await expect(question).toContainText('pictures are erased, except what the law requires us to keep.');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expectAccessibleAndFitting(page);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(press).toBeFocused();
  expect(await total()).toBe(count);

  await press.click();
  await question.getByRole('button', { name: 'Delete User' }).click();
  const notice = page.getByRole('dialog').filter({ hasText: 'User has been successfully deleted' });
  await expect(notice).toContainText('Success');
  await notice.getByRole('button', { name: 'Close' }).click();
  await expect(row(page, 'Mateo Brandt')).toHaveCount(0);
  expect(await total()).toBe(count - 1);
  expect(await unclaimed()).toBeCloseTo(held + mateo.balance, 2);

  await search(page).fill('wren');
  const wren = await userOf('wren');
  await row(page, 'Wren Okafor').getByRole('button', { name: 'Delete' }).click();
  await callOrThrow(bank, adminApi.deleteUser, { params: { id: wren._id }, token });
  await question.getByRole('button', { name: 'Delete User' }).click();
  await expect(page.getByRole('dialog')).toContainText('Error');
  await expect(page.getByRole('dialog')).toContainText(
    'The account of Wren Okafor was deleted, by you or someone else.',
  );
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await expect(row(page, 'Wren Okafor')).toHaveCount(0);
  expectErrors('404');
  await close();
});

test('the audit log shows who did what, is filtered by kind, action, days and person, and loads more pages [A-45]', async ({
  browser,
}) => {
  const hollis = await userOf('hollis');
  await callOrThrow(bank, adminApi.freeze, { params: { id: hollis._id }, body: { isFrozen: true }, token });
  const { page, expectErrors, close } = await enter(browser, '?view=audit');
  await expect(page.getByText('Newest 50 records shown')).toBeVisible();
  await expectAccessibleAndFitting(page);
  await page.getByRole('button', { name: 'Load more' }).click();
  await expect(page.getByText('Newest 100 records shown')).toBeVisible();
  const ids = await page.getByRole('row').count();
  expect(ids).toBe(101);
  await expect(page.getByText('Sealed').first()).toBeVisible();

  await page.getByLabel('Kind of actor').selectOption('admin');
  await page.getByLabel('Action').selectOption('customer.frozen');
  await expect(page).toHaveURL(/action=customer\.frozen/);
  await expect(row(page, 'Hollis Vane').first()).toContainText('Account frozen');
  await expect(row(page, 'Hollis Vane').first()).toContainText('Administrator');
  await expect(page.getByText(/^(1 record|All \d+ records shown)$/)).toBeVisible();
  await page.reload();
  await expect(row(page, 'Hollis Vane').first()).toContainText('Account frozen');

  await page.getByRole('button', { name: 'Hollis Vane' }).first().click();
  await expect(page).toHaveURL(new RegExp(`person=${hollis._id}`));
  await expect(page.getByText('Records about Hollis Vane')).toBeVisible();
  await page.getByLabel('To', { exact: true }).fill('2001-01-01');
  await expect(page.getByText('No records found')).toBeVisible();
  await page.getByRole('button', { name: 'Clear' }).first().click();
  await expect(page.getByText('Newest 50 records shown')).toBeVisible();
  expectErrors();
  await close();
});

test('on a phone the sidebar is a drawer that restores the focus, and its views fit and are accessible in both color schemes', async ({
  browser,
}) => {
  const { page, expectErrors, close } = await enter(browser, '', 'phone');
  const menu = page.getByRole('button', { name: 'Open menu' });
  await expect(page.getByRole('img', { name: /^Money moved by day/ })).toBeVisible();
  await expectAccessibleAndFitting(page);
  await menu.click();
  const drawer = page.getByRole('dialog', { name: 'Administration' });
  await expect(drawer).toBeVisible();
  await expectAccessibleAndFitting(page);
  await page.keyboard.press('Escape');
  await expect(drawer).toHaveCount(0);
  await expect(menu).toBeFocused();
  for (const view of [
    'Approvals',
    'ID Verifications',
    'Requests',
    'Messages',
    'Alerts',
    'Credit User',
    'Transactions',
    'Unclaimed balances',
    'Payment rail',
    'Day end',
    'Users',
    'Audit log',
    'Staff',
    'Your account',
  ]) {
    await menu.click();
    await drawer.getByRole('link', { name: view }).click();
    const title = page.getByRole('heading', { level: 1 });
    await expect(title).toHaveText(view);
    await expect(title).toBeFocused();
    await expect(
      page
        .getByRole('table')
        .or(page.locator('form'))
        .or(page.getByRole('heading', { level: 2 }))
        .first(),
    ).toBeVisible();
    await expectAccessibleAndFitting(page);
    if (!['Credit User', 'Your account'].includes(view)) {
      await page.emulateMedia({ media: 'print' });
      // Names in the audit log are buttons, and they are printed.
      const controls = page
        .locator('main :is(input, select, button:not(.AuditTable-name))')
        .filter({ visible: true });
      await expect(controls, view).toHaveCount(0);
      await page.emulateMedia({ media: null });
    }
    // A long label wraps, and its amount stays at the right.
    const rights = await page
      .locator('.DayEndView-left dd')
      .evaluateAll(amounts => amounts.map(amount => Math.round(amount.getBoundingClientRect().right)));
    expect(new Set(rights).size).toBe(view === 'Day end' ? 1 : 0);
  }
  expectErrors();
  await close();
});

/** Gives the window the focus again, which makes the panel fetch its counts at once. */
const returnTo = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event('focus')));

/** Runs `npm run admin --` on the running bank and returns what it prints. */
async function runAdminCommand(...args: string[]): Promise<string> {
  const env = { ...process.env, DATA_DIR: bank.dataDir };
  return (await promisify(execFile)(process.execPath, ['src/server/commands/admin.ts', ...args], { env }))
    .stdout;
}

/** Imports a sanctions list, as the bank's operator would. */
async function importSanctions(rows: string[]): Promise<void> {
  const file = join(bank.dataDir, 'list.csv');
  writeFileSync(file, ['id,name,aliases,date_of_birth,program', ...rows].join('\n'));
  await runAdminCommand('import-sanctions', file);
}

test('an auditor finds a former customer in the audit log by the account number, and reads the retained data with the ID document, also the verified one that was replaced [KY-41]', async ({
  browser,
}) => {
  const rhea = await newCustomer(bank, { firstName: 'Rhea', lastName: 'Holloway' });
  const form = new FormData();
  form.append('avatar', new Blob([readFileSync(specimen)], { type: 'image/webp' }), 'id.webp');
  const upload = { body: form, token: await sessionOf(rhea.email) };
  await callOrThrow(bank, settingsApi.uploadIdCard, upload);
  await callOrThrow(bank, adminApi.verifyId, { params: { id: rhea.id }, token });
  await callOrThrow(bank, settingsApi.uploadIdCard, upload);
  const { accountNumber } = await userOf(rhea.email);
  await callOrThrow(bank, adminApi.deleteUser, { params: { id: rhea.id }, token });
  const email = 'audrey@larkspur.example';
  const printed = await runAdminCommand('create', email, '--role', 'auditor');
  const password = /\n {2}(\S.*)\n/.exec(printed)![1]!;
  const auditor = await callOrThrow(bank, adminApi.adminLogin, { body: { email, password } });

  const phone = displays['on a phone in dark mode'];
  const { page, expectErrors, close } = await visit(browser, bank.url, phone, { admin: auditor });
  await page.goto('/admin/dashboard?view=audit');
  await page.getByRole('searchbox').fill(accountNumber);
  const button = page.getByRole('button', { name: /^Open retained data: Closed account/ });
  await expect(button).toHaveCount(1);
  await expectAccessibleAndFitting(page);
  await button.click();
  const question = page.getByRole('dialog', { name: 'Open retained data?' });
  await expect(question.getByRole('textbox', { name: 'Reason' })).toBeFocused();
  await question.getByRole('textbox', { name: 'Reason' }).fill('Court order of Nov 20');
  await expectAccessibleAndFitting(page);
  await question.getByRole('button', { name: 'Open retained data' }).click();
  const sheet = page.getByRole('dialog', { name: 'Retained data' });
  await expect(sheet).toContainText('Rhea Holloway');
  await expect(sheet).toContainText('Verified identity before the change on');
  const pictures = sheet.getByRole('img', { name: 'ID document' });
  await expect(pictures).toHaveCount(2);
  for (const picture of await pictures.all())
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
  await expectAccessibleAndFitting(page);
  await page.keyboard.press('Escape');
  await expect(button).toBeFocused();
  expectErrors();
  await close();
});

test('an operator’s day: more than thirty tasks in one session, from the invitation to the end of the day [A-01, SD-01, SD-02, SD-03, SD-04, SD-06, SD-07, SD-08, SD-12, SD-13, SD-17, SD-18, SD-19, SD-20, SD-21, SD-28, SD-30, SD-31, SD-32, RF-14, SX-04, SX-09, A-69]', async ({
  browser,
}) => {
  const { step } = test;
  const tove = { email: 'tove.asklund@larkspur.example', password: 'three herons by the weir' };
  const owner = await enter(browser, '?view=staff');
  await step('an owner invites an operator', async () => {
    await owner.page.getByRole('button', { name: 'Invite' }).click();
    const invitation = owner.page.getByRole('dialog', { name: 'Invite an administrator' });
    await expectAccessible(owner.page);
    await invitation.getByLabel('Name').fill('Tove Asklund');
    await invitation.getByLabel('Email').fill(tove.email);
    await invitation.getByLabel('Role').selectOption('operator');
    await invitation.getByRole('button', { name: 'Send invitation' }).click();
    await expect(owner.page.getByRole('dialog', { name: 'Success' })).toContainText(tove.email);
    await owner.page.keyboard.press('Escape');
    await expect(row(owner.page, 'Tove Asklund')).toContainText('Invited');
  });

  const { page, expectErrors, close } = await visit(browser, bank.url);
  const sidebar = page.getByRole('navigation', { name: 'Administration' });
  /** Opens a view through the sidebar, so that the page is loaded only once in the whole day. */
  const open = async (view: string) => {
    await sidebar.getByRole('link', { name: view }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(view);
  };
  const isDone = (text: string) => expect(page.getByRole('status').filter({ hasText: text })).toBeVisible();
  const closeNotice = () =>
    page.getByRole('dialog', { name: 'Success' }).getByRole('button', { name: 'Close' }).click();
  const openCommands = async (text: string) => {
    // Wait until the list of commands is loaded: otherwise, what is typed right after Ctrl K would be lost.
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({ name }) => /CommandList-.*js$/.test(name)),
    );
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search views, actions, and customers' }).fill(text);
  };
  const ines = await userOf(people.ines);
  await Promise.all([
    newCustomer(bank, { approved: false, firstName: 'Bram', lastName: 'Oduya' }),
    newCustomer(bank, { approved: false, firstName: 'Cleo', lastName: 'Marsh' }),
    newCustomer(bank, { approved: false, firstName: 'Dov', lastName: 'Marsh' }),
  ]);

  await step('1. sets the password with the link of the invitation', async () => {
    const link = await waitUntil('the mail with the link', waitLimitMs, async () => {
      const mails = await bank.mailsTo(tove.email);
      return mails.map(({ text }) => /\/admin\/set-password#\S+/.exec(text)?.[0]).find(Boolean);
    });
    await page.goto(link);
    await page.getByLabel('New password', { exact: true }).fill(tove.password);
    await page.getByLabel('New password again').fill(tove.password);
    await expectAccessibleAndFitting(page);
    await page.getByRole('button', { name: 'Set password' }).click();
  });
  await step('2. logs in', async () => {
    await page.getByRole('main').getByRole('link', { name: 'Log in' }).click();
    await page.getByLabel('Email').fill(tove.email);
    await page.getByLabel('Password').fill(tove.password);
    await page.locator('form').getByRole('button', { name: 'Login', exact: true }).click();
    await expect(sidebar).toContainText('Operator');
  });
  await step('3. reads what happened and what waits', async () => {
    await expect(page.getByRole('img', { name: /^Money moved by day/ })).toBeVisible();
    await expect(sidebar.getByRole('link', { name: /^Approvals \d+ waiting$/ })).toBeVisible();
  });
  await step('4. goes to the applications with the keyboard alone', async () => {
    await openCommands('appro');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Approvals');
  });
  await step('5. sees how long an application may still wait', async () => {
    await page.getByLabel('Sort by').selectOption('newest');
    await expect(row(page, 'Bram Oduya')).toContainText('Due within 48 hours');
  });
  const review = page.getByRole('dialog', { name: /^Application: / });
  await step('6. reads an application with its pictures', async () => {
    await page.getByRole('button', { name: 'Review Cleo Marsh' }).click();
    await expect(review.getByRole('img', { name: 'Profile image' })).toBeVisible();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Review Dov Marsh' }).click();
    await expect(review).toContainText('Date of birth');
    await page.keyboard.press('Escape');
  });
  await step('7. approves the applications that were read, with one press', async () => {
    await expect(page.getByRole('checkbox', { name: 'Select Bram Oduya' })).toHaveCount(0);
    await page.getByRole('checkbox', { name: 'Select Cleo Marsh' }).check();
    await page.getByRole('checkbox', { name: 'Select Dov Marsh' }).check();
    await expectAccessibleAndFitting(page);
    await page.getByRole('button', { name: 'Approve 2 selected' }).click();
    await expect(page.getByText('Dov Marsh: Account approved')).toBeVisible();
    await expect(row(page, 'Marsh')).toHaveCount(0);
  });
  await step('8. rejects an application with a reason', async () => {
    await page.getByRole('button', { name: 'Review Bram Oduya' }).click();
    await page.getByRole('button', { name: 'Reject', exact: true }).click();
    const rejection = page.getByRole('dialog', { name: 'Reject the application of Bram Oduya?' });
    await rejection.getByRole('button', { name: 'We couldn’t confirm your identity.' }).click();
    await expectAccessible(page);
    await rejection.getByRole('button', { name: 'Reject application' }).click();
    await isDone('Bram Oduya: ');
    await expect(row(page, 'Bram Oduya')).toHaveCount(0);
  });
  await step('9. decides whether an applicant is on the sanctions list', async () => {
    await importSanctions(['TEST-1,"KARST, Ivo",,1961,Test program']);
    await newCustomer(bank, { approved: false, firstName: 'Ivo', lastName: 'Karst' });
    await returnTo(page);
    await expect(sidebar.getByRole('link', { name: 'Screening 1 waiting' })).toBeVisible();
    // Lower than a laptop's 768 pixels, because an operator has fewer entries than an owner.
    await page.setViewportSize({ width: 1366, height: 700 });
    await expect(sidebar.getByRole('button', { name: 'Logout' })).toBeInViewport({ ratio: 1 });
    await page.setViewportSize(displays['on a desktop in light mode']);
    await open('Approvals');
    await page.getByPlaceholder('Search name, email, phone, or account').fill('karst');
    await expect(page.getByRole('link', { name: 'Possible sanctions match' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Approve Ivo Karst' })).toBeDisabled();
    await expectAccessibleAndFitting(page);
    await open('Screening');
    await expectAccessibleAndFitting(page);
    const review = page.getByRole('button', { name: 'Review the match of Ivo Karst' });
    const match = page.getByRole('dialog', { name: 'Match with the sanctions list' });
    for (const size of Object.values(narrowDisplays)) {
      await page.setViewportSize(size);
      await review.click();
      await expect(match.getByRole('heading')).toBeInViewport({ ratio: 1 });
      await expect(page.locator(':focus')).toBeInViewport();
      await page.keyboard.press('Escape');
      await expect(match).toHaveCount(0);
    }
    await page.setViewportSize(displays['on a desktop in light mode']);
    await review.click();
    await expectAccessibleAndFitting(page);
    await page.getByRole('button', { name: 'Not a match' }).click();
    const question = page.getByRole('dialog', { name: 'Is Ivo Karst someone else?' });
    await question.getByRole('button', { name: 'Only the name is similar.' }).click();
    await question.getByRole('button', { name: 'Not a match' }).click();
    await isDone('Ivo Karst: Decision saved');
    await expect(page.getByRole('status').filter({ hasText: 'Ivo Karst: ' })).toBeFocused();
  });
  await step('10. approves that applicant and opens the customer’s page', async () => {
    await open('Approvals');
    await page.getByPlaceholder('Search name, email, phone, or account').fill('karst');
    // The dialog opens low enough to show its button. Its facts arrive later and push the button out of the window.
    await page.setViewportSize({ width: 360, height: 640 });
    let arrive = () => {};
    const late = new Promise<void>(resolve => {
      arrive = resolve;
    });
    await page.route('**/admin/users/*/application', async route => {
      await late;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Review Ivo Karst' }).click();
    const application = page.getByRole('dialog', { name: 'Application: Ivo Karst' });
    await expect(application.getByRole('button', { name: 'Close' })).toBeFocused();
    arrive();
    await expect(application.getByText('Date of birth')).toBeAttached();
    await expect(page.locator(':focus')).toBeInViewport();
    await expect(application.getByRole('heading', { name: 'Application: Ivo Karst' })).toBeInViewport({
      ratio: 1,
    });
    await page.keyboard.press('Escape');
    await page.setViewportSize(displays['on a desktop in light mode']);
    await page.getByRole('button', { name: 'Approve Ivo Karst' }).click();
    await isDone('Ivo Karst: Account approved');
    await page.getByRole('status').getByRole('link', { name: 'Ivo Karst' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ivo Karst');
  });
  const document = await newCustomer(bank, { firstName: 'Edda', lastName: 'Quill' });
  await step('11. asks for a better ID document', async () => {
    const form = new FormData();
    form.append('avatar', new Blob([readFileSync(specimen)], { type: 'image/webp' }), 'id.webp');
    await callOrThrow(bank, settingsApi.uploadIdCard, { body: form, token: await sessionOf(document.email) });
    await open('ID Verifications');
    await page.getByPlaceholder('Search name, email, phone, or account').fill('edda');
    await page.getByRole('button', { name: 'Verify ID of Edda Quill' }).click();
    await page.getByRole('button', { name: 'Rotate ID document' }).click();
    await page.getByRole('button', { name: 'Ask for a better document' }).click();
    await page.getByRole('button', { name: 'The picture is blurred.' }).click();
    await page.getByRole('button', { name: 'Ask for a document' }).click();
    await isDone('Edda Quill: ');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });
  await step('12. finds a customer by phone number', async () => {
    await open('Users');
    // Opening a view moves the focus to its heading. Wait for that, so that it does not happen after the key is pressed.
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await page.keyboard.press('/');
    await expect(search(page)).toBeFocused();
    await search(page).fill(formatPhone(ines.phoneNumber));
    await expect(row(page, 'Ines Caldeira')).toBeVisible();
  });
  await step('13. finds a customer by street', async () => {
    await search(page).fill(ines.address);
    await expect(row(page, 'Ines Caldeira')).toBeVisible();
    await search(page).fill('');
  });
  await step('14. filters the customers and saves the filters', async () => {
    await page.getByLabel('State', { exact: true }).selectOption('frozen');
    await page.getByLabel('Sort by').selectOption('balance-down');
    await page.getByRole('button', { name: 'Save these filters' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Frozen');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByRole('link', { name: 'Frozen', exact: true })).toHaveAttribute(
      'aria-current',
      'true',
    );
    await expectAccessibleAndFitting(page);
  });
  await step('15. saves the list as a file', async () => {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    expect((await download).suggestedFilename()).toMatch(/customers-.*\.csv$/);
  });
  await step('16. opens the page of a customer with the keyboard alone', async () => {
    await openCommands('caldeira');
    await expect(page.getByRole('option', { name: /Ines Caldeira/ })).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ines Caldeira');
    await expectAccessibleAndFitting(page);
  });
  await step('17. reads the customer’s transactions, and one of them in full', async () => {
    await callOrThrow(bank, adminApi.credit, {
      body: { userAccountNumber: ines.accountNumber, amount: 12, description: 'Twice by mistake' },
      headers: { 'Idempotency-Key': 'twice-by-mistake' },
      token,
    });
    await page.getByRole('tab', { name: 'Transactions' }).click();
    await row(page, '$12.00').first().getByRole('link', { name: /^LB-/ }).click();
    await expect(page.getByRole('dialog')).toContainText('Twice by mistake');
  });
  let reference = '';
  await step('18. reverses a credit', async () => {
    reference = /LB-\w{4}-\w{4}-\w{4}/.exec(await page.getByRole('dialog').innerText())![0];
    await page.getByRole('button', { name: 'Reverse' }).click();
    const question = page.getByRole('dialog', { name: 'Reverse this transaction?' });
    await question.getByRole('textbox', { name: 'Reason' }).fill('Made twice.');
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Reverse' }).click();
    await closeNotice();
    await expect(page.getByText('Reversed by', { exact: true })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect.poll(async () => (await userOf(people.ines)).balance).toBeCloseTo(ines.balance, 2);
  });
  await step('19. freezes an account with a reason', async () => {
    await openCommands('caldeira');
    await expect(page.getByRole('option', { name: /Ines Caldeira/ })).toBeVisible();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Freeze account' }).click();
    const freezing = page.getByRole('dialog', { name: 'Freeze the account of Ines Caldeira?' });
    await freezing.getByRole('textbox', { name: /^Reason/ }).fill('Asked by phone.');
    await freezing.getByRole('button', { name: 'Freeze account' }).click();
    await closeNotice();
  });
  await step('20. unfreezes that account', async () => {
    await page.getByRole('button', { name: 'Unfreeze account' }).click();
    const question = page.getByRole('dialog', { name: 'Unfreeze the account of Ines Caldeira?' });
    await question.getByRole('button', { name: 'Unfreeze account' }).click();
    await closeNotice();
    await expect(page.getByRole('button', { name: 'Freeze account', exact: true })).toBeVisible();
  });
  await step('21. writes a note', async () => {
    await page.getByRole('tab', { name: 'Notes' }).click();
    await page.getByLabel('New note').fill('Asked about the second credit on the phone.');
    await page.getByRole('button', { name: 'Save note' }).click();
    await expect(page.getByRole('list', { name: 'Notes' })).toContainText('Tove Asklund');
    await expectAccessibleAndFitting(page);
  });
  const panel = page.getByRole('tabpanel');
  const openPart = async (name: string) => {
    await page.getByRole('tab', { name }).click();
    await expect(
      panel
        .getByRole('table')
        .or(panel.getByRole('heading', { level: 3 }))
        .first(),
    ).toBeVisible();
    await expectAccessibleAndFitting(page);
  };
  await step('22. sees where the customer is logged in', () => openPart('Sessions'));
  await step('23. sends an email again', async () => {
    await openPart('Emails');
    await panel
      .getByRole('button', { name: /^Send again/ })
      .first()
      .click();
    await expect(page.getByText('We sent the email again.')).toBeVisible();
  });
  await step('24. reads who did what with the account, and why', async () => {
    await openPart('History');
    await expect(panel).toContainText('Asked by phone.');
  });
  await step('25. finds a transaction by its reference', async () => {
    await open('Transactions');
    await page.getByRole('searchbox').fill(reference);
    await expect(row(page, reference).first()).toBeVisible();
  });
  await step('26. finds the transaction by part of its reference', async () => {
    await page.getByRole('searchbox').fill(reference.slice(0, 12));
    await expect(row(page, reference).first()).toBeVisible();
    // The search for the whole reference had found the same row, so wait for the new search in the URL.
    await expect(page).toHaveURL(new RegExp(`search=${reference.slice(0, 12)}(&|$)`));
  });
  await step('27. asks for a large credit, which waits for a second person', async () => {
    await open('Credit User');
    await page.getByLabel('Account Number').fill(ines.accountNumber);
    await page.getByLabel(/^Amount/).fill('150000');
    await page.getByLabel('Description').fill('Sale of the house');
    await page.locator('form').getByRole('button', { name: 'Credit User' }).click();
    const waiting = page.getByRole('dialog', { name: 'Waiting for a second person' });
    await expectAccessible(page);
    await waiting.getByRole('link', { name: 'View request' }).click();
    const asked = page.getByRole('dialog', { name: 'Credit Ines Caldeira' });
    await expect(asked).toContainText('You made this request.');
    await expect(asked.getByRole('button', { name: 'Approve' })).toHaveCount(0);
    await page.keyboard.press('Escape');
  });
  await step('28. an owner compares before and after, and approves the credit', async () => {
    await returnTo(owner.page);
    await owner.page.getByRole('link', { name: 'Requests 1 waiting' }).click();
    await owner.page.getByRole('link', { name: 'Credit Ines Caldeira' }).click();
    const request = owner.page.getByRole('dialog', { name: 'Credit Ines Caldeira' });
    await expect(request).toContainText('Tove Asklund');
    await expect(request).toContainText('Before and after');
    await expectAccessibleAndFitting(owner.page);
    await request.getByRole('button', { name: 'Approve' }).click();
    await expect(request).toContainText('Request approved and carried out');
    await expect.poll(async () => (await userOf(people.ines)).balance).toBeCloseTo(ines.balance + 150_000, 2);
    await expect(owner.page.locator('tbody tr', { hasText: 'Credit Ines Caldeira' })).toHaveCount(0);
    await owner.page.keyboard.press('Escape');
    // The request has left the list.
    await expect(owner.page.getByRole('heading', { level: 1 })).toBeFocused();
  });
  await step('29. an owner searches the audit log for the reason', async () => {
    await owner.page.getByRole('link', { name: 'Audit log' }).click();
    await owner.page.getByRole('searchbox').fill('asked by phone');
    await expect(row(owner.page, 'Account frozen').first()).toContainText('Ines Caldeira');
    await expectAccessibleAndFitting(owner.page);
  });
  await step('30. answers a message from the contact page', async () => {
    const body = {
      name: 'Wilma Krol',
      email: 'wilma@mail.example',
      subject: 'A card that works in every country I travel to, and what it costs at home and abroad',
      message: 'Do you have one?',
    };
    await callOrThrow(bank, contactApi.sendMessage, { body });
    await open('Messages');
    // Next to a long subject, the email address still fits on one line.
    expect((await page.getByText(body.email).boundingBox())!.height).toBeLessThan(25);
    await page.getByRole('link', { name: 'A card' }).click({ timeout: waitLimitMs });
    const message = page.getByRole('dialog', { name: 'A card' });
    await message.getByRole('textbox', { name: 'Answer' }).fill('Not yet.');
    await expectAccessibleAndFitting(page);
    await message.getByRole('button', { name: 'Send and close' }).click();
    await expect(message.getByRole('list', { name: 'Answers' })).toContainText('Not yet.');
    await page.keyboard.press('Escape');
  });
  await step('31. approves an owner’s request to delete a customer with money', async () => {
    const leaving = await newCustomer(bank, { firstName: 'Gil', lastName: 'Penn' });
    await fund(leaving.email, 40);
    await callOrThrow(bank, adminApi.deleteUser, { params: { id: leaving.id }, token });
    await open('Requests');
    await returnTo(page);
    await page.getByRole('link', { name: 'Delete Gil Penn' }).click();
    const request = page.getByRole('dialog', { name: /^Delete / });
    await request.getByRole('button', { name: 'Approve' }).click();
    await expect(request).toContainText('Request approved and carried out');
    await page.keyboard.press('Escape');
  });
  await step('32. pays the unclaimed balance to another customer', async () => {
    await open('Unclaimed balances');
    await page.getByRole('button', { name: /^Pay out \$40\.00/ }).click();
    const payout = page.getByRole('dialog', { name: 'Pay out $40.00' });
    await payout.getByText('A customer', { exact: true }).click();
    await payout.getByLabel('Account Number').fill((await userOf(document.email)).accountNumber);
    await payout.getByLabel('Reason').fill('The former customer asked for it.');
    await expectAccessible(page);
    await payout.getByRole('button', { name: 'Pay out' }).click();
    await closeNotice();
    expect((await userOf(document.email)).balance).toBe(40);
  });
  const hal = await newCustomer(bank, { firstName: 'Hal', lastName: 'Roe' });
  const halsToken = await sessionOf(hal.email);
  await step('33. closes an alert about a payment', async () => {
    await fund(hal.email, 5000);
    const { accountNumber: receiverAccountNumber } = await userOf(document.email);
    await callOrThrow(bank, transferApi.sendInternal, {
      body: { receiverAccountNumber, amount: 4000, description: '' },
      token: halsToken,
    });
    await waitUntil('the alert', waitLimitMs, async () => {
      const { alerts } = await callOrThrow(bank, alertsApi.alerts, { query: { customer: hal.id }, token });
      return alerts.length > 0 || undefined;
    });
    await open('Alerts');
    await returnTo(page);
    const alert = row(page, 'Hal Roe');
    await alert.getByRole('button', { name: /^Assign to me/ }).click();
    await isDone('The alert is assigned to you.');
    await page.getByRole('link', { name: 'View assigned alerts' }).click();
    await expect(alert).toContainText('Tove Asklund');
    await alert.getByRole('button', { name: /^Close/ }).click();
    const question = page.getByRole('dialog', { name: 'Close this alert?' });
    await question.getByRole('textbox', { name: 'Reason' }).fill('A car. The seller confirmed it.');
    await question.getByRole('button', { name: 'Close' }).click();
    await isDone('Alert closed');
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  });
  await step('34. proves the books at the end of the day', async () => {
    await open('Day end');
    await page.getByRole('button', { name: 'Prove the books' }).click();
    const proof = page.getByRole('region', { name: 'Proof of the books' });
    await expect(proof).toContainText('Tove Asklund');
    await expect(proof).toContainText('The books are true', { timeout: waitLimitMs });
    await expectAccessibleAndFitting(page);
  });
  await step('35. returns a payment that a freeze holds', async () => {
    const payee = { bankName: 'First Harbour', accountName: 'Ola Berg', accountNumber: '40218836117' };
    const payment = await callOrThrow(bank, transferApi.sendExternal, {
      body: { ...payee, amount: 80, description: '' },
      token: halsToken,
    });
    await callOrThrow(bank, adminApi.freeze, { params: { id: hal.id }, body: { isFrozen: true }, token });
    await open('Transactions');
    await page.getByRole('searchbox').fill(payment.reference);
    await expect(page.getByText('(1 total transactions)')).toBeVisible();
    await page.getByRole('link', { name: payment.reference }).click();
    await expect(page.getByText('This payment is held')).toBeVisible();
    await page.getByRole('button', { name: 'Return payment' }).click();
    const question = page.getByRole('dialog', { name: 'Return this payment?' });
    await question.getByRole('button', { name: 'Return payment' }).click();
    await closeNotice();
    await expect(page.getByRole('dialog', { name: 'Transaction' })).toContainText('Returned');
    await page.keyboard.press('Escape');
    expect((await userOf(hal.email)).balance).toBe(1000);
  });
  await step('36. resolves a line of another bank’s file that matches no payment', async () => {
    const madeAt = new Date();
    const route = { from: sandboxRouting, to: constants.routingNumber };
    const head = { id: randomUUID(), madeAt, settlesOn: calendarDay(madeAt), ...route };
    const { name, content } = writeNotice(head, [{ amountCents: 12_345n, transactionId: randomUUID() }]);
    const folder = join(bank.dataDir, 'rail/in');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), content);
    await waitUntil('the exception', waitLimitMs, async () => {
      const { open: waiting } = await callOrThrow(bank, railApi.railExceptions, { token });
      return waiting > 0 || undefined;
    });
    await open('Payment rail');
    await returnTo(page);
    const exception = row(page, '$123.45');
    await expect(exception).toContainText('No payment has this ID');
    await exception.getByRole('button', { name: /^Resolve/ }).click();
    const question = page.getByRole('dialog', { name: 'Resolve this exception?' });
    await question.getByRole('textbox', { name: 'Reason' }).fill('Sent to us by mistake.');
    await question.getByRole('button', { name: 'Resolve' }).click();
    await isDone('Exception resolved');
    await expect(exception).toHaveCount(0);
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  });
  await step('37. requests the removal of a customer’s second factors, and cancels the request', async () => {
    const { secret } = await callOrThrow(bank, factorsApi.startApp, { token: halsToken });
    await callOrThrow(bank, factorsApi.confirmApp, { body: { code: appCode(secret) }, token: halsToken });
    await openCommands(hal.email);
    await expect(page.getByRole('option', { name: /Hal Roe/ })).toBeVisible();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove second factors' }).click();
    const question = page.getByRole('dialog', { name: 'Remove the second factors of Hal Roe?' });
    await question.getByRole('textbox', { name: 'Reason' }).fill('Lost the phone. Came with a passport.');
    await question.getByRole('button', { name: 'Remove second factors' }).click();
    await expect(page.getByText(/^The second factors will be removed on /)).toBeVisible();
    await page.getByRole('button', { name: 'Cancel the removal' }).click();
    await expect(page.getByRole('button', { name: 'Remove second factors' })).toBeVisible();
  });
  await step('38. asks for a new email of a customer, which an owner approves', async () => {
    await page.getByRole('button', { name: 'Change name or email' }).click();
    const form = page.getByRole('dialog', { name: 'Change name or email' });
    await form.getByLabel('Email').fill('hal.roe@new.example');
    await form.getByLabel('Proof').fill('Passport seen at the branch.');
    await form.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByRole('dialog', { name: 'Waiting for a second person' })).toBeVisible();
    await page.keyboard.press('Escape');
    await owner.page.getByRole('link', { name: 'Requests' }).click();
    await returnTo(owner.page);
    await owner.page.getByRole('link', { name: 'Change the email of Hal Roe' }).click();
    const request = owner.page.getByRole('dialog', { name: 'Change the email of Hal Roe' });
    await expect(request).toContainText('hal.roe@new.example');
    await request.getByRole('button', { name: 'Approve' }).click();
    await expect(request).toContainText('Request approved and carried out');
    expect((await userOf('hal.roe@new.example'))._id).toBe(hal.id);
  });
  await step('and logs out with the list of commands', async () => {
    await openCommands('logout');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/admin\/login$/);
  });
  owner.expectErrors();
  await owner.close();
  expectErrors();
  await close();
});

test('a customer is not an administrator: the credit and the audit log refuse a customer’s session [RO-09]', async () => {
  const session = await sessionOf(people.ines);
  expect((await callAt(bank.url, transactionsApi.balance, { token: session })).status).toBe(200);
  const body = {
    userAccountNumber: (await userOf(people.ines)).accountNumber,
    amount: 1,
    description: 'Mine',
  };
  expect((await callAt(bank.url, adminApi.credit, { body, token: session })).status).toBe(403);
  expect((await callAt(bank.url, adminApi.auditLog, { token: session })).status).toBe(403);
});
