/** The way back in without a password, as a customer meets it: email, mailed code, new digits by the same keypad. */
import { expect, type Page, test } from '@playwright/test';
import { authApi } from '#contract/auth.ts';
import { bankOfFile } from './bank.ts';
import {
  box,
  dialog,
  enterCredentials,
  logIn,
  newCustomer,
  passForCodes,
  password,
  pressKeys,
  typeCode,
} from './customers.ts';
import { expectFitting, looks, narrow, storedUser, visit } from './visit.ts';
import { expectAccessibleByDayAndNight } from './watch.ts';

const bank = bankOfFile({ RATE_LIMITS: 'off' });

const newDigits = '57921480';
const sameForAll = 'If this email has an account, a code is on its way.';
const done = 'Password updated successfully. Please login to continue.';
const proceed = (page: Page) => page.getByRole('button', { name: 'Continue' });
const newPassword = (page: Page) => page.getByLabel('New password', { exact: true });
const repeated = (page: Page) => page.getByLabel('Repeat new password', { exact: true });
const save = (page: Page) => page.getByRole('button', { name: 'Save new password' });

/** Fills both fields of the last step. */
async function fillDigits(page: Page, digits: string): Promise<void> {
  await newPassword(page).fill(digits);
  await repeated(page).fill(digits);
}

async function askForCode(page: Page, email: string): Promise<void> {
  await page.goto('/forgot-password');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(box(page, 1)).toBeFocused();
}

for (const [where, look] of Object.entries(looks)) {
  test(`${where} a customer sets new digits with a mailed code, and logs in with them [F-01, F-02, F-03, F-05, F-06, L-05, ST-21, ST-41]`, async ({
    browser,
  }) => {
    const { email } = await newCustomer(bank);
    const elsewhere = await visit(browser, bank.url);
    await logIn(elsewhere.page, bank, email);
    const { token } = (await storedUser(elsewhere.page)) as { token: string };
    await elsewhere.close();

    const { page, expectQuiet, close } = await visit(browser, bank.url, look);
    await page.goto('/login');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await expect(page).toHaveURL(/\/forgot-password$/);
    await expectAccessibleByDayAndNight(page);
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Send code' }).click();
    await expect(page.getByText(sameForAll)).toBeVisible();
    await expect(box(page, 1)).toBeFocused();
    await expectAccessibleByDayAndNight(page);
    await page.keyboard.type(await bank.newCode(email));
    await proceed(page).click();
    await pressKeys(page, newDigits);
    await expect(newPassword(page)).toHaveValue(newDigits);
    await repeated(page).click();
    await pressKeys(page, newDigits);
    await expect(repeated(page)).toHaveValue(newDigits);
    await expectAccessibleByDayAndNight(page);
    await save(page).click();
    await expect(dialog(page)).toContainText(done);
    await expectAccessibleByDayAndNight(page);
    await dialog(page).getByRole('button', { name: 'Proceed to Login' }).click();
    await expect(page).toHaveURL(/\/login$/);
    await expect(page.getByText(done)).toBeVisible();
    await enterCredentials(page, email, newDigits);
    await expect(box(page, 1)).toBeFocused();
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${bank.url}${authApi.profile.path}`, { headers })).status).toBe(401);
    expectQuiet();
    await close();
  });
}

for (const [where, look] of Object.entries(narrow)) {
  test(`${where} all three steps fit the screen`, async ({ browser }) => {
    const { page, close } = await visit(browser, bank.url, look);
    await askForCode(page, 'nobody@field.example');
    await expectFitting(page);
    await page.keyboard.type('123456');
    await proceed(page).click();
    await expect(newPassword(page)).toBeFocused();
    await expectFitting(page);
    await close();
  });
}

test('an unknown email meets the same steps and sentences, a second code included [F-04, F-05]', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank);
  const { page, expectQuiet, close } = await visit(browser, bank.url);
  await page.clock.install();
  for (const asked of [email, 'stranger@field.example']) {
    // Another page first: to open the same one again is to reload it, and a reload keeps the step.
    await page.goto('about:blank');
    await askForCode(page, asked);
    await expect(page.getByText(sameForAll)).toHaveCount(1);
    await expect(page.getByText(`If so, it comes to ${asked} and works for`)).toBeVisible();
    await expect(page.getByText('We sent six digits')).toHaveCount(0);
    await expect(page.getByRole('button', { name: /^Resend OTP in [1-4]\ds$/ })).toBeDisabled();
    await page.keyboard.type('12');
    await passForCodes(bank, 46);
    await page.clock.fastForward(46_000);
    await page.getByRole('button', { name: 'Resend OTP', exact: true }).click();
    await expect(page.getByText(sameForAll)).toHaveCount(2);
    await expect(page.getByRole('button', { name: /^Resend OTP in [1-4]\ds$/ })).toBeDisabled();
    await expect(box(page, 1)).toHaveValue('');
  }
  expectQuiet();
  await close();
});

test('a wrong code is told at its boxes and the new digits wait; too short a password and one that is not repeated alike are told at their fields [F-02, F-03, C-27, V-17, V-18, V-30]', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank);
  const { page, expectQuiet, close } = await visit(browser, bank.url);
  await askForCode(page, email);
  await page.keyboard.type('12');
  await proceed(page).click();
  await expect(page.getByText('Please enter all 6 digits')).toBeVisible();
  await expect(box(page, 3)).toBeFocused();
  const code = await bank.newCode(email);
  await typeCode(page, String((Number(code) + 1) % 1_000_000).padStart(6, '0'));
  await proceed(page).click();
  await pressKeys(page, '12345');
  await save(page).click();
  await expect(
    page.getByText('Password must be at least 6 digits long and contain only numbers'),
  ).toBeVisible();
  await expect(newPassword(page)).toBeFocused();
  await pressKeys(page, '6');
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
  await expect(page.getByRole('alert').filter({ hasText: 'Your new digits are kept' })).toBeVisible();
  await expect(box(page, 1)).toHaveValue('');
  await expect(box(page, 1)).toBeFocused();
  await expectAccessibleByDayAndNight(page);
  await page.keyboard.type(code);
  await expect(page.getByText('Invalid or expired code')).toHaveCount(0);
  await proceed(page).click();
  await expect(newPassword(page)).toHaveValue('123456');
  await expect(repeated(page)).toHaveValue('123456');
  await fillDigits(page, newDigits);
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toContainText(done);
  expectQuiet('the server responded with a status of 401');
  await close();
});

test('Back and Forward walk through the steps; a reload asks for the code again, keeps the wait for another one, and nothing secret is kept', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank);
  const { page, expectQuiet, close } = await visit(browser, bank.url);
  await askForCode(page, email);
  const code = await bank.newCode(email);
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
  await expect(newPassword(page)).toBeFocused();
  await page.goBack();
  await expect(box(page, 6)).toHaveValue(code.at(-1)!);
  await page.goBack();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.goForward();
  await page.goForward();
  await newPassword(page).fill(newDigits);
  const kept = await page.evaluate(() =>
    JSON.stringify([history.state, Object.entries(localStorage), Object.entries(sessionStorage)]),
  );
  expect(kept).not.toContain(code);
  expect(kept).not.toContain(newDigits);
  await page.reload();
  await expect(page.getByText(`If so, it comes to ${email}`)).toBeVisible();
  await expect(page.getByRole('button', { name: /^Resend OTP in \d+s$/ })).toBeDisabled();
  await expect(box(page, 1)).toBeFocused();
  // The code that was mailed before the reload still counts.
  await page.keyboard.type(code);
  await proceed(page).click();
  await fillDigits(page, newDigits);
  await save(page).click();
  await expect(dialog(page)).toContainText(done);
  expectQuiet();
  await close();
});

test('who wanted a screen, and forgot the password on the way, comes to that screen with the new one [L-05, R-14]', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank);
  const { page, expectQuiet, close } = await visit(browser, bank.url);
  await page.goto('/transfer');
  await expect(page).toHaveURL(/\/login$/);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.locator('main').getByRole('link', { name: 'Login' }).click();
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(box(page, 1)).toBeFocused();
  await page.reload();
  await expect(box(page, 1)).toBeFocused();
  await page.keyboard.type(await bank.newCode(email));
  await proceed(page).click();
  await fillDigits(page, newDigits);
  await save(page).click();
  await dialog(page).getByRole('button', { name: 'Proceed to Login' }).click();
  await enterCredentials(page, email, newDigits);
  await expect(box(page, 1)).toBeFocused();
  await page.keyboard.type(await bank.newCode(email));
  await page.getByRole('button', { name: 'Verify OTP' }).click();
  await expect(page).toHaveURL(/\/transfer$/);
  await expect(page.getByRole('heading', { name: 'Transfer money' })).toBeVisible();
  expectQuiet();
  await close();
});

test('whoever is still logged in here is logged out by the reset, and reads that it is done [F-06, ST-41]', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank);
  const { page, expectQuiet, close } = await visit(browser, bank.url);
  await logIn(page, bank, email);
  await passForCodes(bank, 46);
  await askForCode(page, email);
  await page.keyboard.type(await bank.newCode(email));
  await proceed(page).click();
  await fillDigits(page, newDigits);
  await save(page).click();
  await expect(dialog(page)).toContainText(done);
  expect(await storedUser(page)).toBeNull();
  await dialog(page).getByRole('button', { name: 'Proceed to Login' }).click();
  await expect(page.getByText(done)).toBeVisible();
  await enterCredentials(page, email, password);
  await expect(dialog(page)).toContainText('Invalid email or password');
  expectQuiet('the server responded with a status of 401');
  await close();
});
