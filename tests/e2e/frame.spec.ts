/** Routes and the frame around screens: which URL opens which screen for whom, and when the top bar and the footer show. */
import { expect, type Page, test } from '@playwright/test';
import * as adminMessages from '#contract/messages/admin.ts';
import * as navMessages from '#contract/messages/nav.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { admin, startBankForFile } from './bank.ts';
import { adminSession, logInThroughApi, newCustomer } from './customers.ts';
import { expectHydrated, holdRequests, visit } from './visit.ts';

const bank = startBankForFile();

const footer = (page: Page) => page.locator('.Footer');
const backToTop = (page: Page) => page.getByRole('link', { name: 'Back to top' });

/** Opens an address and asserts that it shows a screen with this heading, without a redirect. */
async function expectScreen(page: Page, address: string, heading: string | RegExp): Promise<void> {
  await page.goto(address);
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
  await expect(page.locator('header.TopBar')).toBeVisible();
  expect(new URL(page.url()).pathname).toBe(address);
}

async function expectReducedFrame(page: Page): Promise<void> {
  await expect(page.locator('header.TopBar')).toHaveClass(/TopBar--slim/);
  await expect(footer(page)).toHaveCount(0);
  await expect(backToTop(page)).toHaveCount(0);
}

test('a visitor finds every auth page at its URL [R-06, R-07, R-08, R-16, R-26, RO-01]', async ({
  browser,
}) => {
  const { page, expectErrors, close } = await visit(browser, bank.url);
  for (const [address, heading] of [
    ['/login', 'Welcome back'],
    ['/register', 'Open an account'],
    ['/forgot-password', 'Reset your password'],
    ['/not-me', 'Remove this registration?'],
    ['/freeze-account', 'Freeze your account?'],
  ] as const) {
    // These pages are prerendered: the heading is in the HTML, before any script runs.
    expect(await (await page.request.get(address)).text()).toContain(`>${heading}</h1>`);
    await expectScreen(page, address, heading);
    await expect(page.locator('header.TopBar')).not.toHaveClass(/TopBar--slim/);
    await expect(footer(page)).toBeVisible();
    await expect(backToTop(page)).toBeVisible();
  }
  await expectScreen(page, '/admin/login', navMessages.adminLogin);
  await expectReducedFrame(page);
  expectErrors();
  await close();
});

test('a customer finds overview, transfer, transactions and settings at their URLs, below the slim top bar and the shell’s own header, without a footer [R-09, R-10, R-12, R-13, R-14, R-15, R-27, R-28, R-29, RO-02]', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank);
  const user = await logInThroughApi(bank, email);
  const { page, expectErrors, close } = await visit(browser, bank.url, undefined, { user });
  for (const [address, heading] of [
    ['/dashboard', /Iris/],
    ['/dashboard/transfer', transferMessages.title],
    ['/dashboard/transactions', navMessages.transactions],
    ['/dashboard/settings', navMessages.settings],
    ['/transfer', transferMessages.title],
  ] as const) {
    await expectScreen(page, address, heading);
    await expectReducedFrame(page);
    const bar = (await page.locator('header.TopBar').boundingBox())!;
    const header = (await page.locator('.ShellHeader').boundingBox())!;
    expect(header.y).toBeGreaterThanOrEqual(bar.y + bar.height);
  }
  expectErrors();
  await close();
});

test('an administrator finds the panel at both URLs, and a visitor is sent to the login [R-17, R-18, R-27, R-28, R-29]', async ({
  browser,
}) => {
  const visitor = await visit(browser, bank.url);
  for (const address of ['/admin', '/admin/dashboard']) {
    await visitor.page.goto(address);
    await expect(visitor.page).toHaveURL(`${bank.url}/admin/login`);
  }
  visitor.expectErrors();
  await visitor.close();
  const { page, expectErrors, close } = await visit(browser, bank.url, undefined, {
    admin: await adminSession(bank),
  });
  for (const address of ['/admin', '/admin/dashboard']) {
    await expectScreen(page, address, adminMessages.dashboard);
    await expectReducedFrame(page);
  }
  expectErrors();
  await close();
});

test('a public page shows whether a customer is logged in without loading the banking code; after a login in another tab, nothing says Apply Now [H-27, R-31, R-32]', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank);
  const user = await logInThroughApi(bank, email);
  const { page, context, expectErrors, close } = await visit(browser, bank.url);
  const requested: string[] = [];
  page.on('request', request => requested.push(request.url()));
  await page.goto('/about');
  await expect(page.getByRole('link', { name: 'Login', exact: true })).toBeVisible();
  await expectHydrated(page);
  const bankingChunks = () =>
    new Set(requested.map(address => /assets\/(store|pageStore|api)-/.exec(address)?.[1]).filter(Boolean));
  expect(bankingChunks()).toEqual(new Set());

  const other = await context.newPage();
  await other.goto('/coverage');
  await other.evaluate(text => localStorage.setItem('user', text), JSON.stringify(user));
  const bar = page.locator('header.TopBar');
  await expect(bar.getByRole('link', { name: 'Dashboard' })).toBeVisible();
  await expect(bar.getByRole('link', { name: 'Login' })).toHaveCount(0);
  for (const address of ['/', '/benefits']) {
    await other.goto(address);
    await expect(other.getByRole('link', { name: 'Dashboard' }).first()).toBeVisible();
    await expect(other.getByRole('link', { name: 'Apply Now' })).toHaveCount(0);
  }
  await expect(page.getByRole('link', { name: 'Apply Now' })).toHaveCount(0);
  await bar.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(`${bank.url}/login`);
  expect(await other.evaluate(() => localStorage.getItem('user'))).toBeNull();
  await expect(other.locator('footer').getByRole('link', { name: 'Apply Now' })).toBeVisible();
  // The login page has the store; it fetches the API client when the form is filled in. Checks the names of the three chunks,
  // so that the test also fails if they are renamed.
  await expect.poll(bankingChunks).toEqual(new Set(['store', 'pageStore']));
  await page.getByLabel('Email').fill(email);
  await expect.poll(bankingChunks).toEqual(new Set(['store', 'pageStore', 'api']));
  expectErrors();
  await close();
});

test('a click on Logout before the page is hydrated logs out once it is hydrated', async ({ browser }) => {
  const { email } = await newCustomer(bank);
  const user = await logInThroughApi(bank, email);
  const { page, close } = await visit(browser, bank.url, undefined, { user });
  const requests = await holdRequests(page, '**/assets/index-*.js');
  await page.goto('/about');
  await page.locator('header.TopBar').getByRole('button', { name: 'Logout' }).click();
  await requests.releaseOldest();
  await page.waitForURL(`${bank.url}/login`);
  expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull();
  await close();
});

test('a click on Logout removes the session from the browser even if the code for the logout cannot be fetched', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank);
  const user = await logInThroughApi(bank, email);
  const { page, close } = await visit(browser, bank.url, undefined, { user });
  await page.route('**/assets/pageStore-*', route => route.abort());
  await page.goto('/about');
  await page.locator('header.TopBar').getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL(`${bank.url}/login`);
  expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull();
  await close();
});

test('inactivity is tracked as soon as the code for it can be fetched; if the code can never be fetched, the session ends', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank);
  const user = await logInThroughApi(bank, email);
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

test('a customer whose first screen does not load reads that it did not open, and can try again [H-26]', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank);
  const user = await logInThroughApi(bank, email);
  const { page, close } = await visit(browser, bank.url, undefined, { user });
  await page.route('**/assets/SettingsScreen-*.js', route => route.abort());
  await page.goto('/dashboard/settings');
  await page.getByRole('heading', { name: 'This page didn’t open' }).waitFor();
  await page.unroute('**/assets/SettingsScreen-*.js');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
  await close();
});

test('while a screen is loading, an overlay covers the whole page [H-26]', async ({ browser }) => {
  const { page, expectErrors, close } = await visit(browser, bank.url);
  await page.goto('/terms-and-conditions');
  await expectHydrated(page);
  const requests = await holdRequests(page, '**/assets/AboutScreen-*.js');
  await page.locator('header.TopBar').getByRole('link', { name: 'About', exact: true }).click();
  const overlay = page.locator('.WaitOverlay > *');
  await expect(overlay).toHaveText('Please wait');
  const { width, height } = page.viewportSize()!;
  expect(await overlay.boundingBox()).toEqual({ x: 0, y: 0, width, height });
  await requests.releaseOldest();
  await expect(page).toHaveURL(`${bank.url}/about`);
  await expect(overlay).toHaveCount(0);
  expectErrors();
  await close();
});

test('a visitor who presses a link on the untouched home page sees the overlay, although the lower part is not hydrated yet [H-26]', async ({
  browser,
}) => {
  const { page, expectErrors, close } = await visit(browser, bank.url);
  const requests = await holdRequests(page, '**/assets/{HomeRest,LoginScreen}-*.js');
  await page.goto('/');
  await expectHydrated(page);
  await page.locator('header.TopBar').getByRole('link', { name: 'Login' }).click();
  await expect(page.locator('.WaitOverlay > *')).toHaveText('Please wait', { timeout: 20_000 });
  await expect.poll(() => requests.paths.length).toBe(2);
  for (const _ of requests.paths) await requests.releaseOldest();
  await expect(page).toHaveURL(`${bank.url}/login`);
  await expect(page.locator('.WaitOverlay')).toHaveCount(0);
  expectErrors();
  await close();
});

test('a script whose content differs from the build is not run', async ({ browser }) => {
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

test('at double text size, the bar and the lists of the back office fit a desktop, a small window and a phone', async ({
  browser,
}) => {
  const { page, expectErrors, close } = await visit(browser, bank.url, undefined, {
    admin: await adminSession(bank),
  });
  await newCustomer(bank, { approved: false });
  for (const width of [1440, 1100, 390])
    for (const [view, text] of [
      ['approvals', 'Iris Field'],
      ['verifications', 'Iris Field'],
      ['users', 'Iris Field'],
      ['staff', admin.email],
      ['audit', 'Customer registered'],
    ] as const) {
      await page.setViewportSize({ width, height: 844 });
      await page.goto(`/admin/dashboard?view=${view}`);
      await expect(page.getByRole('row').filter({ hasText: text }).first()).toBeVisible();
      await page.evaluate(() => {
        document.documentElement.style.fontSize = '200%';
      });
      const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect({ width, view, excess }).toEqual({ width, view, excess: 0 });
    }
  expectErrors();
  await close();
});

test('at double text size on a phone, names and figures stay whole and inside the screen', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank, { firstName: 'Maximiliana', lastName: 'Featherstonehaugh-Vane' });
  const user = await logInThroughApi(bank, email);
  const { page, expectErrors, close } = await visit(
    browser,
    bank.url,
    { width: 360, height: 780, colorScheme: 'light' },
    { user },
  );
  const facts = 'main .Slip dd';
  const headlines = 'main :is(h1, h2, h3, dd)';
  for (const [address, texts, value] of [
    ['/dashboard', '.ShellHeader-title', 'Maximiliana'],
    ['/dashboard/add-money', facts, 'Featherstonehaugh-Vane'],
    ['/dashboard/loans', facts, '$10,000.00'],
    ['/', headlines, 'help@larkspur.example'],
    ['/contact', headlines, 'help@larkspur.example'],
    ['/benefits', headlines, 'Seconds'],
    ['/terms-and-conditions', headlines, 'Terms and conditions'],
  ] as const) {
    await page.goto(address);
    await expect(page.locator(texts).filter({ hasText: value }).first()).toBeVisible();
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
    });
    const wrong = await page.locator(texts).evaluateAll(values =>
      values.flatMap(dd => {
        const text = document.createTreeWalker(dd, NodeFilter.SHOW_TEXT);
        const found: string[] = [];
        for (let node = text.nextNode(); node && dd.checkVisibility(); node = text.nextNode())
          for (const word of (node as Text).data.matchAll(/[^\s-]+/g)) {
            const range = new Range();
            range.setStart(node, word.index);
            range.setEnd(node, word.index + word[0].length);
            const boxes = [...range.getClientRects()];
            if (boxes.length > 1 || boxes.some(({ right }) => right > 360)) found.push(word[0]);
          }
        return found;
      }),
    );
    expect(wrong).toEqual([]);
    const covered = await page.locator('.RepaymentChart-plot').evaluateAll(plots =>
      plots.filter(plot => {
        const label = plot.querySelector('p')!.getBoundingClientRect();
        return [...plot.querySelectorAll('span')].some(element => {
          const bar = element.getBoundingClientRect();
          return bar.right > label.left && bar.left < label.right && bar.top < label.bottom;
        });
      }),
    );
    expect(covered).toHaveLength(0);
  }
  await page.setViewportSize({ width: 320, height: 640 });
  for (const address of [
    '/dashboard',
    '/dashboard/transfer',
    '/dashboard/add-money',
    '/dashboard/transactions',
  ]) {
    await page.goto(address);
    await expect(page.locator('main h1, .ShellHeader-title').first()).toBeVisible();
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
    });
    const excess = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    await expect.poll(async () => ({ address, excess: await excess() })).toEqual({ address, excess: 0 });
  }
  await page.setViewportSize({ width: 360, height: 780 });
  await page.goto('/dashboard');
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
  const bell = page.getByRole('button', { name: 'Notifications, 1 unread' });
  const [icon, count] = await Promise.all([
    bell.locator('.Icon').boundingBox(),
    bell.locator('.Count').boundingBox(),
  ]);
  expect(count!.x).toBeGreaterThanOrEqual(icon!.x + icon!.width);
  expectErrors();
  await close();
});
