/** The frame around every screen: which address opens which, for whom, and what of the bar and the footer stands there. */
import { expect, type Page, test } from '@playwright/test';
import * as adminMessages from '#contract/messages/admin.ts';
import * as navMessages from '#contract/messages/nav.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { bankOfFile } from './bank.ts';
import { adminSession, logInByCalls, newCustomer } from './customers.ts';
import { holdLine, visit } from './visit.ts';

const bank = bankOfFile();

const footer = (page: Page) => page.locator('.Footer');
const wayUp = (page: Page) => page.getByRole('link', { name: 'Back to top' });

/** A visit that expects to be shown one screen at an address, and to stay there. */
async function expectScreen(page: Page, address: string, heading: string | RegExp): Promise<void> {
  await page.goto(address);
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
  await expect(page.locator('header.TopBar')).toBeVisible();
  expect(new URL(page.url()).pathname).toBe(address);
}

async function expectSteppedBack(page: Page): Promise<void> {
  await expect(page.locator('header.TopBar')).toHaveClass(/TopBar--slim/);
  await expect(footer(page)).toHaveCount(0);
  await expect(wayUp(page)).toHaveCount(0);
}

test('a visitor finds every door at its address [R-06, R-07, R-08, R-16, R-26, RO-01]', async ({
  browser,
}) => {
  const { page, expectQuiet, close } = await visit(browser, bank.url);
  for (const [address, heading] of [
    ['/login', 'Welcome back'],
    ['/register', 'Open an account'],
    ['/forgot-password', 'A new password'],
  ] as const) {
    // Finished pages: the heading is there before any script.
    expect(await (await page.request.get(address)).text()).toContain(`>${heading}</h1>`);
    await expectScreen(page, address, heading);
    await expect(page.locator('header.TopBar')).not.toHaveClass(/TopBar--slim/);
    await expect(footer(page)).toBeVisible();
    await expect(wayUp(page)).toBeVisible();
  }
  await expectScreen(page, '/admin/login', adminMessages.loginTitle);
  await expectSteppedBack(page);
  expectQuiet();
  await close();
});

test('a customer finds every banking screen at its address, under the slim bar and the shell’s own header, without footer [R-09, R-10, R-12, R-13, R-14, R-15, R-27, R-28, R-29, RO-02]', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank);
  const user = await logInByCalls(bank, email);
  const { page, expectQuiet, close } = await visit(browser, bank.url, undefined, { user });
  for (const [address, heading] of [
    ['/dashboard', /Iris/],
    ['/dashboard/transfer', transferMessages.title],
    ['/dashboard/transactions', navMessages.transactions],
    ['/dashboard/settings', navMessages.settings],
    ['/transfer', transferMessages.title],
  ] as const) {
    await expectScreen(page, address, heading);
    await expectSteppedBack(page);
    const bar = (await page.locator('header.TopBar').boundingBox())!;
    const header = (await page.locator('.ShellHeader').boundingBox())!;
    expect(header.y).toBeGreaterThanOrEqual(bar.y + bar.height);
  }
  expectQuiet();
  await close();
});

test('an administrator finds the panel at both addresses, and nobody else does [R-17, R-18, R-27, R-28, R-29]', async ({
  browser,
}) => {
  const stranger = await visit(browser, bank.url);
  for (const address of ['/admin', '/admin/dashboard']) {
    await stranger.page.goto(address);
    await expect(stranger.page).toHaveURL(`${bank.url}/admin/login`);
  }
  stranger.expectQuiet();
  await stranger.close();
  const { page, expectQuiet, close } = await visit(browser, bank.url, undefined, {
    admin: await adminSession(bank),
  });
  for (const address of ['/admin', '/admin/dashboard']) {
    await expectScreen(page, address, adminMessages.dashboard);
    await expectSteppedBack(page);
  }
  expectQuiet();
  await close();
});

test('a public page knows who is logged in without fetching what only a bank needs, and follows another tab [R-31, R-32]', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank);
  const user = await logInByCalls(bank, email);
  const { page, context, expectQuiet, close } = await visit(browser, bank.url);
  const asked: string[] = [];
  page.on('request', request => asked.push(request.url()));
  await page.goto('/about');
  await expect(page.getByRole('link', { name: 'Login', exact: true })).toBeVisible();
  await expect(page.locator('.Visitor[data-only]')).toHaveCount(0);
  const onlyBanks = () =>
    new Set(asked.map(address => /assets\/(store|pageStore|api)-/.exec(address)?.[1]).filter(Boolean));
  expect(onlyBanks()).toEqual(new Set());

  const other = await context.newPage();
  await other.goto('/coverage');
  await other.evaluate(text => localStorage.setItem('user', text), JSON.stringify(user));
  const bar = page.locator('header.TopBar');
  await expect(bar.getByRole('link', { name: 'Dashboard' })).toBeVisible();
  await expect(bar.getByRole('link', { name: 'Login' })).toHaveCount(0);
  await bar.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(`${bank.url}/login`);
  expect(await other.evaluate(() => localStorage.getItem('user'))).toBeNull();
  // The same three by name, so that the test fails too when they are called something else.
  await expect.poll(onlyBanks).toEqual(new Set(['store', 'pageStore', 'api']));
  expectQuiet();
  await close();
});

test('whoever presses Logout before the page is alive is logged out when it is', async ({ browser }) => {
  const { email } = await newCustomer(bank);
  const user = await logInByCalls(bank, email);
  const { page, close } = await visit(browser, bank.url, undefined, { user });
  const line = await holdLine(page, '**/assets/index-*.js');
  await page.goto('/about');
  await page.locator('header.TopBar').getByRole('button', { name: 'Logout' }).click();
  await line.letGo();
  await page.waitForURL(`${bank.url}/login`);
  expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull();
  await close();
});

test('whoever presses Logout is logged out, even where the way out cannot be fetched', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank);
  const user = await logInByCalls(bank, email);
  const { page, close } = await visit(browser, bank.url, undefined, { user });
  await page.route('**/assets/pageStore-*', route => route.abort());
  await page.goto('/about');
  await page.locator('header.TopBar').getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL(`${bank.url}/login`);
  expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull();
  await close();
});

test('a session whose watch does not come is watched as soon as it comes, and is ended where it never does', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank);
  const user = await logInByCalls(bank, email);
  const { page, context, close } = await visit(browser, bank.url, undefined, { user });
  const dashboard = page.locator('header.TopBar').getByRole('link', { name: 'Dashboard' });
  const lastAction = () => page.evaluate(() => localStorage.getItem('lastAction'));
  let refusals = 0;
  await context.clock.install();
  await page.route('**/assets/pageStore-*', async route => {
    refusals++;
    await route.abort();
  });
  await page.goto('/about');
  await expect.poll(() => refusals).toBeGreaterThan(0);
  await expect(dashboard).toBeVisible();
  expect(await lastAction()).toBeNull();
  await page.unroute('**/assets/pageStore-*');
  await context.clock.fastForward(3_000);
  await expect.poll(lastAction).not.toBeNull();

  await page.route('**/assets/pageStore-*', route => route.abort());
  await page.reload();
  await expect(dashboard).toBeVisible();
  await expect
    .poll(async () => {
      await context.clock.fastForward(3_000);
      return page.evaluate(() => localStorage.getItem('user'));
    })
    .toBeNull();
  await expect(dashboard).toHaveCount(0);
  await close();
});

test('while a screen is on its way, an overlay over the whole page says so [H-26]', async ({ browser }) => {
  const { page, expectQuiet, close } = await visit(browser, bank.url);
  await page.goto('/terms-and-conditions');
  const line = await holdLine(page, '**/assets/AboutScreen-*.js');
  await page.locator('header.TopBar').getByRole('link', { name: 'About', exact: true }).click();
  const overlay = page.locator('.WaitOverlay > *');
  await expect(overlay).toHaveText('Please wait');
  const { width, height } = page.viewportSize()!;
  expect(await overlay.boundingBox()).toEqual({ x: 0, y: 0, width, height });
  await line.letGo();
  await expect(page).toHaveURL(`${bank.url}/about`);
  await expect(overlay).toHaveCount(0);
  expectQuiet();
  await close();
});

test('a script that is not the one the bank built is not run', async ({ browser }) => {
  const { page, close } = await visit(browser, bank.url);
  await page.route('**/assets/index-*.js', async route => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: `document.title = 'Changed';${await answer.text()}` });
  });
  const refused = page.waitForEvent('console', message => message.text().includes('integrity'));
  await page.goto('/dashboard');
  await refused;
  await expect(page).toHaveTitle('Larkspur Bank');
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(0);
  await close();
});
