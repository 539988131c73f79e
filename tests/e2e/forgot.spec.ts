/** Resetting a forgotten password: email, mailed code, and a new password entered with the keypad. */
import { expect, type Page, test } from '@playwright/test';
import { authApi } from '#contract/auth.ts';
import { otherThan } from '../otherThan.ts';
import { startBankForFile } from './bank.ts';
import {
  ageCodes,
  codeBox,
  dialog,
  enterCredentials,
  logIn,
  logInThroughApi,
  newCustomer,
  password,
  pressKeypad,
  typeCode,
} from './customers.ts';
import { displays, expectFitsScreen, narrowDisplays, storedUser, visit } from './visit.ts';
import { expectAccessibleInBothSchemes } from './watch.ts';

const bank = startBankForFile({ RATE_LIMITS: 'off' });

const nextPassword = '57921480';
const sameAnswer = 'If this email has an account, a code is on its way.';
const done = 'Password updated successfully. Please login to continue.';
const proceed = (page: Page) => page.getByRole('button', { name: 'Continue' });
const newPassword = (page: Page) => page.getByLabel('New password', { exact: true });
const repeated = (page: Page) => page.getByLabel('Confirm password', { exact: true });
const save = (page: Page) => page.getByRole('button', { name: 'Save new password' });

/** Fills both fields of the last step. */
async function fillPasswords(page: Page, password: string): Promise<void> {
  await newPassword(page).fill(password);
  await repeated(page).fill(password);
}

async function requestCode(page: Page, email: string): Promise<void> {
  await page.goto('/forgot-password');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(codeBox(page, 1)).toBeFocused();
}

test('on a phone in dark mode, a customer sets a new password with a mailed code and logs in with it [F-01, F-02, F-03, F-05, F-06, L-05, ST-21, ST-41]', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank);
  const { token } = await logInThroughApi(bank, email);
  const { page, expectErrors, close } = await visit(browser, bank.url, displays['on a phone in dark mode']);
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page).toHaveURL(/\/forgot-password$/);
  await expectAccessibleInBothSchemes(page);
  // The email typed at the login is already filled in.
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(page.getByText(sameAnswer)).toBeVisible();
  await expect(codeBox(page, 1)).toBeFocused();
  await expectAccessibleInBothSchemes(page);
  await page.keyboard.type(await bank.newCode(email));
  await proceed(page).click();
  await pressKeypad(page, nextPassword);
  await expect(newPassword(page)).toHaveValue(nextPassword);
  await repeated(page).click();
  await pressKeypad(page, nextPassword);
  await expect(repeated(page)).toHaveValue(nextPassword);
  await expectAccessibleInBothSchemes(page);
  await save(page).click();
  await expect(dialog(page)).toContainText(done);
  await expectAccessibleInBothSchemes(page);
  await dialog(page).getByRole('button', { name: 'Proceed to Login' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByText(done)).toBeVisible();
  await enterCredentials(page, email, nextPassword);
  await expect(codeBox(page, 1)).toBeFocused();
  const headers = { authorization: `Bearer ${token}` };
  expect((await fetch(`${bank.url}${authApi.profile.path}`, { headers })).status).toBe(401);
  expectErrors();
  await close();
});

for (const [where, display] of Object.entries(narrowDisplays)) {
  test(`${where}, the steps of the code and of the new password fit the screen`, async ({ browser }) => {
    const { page, close } = await visit(browser, bank.url, display);
    await requestCode(page, 'nobody@field.example');
    await expectFitsScreen(page);
    await page.keyboard.type('123456');
    await proceed(page).click();
    await expect(newPassword(page)).toBeFocused();
    await expectFitsScreen(page);
    await close();
  });
}

test('an unknown email leads to the same code step with the same sentences, also after a request for another code [F-04, F-05]', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank);
  const { page, expectErrors, close } = await visit(browser, bank.url);
  await page.clock.install();
  for (const address of [email, 'stranger@field.example']) {
    // Opens another page first: opening the same page again counts as a reload, after which the page stays at the same step.
    await page.goto('about:blank');
    await requestCode(page, address);
    await expect(page.getByText(sameAnswer)).toHaveCount(1);
    await expect(page.getByText(`Check the inbox of ${address}. The code works for`)).toBeVisible();
    await expect(page.getByText('We sent a six-digit code')).toHaveCount(0);
    await expect(page.getByRole('button', { name: /^Resend OTP in \d+s$/ })).toBeDisabled();
    await page.keyboard.type('12');
    await ageCodes(bank, 46);
    await page.clock.fastForward(46_000);
    await page.getByRole('button', { name: 'Resend OTP', exact: true }).click();
    await expect(page.getByText(sameAnswer)).toHaveCount(2);
    await expect(page.getByRole('button', { name: /^Resend OTP in \d+s$/ })).toBeDisabled();
    await expect(codeBox(page, 1)).toHaveValue('');
  }
  expectErrors();
  await close();
});

test('a wrong code is reported at its boxes and the new password is kept; a password that is too short or repeated wrongly is reported at its field [F-02, F-03, C-27, V-17, V-18, V-30]', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank);
  const { page, expectErrors, close } = await visit(browser, bank.url);
  await requestCode(page, email);
  await page.keyboard.type('12');
  await proceed(page).click();
  await expect(page.getByText('Please enter all 6 digits')).toBeVisible();
  await expect(codeBox(page, 3)).toBeFocused();
  const code = await bank.newCode(email);
  await typeCode(page, otherThan(code));
  await proceed(page).click();
  await pressKeypad(page, '12345');
  await save(page).click();
  await expect(
    page.getByText('Password must be at least 6 digits long and contain only numbers'),
  ).toBeVisible();
  await expect(newPassword(page)).toBeFocused();
  await pressKeypad(page, '6');
  await expect(page.getByText('This password is easy to guess.')).toBeVisible();
  await save(page).click();
  await expect(page.getByText('Passwords do not match')).toBeVisible();
  await expect(repeated(page)).toBeFocused();
  await page.keyboard.type('123456');
  await expect(page.getByText('Passwords do not match')).toHaveCount(0);
  await save(page).click();
  await expect(page.getByRole('group', { name: 'Six-digit code' })).toHaveAccessibleDescription(
    /Invalid or expired code/,
  );
  await expect(
    page.getByRole('alert').filter({ hasText: 'You don’t have to type your new password again' }),
  ).toBeVisible();
  await expect(codeBox(page, 1)).toHaveValue('');
  await expect(codeBox(page, 1)).toBeFocused();
  await expectAccessibleInBothSchemes(page);
  await page.keyboard.type(code);
  await expect(page.getByText('Invalid or expired code')).toHaveCount(0);
  await proceed(page).click();
  await expect(newPassword(page)).toHaveValue('123456');
  await expect(repeated(page)).toHaveValue('123456');
  await fillPasswords(page, nextPassword);
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toContainText(done);
  expectErrors('the server responded with a status of 401');
  await close();
});

test('Back and Forward move through the steps; a reload asks for the code again and keeps the wait for another code; nothing secret is stored', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank);
  const { page, expectErrors, close } = await visit(browser, bank.url);
  await requestCode(page, email);
  const code = await bank.newCode(email);
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
  await expect(newPassword(page)).toBeFocused();
  await page.goBack();
  await expect(codeBox(page, 6)).toHaveValue(code.at(-1)!);
  await page.goBack();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await expect(page.getByLabel('Email')).toBeFocused();
  await page.goForward();
  await page.goForward();
  await newPassword(page).fill(nextPassword);
  const stored = await page.evaluate(() =>
    JSON.stringify([history.state, Object.entries(localStorage), Object.entries(sessionStorage)]),
  );
  expect(stored).not.toContain(code);
  expect(stored).not.toContain(nextPassword);
  await page.reload();
  await expect(page.getByText(`Check the inbox of ${email}`)).toBeVisible();
  await expect(page.getByRole('button', { name: /^Resend OTP in \d+s$/ })).toBeDisabled();
  await expect(codeBox(page, 1)).toBeFocused();
  // The code that was mailed before the reload is still valid.
  await page.keyboard.type(code);
  await proceed(page).click();
  await fillPasswords(page, nextPassword);
  await save(page).click();
  await expect(dialog(page)).toContainText(done);
  expectErrors();
  await close();
});

test('a customer who opens a screen and resets the password on the way reaches that screen after the login [L-05, R-14]', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank);
  const { page, expectErrors, close } = await visit(browser, bank.url);
  await page.goto('/transfer');
  await expect(page).toHaveURL(/\/login$/);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.locator('main').getByRole('link', { name: 'Login' }).click();
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(codeBox(page, 1)).toBeFocused();
  await page.reload();
  await expect(codeBox(page, 1)).toBeFocused();
  await page.keyboard.type(await bank.newCode(email));
  await proceed(page).click();
  await fillPasswords(page, nextPassword);
  await save(page).click();
  await dialog(page).getByRole('button', { name: 'Proceed to Login' }).click();
  await enterCredentials(page, email, nextPassword);
  await expect(codeBox(page, 1)).toBeFocused();
  await page.keyboard.type(await bank.newCode(email));
  await page.getByRole('button', { name: 'Verify OTP' }).click();
  await expect(page).toHaveURL(/\/transfer$/);
  await expect(page.getByRole('heading', { name: 'Transfer money' })).toBeVisible();
  expectErrors();
  await close();
});

test('a customer who is still logged in is logged out by the reset and reads that it succeeded [F-06, ST-41]', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank);
  const { page, expectErrors, close } = await visit(browser, bank.url);
  await logIn(page, bank, email);
  await ageCodes(bank, 46);
  await requestCode(page, email);
  await page.keyboard.type(await bank.newCode(email));
  await proceed(page).click();
  await fillPasswords(page, nextPassword);
  await save(page).click();
  await expect(dialog(page)).toContainText(done);
  expect(await storedUser(page)).toBeNull();
  await dialog(page).getByRole('button', { name: 'Proceed to Login' }).click();
  await expect(page.getByText(done)).toBeVisible();
  await enterCredentials(page, email, password);
  await expect(dialog(page)).toContainText('Invalid email or password');
  expectErrors('the server responded with a status of 401');
  await close();
});
