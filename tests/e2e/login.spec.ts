/** The login in a real browser: keypad, mailed code, notices, and every error on the way. */
import { expect, type Page, test } from '@playwright/test';
import { authApi } from '#contract/auth.ts';
import { login } from '#contract/constants.ts';
import { transactionsApi } from '#contract/transactions.ts';
import { otherThan } from '../otherThan.ts';
import { startBankForFile } from './bank.ts';
import {
  ageCodes,
  codeBox,
  dialog,
  enterCredentials,
  logIn,
  loginButton,
  newCustomer,
  password,
  pressKeypad,
  typeCode,
} from './customers.ts';
import {
  countScripts,
  displays,
  expectFitsScreen,
  expectHydrated,
  holdRequests,
  narrowDisplays,
  settle,
  stopClock,
  storedUser,
  visit,
} from './visit.ts';
import { expectAccessibleInBothSchemes } from './watch.ts';

const bank = startBankForFile({ RATE_LIMITS: 'off' });

const { initiateLogin, verifyCode, resendCode } = authApi;
const passwordField = (page: Page) => page.getByLabel('Password', { exact: true });
const verify = (page: Page) => page.getByRole('button', { name: 'Verify OTP' });
const typedCode = async (page: Page) =>
  (
    await page
      .getByLabel(/^Digit \d of 6$/)
      .evaluateAll(inputs => inputs.map(input => (input as HTMLInputElement).value))
  ).join('');
const statusError = (status: number) => `the server responded with a status of ${status}`;

for (const [where, display] of Object.entries(displays)) {
  test(`${where}, a customer logs in with keypad and mailed code [L-02, L-03, L-04, L-05, L-06, L-07, L-08, L-09, L-10, L-13, L-15, L-16, OK-01, OK-02, ST-10, ST-35, ST-36, R-42]`, async ({
    browser,
  }) => {
    const { email } = await newCustomer(bank);
    const { page, expectErrors, close } = await visit(browser, bank.url, display);
    const scripts = countScripts(page);
    await page.goto('/login');
    await expect(page.getByRole('link', { name: 'Forgot your password?' })).toHaveAttribute(
      'href',
      '/forgot-password',
    );
    await expect(page.locator('main').getByRole('link', { name: 'Open an account' })).toHaveAttribute(
      'href',
      '/register',
    );
    await page.getByLabel('Email').fill(email);
    await pressKeypad(page, '99');
    await page.getByRole('button', { name: /^CLR/ }).click();
    await expect(passwordField(page)).toHaveValue('');
    await pressKeypad(page, `${password}9`);
    await page.getByRole('button', { name: /^DEL/ }).click();
    await expect(passwordField(page)).toHaveValue(password);
    await expect(verify(page)).toHaveCount(0);
    await expectAccessibleInBothSchemes(page);
    const request = page.waitForRequest(sent => sent.url().endsWith(initiateLogin.path));
    await loginButton(page).click();
    expect((await request).postDataJSON()).toEqual({ email, password });

    await expect(page.getByText('OTP sent to your email. Please check and verify.')).toBeVisible();
    await expect(page.getByRole('group', { name: 'Six-digit code' })).toHaveAccessibleDescription(
      new RegExp(`^OTP sent to your email. Please check and verify. We sent a six-digit code to ${email}`),
    );
    await expect(page.getByLabel(/^Digit \d of 6$/)).toHaveCount(6);
    await expect(codeBox(page, 1)).toBeFocused();
    await expect(page.getByRole('button', { name: /^Resend OTP in \d+s$/ })).toBeDisabled();
    await expect(loginButton(page)).toHaveCount(0);
    await expectAccessibleInBothSchemes(page);
    await page.keyboard.type(await bank.newCode(email));
    await expect(codeBox(page, 6)).toBeFocused();
    await stopClock(page);
    const loadedBefore = scripts.kilobytes();
    await verify(page).click();

    await expect(dialog(page)).toContainText('Login successful! Redirecting to dashboard...');
    await page.clock.resume();
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(page.getByText('Welcome, Iris')).toBeVisible();
    // The live updates keep a request open, so the network is never idle. IdleDialog is the last script that is loaded.
    await expect.poll(() => scripts.files()).toMatch(/IdleDialog/);
    expect(scripts.kilobytes() - loadedBefore).toBeLessThan(62);
    expect(Object.keys((await storedUser(page))!).sort()).toEqual(
      ['_id', 'firstName', 'lastName', 'email', 'avatar', 'accountNumber', 'isApproved', 'token'].sort(),
    );
    expectErrors();
    await close();
  });
}

test('on a phone in dark mode, a customer pending approval sees the warning after the code and is sent to the home page [L-16, L-17, L-18]', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank, { approved: false });
  const { page, expectErrors, close } = await visit(browser, bank.url, displays['on a phone in dark mode']);
  await page.goto('/login');
  await enterCredentials(page, email);
  await typeCode(page, await bank.newCode(email));
  await verify(page).click();
  await expect(dialog(page).getByRole('heading', { name: 'Account Pending' })).toBeVisible();
  await expect(dialog(page)).toContainText('usually 24-48 hours');
  await expectAccessibleInBothSchemes(page);
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(new URL('/', bank.url).href);
  await expect(dialog(page)).toHaveCount(0);
  await expect(verify(page)).toHaveCount(0);
  // Back does not lead to the login form: the customer has a session, so the dashboard opens and shows the notice.
  await page.goBack();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByText('Account Pending Approval')).toBeVisible();
  expectErrors();
  await close();
});

test('on a desktop in light mode, a wrong password and a wrong code are reported in a notice [L-16, C-26, C-27, ER-04, ER-05]', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank);
  const { page, expectErrors, close } = await visit(
    browser,
    bank.url,
    displays['on a desktop in light mode'],
  );
  await page.goto('/login');
  await enterCredentials(page, email, '000000');
  await expect(dialog(page).getByRole('heading', { name: 'Login failed' })).toBeVisible();
  await expect(dialog(page)).toContainText('Invalid email or password');
  await expectAccessibleInBothSchemes(page);
  await dialog(page).getByRole('button', { name: 'Close' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await expect(passwordField(page)).toHaveValue('');
  await expect(passwordField(page)).toBeFocused();
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await expect(codeBox(page, 1)).toBeFocused();
  const code = await bank.newCode(email);
  await page.keyboard.type(otherThan(code));
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toContainText('Invalid or expired code');
  await expect(dialog(page)).toContainText('Check the code in the newest email, or request another one.');
  await page.keyboard.press('Escape');
  await expect(codeBox(page, 1)).toBeFocused();
  expect(await typedCode(page)).toBe('');
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/dashboard$/);
  expectErrors(statusError(401), statusError(401));
  await close();
});

for (const [where, display] of Object.entries(narrowDisplays)) {
  test(`${where}, both steps of the login fit the screen`, async ({ browser }) => {
    const { email } = await newCustomer(bank);
    const { page, close } = await visit(browser, bank.url, display);
    await page.goto('/login');
    await expectFitsScreen(page);
    await enterCredentials(page, email);
    await expect(codeBox(page, 6)).toBeVisible();
    await expectFitsScreen(page);
    await close();
  });
}

test('at double text size on a phone, the link to a new password does not cover the label of the password', async ({
  browser,
}) => {
  const { page, close } = await visit(browser, bank.url, { width: 390, height: 844, colorScheme: 'light' });
  await page.goto('/login');
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  const label = await page.locator('main').getByText('Password', { exact: true }).boundingBox();
  const link = await page.getByRole('link', { name: 'Forgot your password?' }).boundingBox();
  expect(label!.y + label!.height).toBeLessThanOrEqual(link!.y);
  await close();
});

test('the dashboard opens one and a half seconds after the success message, not before [L-19, OK-01]', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank);
  const { page, close } = await visit(browser, bank.url);
  await page.goto('/login');
  await enterCredentials(page, email);
  await typeCode(page, await bank.newCode(email));
  await stopClock(page);
  await verify(page).click();
  await expect(dialog(page)).toContainText('Login successful!');
  await settle(page);
  await page.clock.runFor(login.redirectDelayMs - 1);
  await settle(page);
  await expect(page).toHaveURL(/\/login$/);
  await page.clock.runFor(1);
  await expect(page).toHaveURL(/\/dashboard$/);
  await close();
});

test('an empty form reports missing email and password, and a short code its missing digits, without a request [V-10, V-11]', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank);
  const { page, expectErrors, close } = await visit(browser, bank.url);
  const requested: string[] = [];
  page.on(
    'request',
    request => request.method() === 'POST' && requested.push(new URL(request.url()).pathname),
  );
  await page.goto('/login');
  // The email field requests options to suggest passkeys, which is not a login.
  const sent = () => requested.filter(path => !path.endsWith('/passkey/options'));
  await loginButton(page).click();
  await expect(page.getByText('Please enter a valid email address')).toBeVisible();
  await expect(page.getByLabel('Email')).toBeFocused();
  await page.getByLabel('Email').fill(email);
  await loginButton(page).click();
  await expect(passwordField(page)).toBeFocused();
  expect(sent()).toEqual([]);
  await pressKeypad(page, password);
  await loginButton(page).click();
  await typeCode(page, '12x3');
  expect(await typedCode(page)).toBe('123');
  await verify(page).click();
  await expect(page.getByText('Please enter all 6 digits')).toBeVisible();
  await expect(codeBox(page, 4)).toBeFocused();
  await page.keyboard.type('4');
  await expect(page.getByText('Please enter all 6 digits')).toHaveCount(0);
  expect(sent()).toEqual([initiateLogin.path]);
  expectErrors();
  await close();
});

test('typing and pasting fill the password while the keypad or the field has the focus, typing elsewhere does not, and password managers can fill it [L-03, L-20, L-21, L-22]', async ({
  browser,
}) => {
  const { page, context, expectErrors, close } = await visit(browser, bank.url);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/login');
  await expectHydrated(page);
  await page.getByRole('link', { name: 'Forgot your password?' }).focus();
  await page.keyboard.type('123');
  await expect(passwordField(page)).toHaveValue('');
  await page.getByRole('button', { name: '5', exact: true }).focus();
  await page.keyboard.type('80x41');
  await page.keyboard.press('Backspace');
  await expect(passwordField(page)).toHaveValue('804');
  await passwordField(page).focus();
  await page.keyboard.press('End');
  await page.keyboard.type('12');
  await page.keyboard.press('Backspace');
  await expect(passwordField(page)).toHaveValue('8041');
  await page.evaluate(() => navigator.clipboard.writeText('29 75'));
  await page.keyboard.press('ControlOrMeta+V');
  await expect(passwordField(page)).toHaveValue('80412975');
  await page.getByRole('button', { name: /^CLR/ }).click();
  await page.keyboard.press('ControlOrMeta+V');
  await expect(passwordField(page)).toHaveValue('2975');
  // Password managers look for the username and the current password in one form.
  await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', 'username webauthn');
  await expect(passwordField(page)).toHaveAttribute('autocomplete', 'current-password');
  await expect(passwordField(page)).toBeEditable();
  await passwordField(page).fill(password);
  await expect(passwordField(page)).toHaveValue(password);
  expectErrors();
  await close();
});

test('a customer pastes the code, corrects it with Backspace, and logs in with the keyboard alone [L-10, L-11, L-12]', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank);
  const { page, context, expectErrors, close } = await visit(browser, bank.url);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/login');
  await expectHydrated(page);
  await page.getByLabel('Email').focus();
  await page.keyboard.type(email);
  await page.keyboard.press('Tab');
  await expect(passwordField(page)).toBeFocused();
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await expect(codeBox(page, 1)).toBeFocused();
  const code = await bank.newCode(email);
  await page.evaluate(text => navigator.clipboard.writeText(text), `${code}77`);
  await page.keyboard.press('ControlOrMeta+V');
  expect(await typedCode(page)).toBe(code);
  await expect(codeBox(page, 6)).toBeFocused();
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await expect(codeBox(page, 5)).toBeFocused();
  expect(await typedCode(page)).toBe(code.slice(0, 4));
  await page.keyboard.type(code.slice(4));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/dashboard$/);
  expectErrors();
  await close();
});

test('after 45 seconds a customer can request another code, which replaces the first and starts the wait again [L-13, L-14, L-15, OK-03, ST-30, ST-31]', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank);
  const { page, expectErrors, close } = await visit(browser, bank.url);
  await page.clock.install();
  await page.goto('/login');
  await enterCredentials(page, email);
  const first = await bank.newCode(email);
  await expect(page.getByRole('button', { name: /^Resend OTP in/ })).toBeDisabled();
  await ageCodes(bank, 46);
  await page.clock.fastForward(46_000);
  await page.getByRole('button', { name: 'Resend OTP', exact: true }).click();
  await expect(page.getByText('New OTP sent to your email')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Resend OTP in \d+s$/ })).toBeDisabled();
  await expect(codeBox(page, 1)).toBeFocused();
  const second = await bank.newCode(email);
  await page.keyboard.type(first);
  await verify(page).click();
  await expect(dialog(page)).toContainText('Invalid or expired code');
  await dialog(page).getByRole('button', { name: 'Close' }).click();
  await typeCode(page, second);
  await stopClock(page);
  await verify(page).click();
  await expect(dialog(page)).toContainText('Login successful!');
  expectErrors(statusError(401));
  await close();
});

test('if a second tab has just requested another code, the first tab says how long to wait, and its button waits too [L-14, C-48, ER-06]', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank);
  const { page, context, expectErrors, close } = await visit(browser, bank.url);
  const other = await context.newPage();
  for (const tab of [page, other]) {
    await tab.clock.install();
    await tab.goto('/login');
    await enterCredentials(tab, email);
    await expect(codeBox(tab, 1)).toBeVisible();
  }
  await bank.newCode(email);
  await ageCodes(bank, 46);
  for (const tab of [page, other]) await tab.clock.fastForward(46_000);
  await other.getByRole('button', { name: 'Resend OTP', exact: true }).click();
  await expect(other.getByText('New OTP sent to your email')).toBeVisible();
  await page.getByRole('button', { name: 'Resend OTP', exact: true }).click();
  await expect(
    page.getByText(/^Please wait before you request another code\. Wait \d+ seconds?\.$/),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: /^Resend OTP in \d+s$/ })).toBeDisabled();
  expectErrors(statusError(429));
  await close();
});

test('a code older than five minutes is refused, and a new one works [ST-28, C-27]', async ({ browser }) => {
  const { email } = await newCustomer(bank);
  const { page, close } = await visit(browser, bank.url);
  await page.clock.install();
  await page.goto('/login');
  await enterCredentials(page, email);
  const expired = await bank.newCode(email);
  await ageCodes(bank, 301);
  await page.clock.fastForward(301_000);
  await typeCode(page, expired);
  await verify(page).click();
  await expect(dialog(page)).toContainText('Invalid or expired code');
  await dialog(page).getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Resend OTP', exact: true }).click();
  // The response clears the boxes, so the test must not type before it.
  await expect(page.getByText('New OTP sent to your email').first()).toBeVisible();
  await typeCode(page, await bank.newCode(email));
  await stopClock(page);
  await verify(page).click();
  await expect(dialog(page)).toContainText('Login successful!');
  await close();
});

test('responses without a message show the fallback messages, and nothing that was entered is lost [ER-04, ER-05, ER-07, C-12, C-13]', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank);
  const { page, close } = await visit(browser, bank.url);
  await page.clock.install();
  const empty = { status: 500, body: '' };
  await page.goto('/login');

  await page.route(`**${initiateLogin.path}`, route => route.fulfill(empty), { times: 1 });
  await enterCredentials(page, email);
  await expect(dialog(page)).toContainText('Login failed. Please try again.');
  await dialog(page).getByRole('button', { name: 'Close' }).click();
  await page.route(`**${initiateLogin.path}`, route => route.abort(), { times: 1 });
  await loginButton(page).click();
  await expect(dialog(page)).toContainText('Network error. Please check your connection and try again.');
  await dialog(page).getByRole('button', { name: 'Close' }).click();
  await expect(passwordField(page)).toHaveValue(password);
  await loginButton(page).click();

  const code = await bank.newCode(email);
  await page.clock.fastForward(46_000);
  for (const [answer, sentence] of [
    [empty, 'Failed to resend OTP'],
    [
      { status: 503, json: { success: false, message: 'The post is on strike', code: 'BUSY' } },
      'The post is on strike',
    ],
  ] as const) {
    await page.route(`**${resendCode.path}`, route => route.fulfill(answer), { times: 1 });
    await page.getByRole('button', { name: 'Resend OTP', exact: true }).click();
    await expect(page.getByText(sentence, { exact: true })).toBeVisible();
  }

  for (const [answer, sentence] of [
    [empty, 'OTP verification failed'],
    [{ json: { success: false, message: 'Not today' } }, 'Not today'],
    [{ json: { data: {} } }, 'OTP verification failed'],
  ] as const) {
    await page.route(`**${verifyCode.path}`, route => route.fulfill(answer), { times: 1 });
    await typeCode(page, code);
    await verify(page).click();
    await expect(dialog(page)).toContainText(sentence);
    await dialog(page).getByRole('button', { name: 'Close' }).click();
    expect(await typedCode(page)).toBe(code);
  }
  await stopClock(page);
  await verify(page).click();
  await expect(dialog(page)).toContainText('Login successful!');
  await close();
});

for (const [where, display] of Object.entries(displays)) {
  test(`${where}, a customer whose right code got no answer is told to log in again, and can [L-24]`, async ({
    browser,
  }) => {
    const { email } = await newCustomer(bank);
    const { page, close } = await visit(browser, bank.url, display);
    await page.goto('/login');
    await enterCredentials(page, email);
    const code = await bank.newCode(email);
    await page.route(
      `**${verifyCode.path}`,
      async route => {
        expect((await route.fetch()).status()).toBe(200);
        await route.abort();
      },
      { times: 1 },
    );
    await typeCode(page, code);
    await verify(page).click();
    await expect(dialog(page)).toContainText('Network error.');
    await expect(dialog(page).getByRole('heading')).toHaveText('Something went wrong');
    await dialog(page).getByRole('button', { name: 'Close' }).click();
    await expect(page.getByRole('button', { name: /^Resend OTP/ })).toHaveCount(0);
    await expectAccessibleInBothSchemes(page);
    // The browser keeps this in the history, so a reload does not offer another code either.
    await page.reload();
    await expect(page.getByText(/^Your code may already have been used/)).toBeVisible();
    await typeCode(page, code);
    await verify(page).click();
    await expect(dialog(page)).toContainText('Your earlier press may have used this code.');
    await dialog(page).getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Log in again' }).click();
    await enterCredentials(page, email);
    await expect(page.getByRole('button', { name: /^Resend OTP/ })).toBeVisible();
    await typeCode(page, await bank.newCode(email));
    await verify(page).click();
    await expect(page).toHaveURL(/\/dashboard$/);
    await close();
  });
}

test('on a slow connection, a double click on Login and three presses of Enter at the code send one request each [L-08]', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank);
  const { page, expectErrors, close } = await visit(browser, bank.url);
  const requests = await holdRequests(page, '**/api/v1/auth/login/*');
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await pressKeypad(page, password);
  await loginButton(page).dblclick();
  await passwordField(page).press('Enter');
  await expect(loginButton(page)).toHaveAttribute('aria-busy', 'true');
  await requests.releaseOldest();
  await typeCode(page, await bank.newCode(email));
  for (let press = 0; press < 3; press++) await page.keyboard.press('Enter');
  await expect(verify(page)).toHaveAttribute('aria-busy', 'true');
  await requests.releaseOldest();
  await expect(page).toHaveURL(/\/dashboard$/);
  expect(requests.paths).toEqual([initiateLogin.path, verifyCode.path]);
  expectErrors();
  await close();
});

test('Back leads from the code to the password, Forward to the code again, and a reload stays at the code [L-09, ST-43]', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank);
  const { page, expectErrors, close } = await visit(browser, bank.url);
  await page.goto('/about');
  await page.goto('/login');
  await enterCredentials(page, email);
  await expect(codeBox(page, 1)).toBeVisible();
  await page.goBack();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await expect(passwordField(page)).toHaveValue('');
  await page.goForward();
  await expect(codeBox(page, 1)).toBeVisible();
  await page.locator('main').getByRole('button', { name: 'Back', exact: true }).click();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.goForward();
  await page.reload();
  await expect(page.getByText(`We sent a six-digit code to ${email}`)).toBeVisible();
  await expect(page.getByRole('button', { name: /^Resend OTP in \d+s$/ })).toBeDisabled();
  // The code that was mailed before the reload is still valid.
  await typeCode(page, await bank.newCode(email));
  await verify(page).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(verify(page)).toHaveCount(0);
  await page.goBack();
  await expect(page).toHaveURL(/\/dashboard$/);
  expectErrors();
  await close();
});

test('a link from a mail, opened while logged out, leads to its screen after the login', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank);
  const { page, close } = await visit(browser, bank.url);
  await page.goto('/dashboard/settings?tab=security');
  await expect(page).toHaveURL(/\/login$/);
  await enterCredentials(page, email);
  await typeCode(page, await bank.newCode(email));
  await verify(page).click();
  await expect(page).toHaveURL(/\/dashboard\/settings\?tab=security$/);
  await page.locator('main').getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await enterCredentials(page, email);
  await typeCode(page, await bank.newCode(email));
  await verify(page).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await close();
});

test('a customer who leaves the login while its request is pending is not brought back when the response arrives', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank);
  const { page, close } = await visit(browser, bank.url);
  const requests = await holdRequests(page, `**${initiateLogin.path}`);
  await page.goto('/login');
  await enterCredentials(page, email);
  await page.getByRole('link', { name: 'About' }).first().click();
  await expect(page).toHaveURL(/\/about$/);
  const answered = page.waitForResponse(`**${initiateLogin.path}`);
  await requests.releaseOldest();
  await (await answered).finished();
  await bank.newCode(email);
  await expect(page).toHaveURL(/\/about$/);
  await close();
});

test('a logged-in customer who opens the login is sent to the dashboard, and logging out ends the session in the browser and on the server [L-01, ST-14, ST-20]', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank);
  const { page, context, expectErrors, close } = await visit(browser, bank.url);
  const other = await context.newPage();
  await other.goto('/login');
  await logIn(page, bank, email);
  // The other tab showed the login and follows to the dashboard.
  await expect(other).toHaveURL(/\/dashboard$/);
  await other.close();
  await page.goto('/login');
  await expect(page).toHaveURL(/\/dashboard$/);
  const { token } = (await storedUser(page)) as { token: string };
  // This request has the browser's cookies, to which the session is bound.
  const profile = async () =>
    (
      await page.request.get(`${bank.url}${authApi.profile.path}`, {
        headers: { authorization: `Bearer ${token}` },
      })
    ).status();
  expect(await profile()).toBe(200);
  await page.getByRole('banner').getByRole('button', { name: 'Logout' }).first().click();
  await expect(page).toHaveURL(/\/login$/);
  expect(await storedUser(page)).toBeNull();
  await expect.poll(profile).toBe(401);

  await logIn(page, bank, email);
  await page.locator('main').getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/login$/);
  expect(await storedUser(page)).toBeNull();
  expectErrors();
  await close();
});

test('a session that has expired, or that the bank refuses, ends at the login with a message [ST-11, ST-12, ST-13]', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank);
  const { page, close } = await visit(browser, bank.url);
  await page.clock.install();
  await logIn(page, bank, email);
  const stored = (await storedUser(page))!;
  // A session ends after an hour.
  await page.clock.fastForward(3_661_000);
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByText('Your session has ended. Please log in again.')).toBeVisible();
  expect(await storedUser(page)).toBeNull();
  for (const token of ['unreadable', `x.${btoa(JSON.stringify({ exp: 1 }))}.x`, undefined]) {
    await page.evaluate(text => localStorage.setItem('user', text), JSON.stringify({ ...stored, token }));
    await page.goto('/dashboard');
    await expect(page).toHaveURL(/\/login$/);
    expect(await storedUser(page)).toBeNull();
  }
  const forged = `x.${btoa(JSON.stringify({ exp: 4_102_444_800 }))}.x`;
  await page.evaluate(
    text => localStorage.setItem('user', text),
    JSON.stringify({ ...stored, token: forged }),
  );
  await page.goto('/dashboard');
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByText('Your session has ended. Please log in again.')).toBeVisible();
  await close();
});

test('after five wrong passwords the right one is refused like a wrong one, and the customer gets a mail [ST-32, ST-33, ST-34]', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank);
  const { page, close } = await visit(browser, bank.url);
  await page.goto('/login');
  for (const digits of ['000000', '111111', '222222', '333333', '444444', password]) {
    await enterCredentials(page, email, digits);
    await expect(dialog(page)).toContainText('Invalid email or password');
    await dialog(page).getByRole('button', { name: 'Close' }).click();
  }
  await expect
    .poll(async () => {
      return (await bank.mailsTo(email)).map(({ subject }) => subject);
    })
    .toContain('Your login is locked');
  await close();
});

test('a dashboard whose profile or balance cannot be fetched says so, and can try again [ER-09, ER-10]', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank);
  const { page, close } = await visit(browser, bank.url);
  await logIn(page, bank, email);
  await expect(page.getByText('Welcome, Iris')).toBeVisible();
  for (const [path, screen, sentence] of [
    [authApi.profile.path, '/dashboard', 'Failed to fetch profile'],
    [transactionsApi.balance.path, '/dashboard', 'Error fetching wallet balance'],
    [transactionsApi.balance.path, '/dashboard/transfer', 'Error fetching wallet balance'],
  ] as const) {
    await page.route(`**${path}`, route => route.fulfill({ status: 500, body: '' }));
    await page.goto(screen);
    await expect(page.getByText(sentence)).toBeVisible();
    await page.unroute(`**${path}`);
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await expect(page.getByText(sentence)).toHaveCount(0);
    await expect(page.getByText('$0.00').first()).toBeVisible();
  }
  await close();
});
