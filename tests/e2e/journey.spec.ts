/**
 * The main journey in a real browser on a real server: a visitor registers, is approved and credited, logs in with keypad and
 * mailed code, and sends money that the other customer sees. Also verifies the books, and opens the administration of an empty
 * bank.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, expect, type Page, test } from '@playwright/test';
import { adminApi } from '#contract/admin.ts';
import { admin, startBankForFile } from './bank.ts';
import { adminSession } from './customers.ts';
import { stopClock, visit } from './visit.ts';
import { collectErrors, expectAccessible, expectAccessibleAndFitting } from './watch.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const portrait = join(root, 'src/server/demo/portraits/ines.webp');
const password = '80412975';

const bank = startBankForFile();

const widths = { desktop: { width: 1440, height: 900 }, phone: { width: 360, height: 780 } };

async function open(browser: Browser, size: keyof typeof widths, colorScheme: 'light' | 'dark') {
  const context = await browser.newContext({ viewport: widths[size], colorScheme, baseURL: bank.url });
  const page = await context.newPage();
  return { page, expectErrors: collectErrors(page), close: () => context.close() };
}

async function register(page: Page, firstName: string, email: string): Promise<void> {
  await page.goto('/register');
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(page.getByText(/Please fill in all required fields/).first()).toBeVisible();
  await page.getByLabel('First name').fill(firstName);
  await page.getByLabel('Last name').fill('Quist');
  await page.getByText('Female', { exact: true }).click();
  await page.getByLabel('Address', { exact: true }).fill('4 Meadow Row');
  await page.getByLabel('Region').fill('New York');
  await page.getByLabel('ZIP code').fill('10014');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Phone number').fill('2125550147');
  for (const digit of password) await page.getByRole('button', { name: digit, exact: true }).click();
  await page.locator('input[type=file]').first().setInputFiles(portrait);
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(
    page.getByText('Registration successful! Your account will be approved within 24-48 hours.'),
  ).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull();
}

/** Logs in a customer and leaves the page's clock stopped, so that the notice stays and does not redirect. */
async function logIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  for (const digit of password) await page.getByRole('button', { name: digit, exact: true }).click();
  await page.getByRole('button', { name: 'Login', exact: true }).last().click();
  await expect(page.getByLabel('Digit 1 of 6')).toBeVisible();
  await expect(page.getByText(/Resend OTP in \d+s/)).toBeVisible();
  const code = await bank.newCode(email);
  await page.getByLabel('Digit 1 of 6').focus();
  await page.keyboard.type(code);
  await stopClock(page);
  await page.getByRole('button', { name: 'Verify OTP' }).click();
}

/** Fetches from the API with an administrator's token, to compare with the screens. */
async function fetchAsAdmin(path: string, token: string): Promise<{ data: never }> {
  const response = await fetch(`${bank.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  return (await response.json()) as { data: never };
}

async function storedBalance(email: string): Promise<number> {
  const login = await fetch(`${bank.url}${adminApi.adminLogin.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(admin),
  });
  const { data } = (await login.json()) as { data: { token: string } };
  const found = (await fetchAsAdmin(
    `${adminApi.users.path}?search=${encodeURIComponent(email)}`,
    data.token,
  )) as unknown as {
    data: { users: { balance: number; accountNumber: string }[] };
  };
  return found.data.users[0]!.balance;
}

test('in an empty bank, the dashboard and four lists of the administration say that they are empty [A-11, A-23]', async ({
  browser,
}) => {
  const { page, expectErrors, close } = await visit(browser, bank.url, undefined, {
    admin: await adminSession(bank),
  });
  await page.goto('/admin/dashboard');
  const sidebar = page.getByRole('navigation', { name: 'Administration' });
  await expect(page.getByText('No money moved in the last 90 days.')).toBeVisible();
  await expectAccessibleAndFitting(page);
  for (const [view, text] of [
    ['Approvals', 'No pending approvals'],
    ['ID Verifications', 'No pending ID verifications'],
    ['Transactions', 'No transactions found'],
    ['Users', 'No users found'],
  ] as const) {
    await sidebar.getByRole('link', { name: view }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(view);
    await expect(page.getByText(text)).toBeVisible();
  }
  await expect(page.getByText('Page 1 of 1')).toBeVisible();
  await sidebar.getByRole('link', { name: 'Transactions' }).click();
  await expect(page.getByText('Page 1 of 1 (0 total transactions)')).toBeVisible();
  expectErrors();
  await close();
});

test('a visitor registers, is approved and credited, logs in and sends money that the other customer sees [RC-05]', async ({
  browser,
}) => {
  const nora = { email: 'nora@quist.example', firstName: 'Nora' };
  const olaf = { email: 'olaf@quist.example', firstName: 'Olaf' };

  const desktop = await open(browser, 'desktop', 'light');
  const phone = await open(browser, 'phone', 'dark');
  const office = await open(browser, 'desktop', 'dark');

  await test.step('two visitors register', async () => {
    await register(desktop.page, nora.firstName, nora.email);
    await desktop.page.getByRole('button', { name: 'Proceed to Login' }).click();
    await expect(desktop.page.getByText('Registration successful! Please login to continue.')).toBeVisible();
    await register(phone.page, olaf.firstName, olaf.email);
  });

  await test.step('a customer who is not approved yet sees the warning after the code', async () => {
    await logIn(desktop.page, nora.email);
    await expect(desktop.page.getByText('Account Pending').first()).toBeVisible();
    await desktop.page.clock.resume();
  });

  const numbers = new Map<string, string>();
  await test.step('an administrator approves both and credits one of them', async () => {
    const { page } = office;
    await page.goto('/admin');
    await expect(page).toHaveURL(/\/admin\/login/);
    await page.getByLabel('Email').fill(admin.email);
    await page.getByLabel('Password').fill('not the password');
    await stopClock(page);
    await page.getByRole('button', { name: 'Login', exact: true }).last().click();
    await expect(page.getByText('Invalid email or password')).toBeVisible();
    await page.clock.resume();
    await page.getByLabel('Password').fill(admin.password);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Login', exact: true }).last().click();
    await expect(page).toHaveURL(/\/admin\/dashboard/);
    await page
      .getByRole('link', { name: /Approvals/ })
      .first()
      .click();
    for (const { firstName } of [nora, olaf]) {
      const row = page.getByRole('row').filter({ hasText: `${firstName} Quist` });
      const number = /\d{4}\s?\d{4}\s?\d{4}/.exec(await row.innerText())?.[0].replace(/\D/g, '') ?? '';
      expect(number).toMatch(/^\d{12}$/);
      numbers.set(firstName, number);
      await row.getByRole('button', { name: /Approve/ }).click();
      await expect(row).toHaveCount(0);
    }
    await expectAccessible(page);
    await page
      .getByRole('link', { name: /Credit User/ })
      .first()
      .click();
    await page.getByLabel('Account Number').fill(numbers.get('Nora')!);
    await page.getByLabel(/Amount/).fill('1250.50');
    await page.getByLabel('Description').fill('Opening gift');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Credit User' }).click();
    await expect(page.getByText('Success!')).toBeVisible();
    await expect(
      page.getByText(`Successfully credited $1,250.50 to account ${numbers.get('Nora')}`),
    ).toBeVisible();
    await page.getByRole('button', { name: 'Close' }).first().click();
    expect(await storedBalance(nora.email)).toBe(1250.5);
  });

  await test.step('the credited customer logs in, sees the name of the other customer and sends money', async () => {
    const { page } = desktop;
    await page.evaluate(() => localStorage.clear());
    await page.goto('/login');
    await logIn(page, nora.email);
    await expect(page.getByText('Login successful! Redirecting to dashboard...')).toBeVisible();
    await page.clock.resume();
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(page.getByText('Welcome, Nora')).toBeVisible();
    await expectAccessible(page);
    const stored = await page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? '{}') as object);
    expect(Object.keys(stored).sort()).toEqual([
      '_id',
      'accountNumber',
      'avatar',
      'email',
      'firstName',
      'isApproved',
      'lastName',
      'token',
    ]);

    await page.getByRole('link', { name: 'Transfer', exact: true }).first().click();
    const receiver = page.getByLabel('Receiver’s account number');
    await receiver.fill(numbers.get('Olaf')!);
    await expect(page.getByText('Olaf Quist').first()).toBeVisible();
    await page.getByLabel('Amount', { exact: true }).fill('2000');
    await page.getByRole('button', { name: 'Send Money' }).click();
    await expect(page.getByText('Insufficient balance').first()).toBeVisible();
    await page.getByLabel('Amount', { exact: true }).fill('200.25');
    await page.getByLabel(/Description/).fill('For the boat');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Send Money' }).click();
    await expect(page.getByText('Transfer Successful')).toBeVisible();
    await expect(page.getByText('Your transfer has been completed successfully.')).toBeVisible();
    await expect(page.getByText('$200.25').first()).toBeVisible();
    await expectAccessible(page);
    expect(await storedBalance(nora.email)).toBe(1050.25);
    expect(await storedBalance(olaf.email)).toBe(200.25);
  });

  await test.step('the other customer logs in on a phone and sees the money', async () => {
    const { page } = phone;
    await page.goto('/login');
    await logIn(page, olaf.email);
    await page.clock.resume();
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(page.getByText('Money Received').first()).toBeVisible();
    await expect(page.getByText('From: Nora Quist').first()).toBeVisible();
    await expect(page.getByText('+$200.25').first()).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Transactions', exact: true }).first().click();
    await expect(page.getByText('For the boat').first()).toBeVisible();
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  });

  await test.step('the books have no faults, and no page had an error', async () => {
    const verified = spawnSync(process.execPath, ['src/server/commands/ledger.ts', 'verify'], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, DATA_DIR: bank.dataDir },
    });
    expect(verified.stdout).toContain('The books are true.');
    for (const { expectErrors, close } of [desktop, phone]) {
      expectErrors();
      await close();
    }
    // The browser logs the 401 for the wrong password.
    office.expectErrors('Failed to load resource: the server responded with a status of 401');
    await office.close();
  });
});
