/** Registration in a real browser: the form and its rules, the upload, the result dialog, and errors. */
import { randomBytes } from 'node:crypto';
import { expect, type Page, test } from '@playwright/test';
import sharp from 'sharp';
import { authApi } from '#contract/auth.ts';
import { registrationForm } from '../call.ts';
import { eventually, waitLimitMs } from '../waiting.ts';
import { startBankForFile } from './bank.ts';
import {
  dialog,
  enterCredentials,
  newCustomer,
  password,
  portraitPath,
  pressKeypad,
  typeCode,
} from './customers.ts';
import {
  displays,
  expectFitsScreen,
  expectHydrated,
  holdRequests,
  narrowDisplays,
  storedUser,
  visit,
} from './visit.ts';
import { expectAccessible, expectAccessibleInBothSchemes } from './watch.ts';

// The trace recorder would fetch the selected pictures itself. The page's security policy would report that.
test.use({ trace: 'off' });

const bank = startBankForFile({ RATE_LIMITS: 'off' });

const path = authApi.register.path;
const texts = {
  'First name': '  Ottoline ',
  'Last name': 'Marsh',
  Address: '18 Meadow Row',
  Region: 'New York',
  'ZIP code': '10014',
  'Phone number': '2125550147',
};
const registerButton = (page: Page) => page.getByRole('button', { name: 'Register' });
const files = (page: Page) => page.locator('input[type=file]');
const approvalSentence = 'Registration successful! Your account will be approved within 24-48 hours.';

/** Fills in all required fields. */
async function fillForm(page: Page, email: string): Promise<void> {
  for (const [label, text] of Object.entries(texts)) await page.getByLabel(label, { exact: true }).fill(text);
  await page.getByLabel('Email').fill(email);
  await page.getByText('Female', { exact: true }).click();
  await page.getByLabel('Password', { exact: true }).fill(password);
  await files(page).first().setInputFiles(portraitPath);
}

let emailCount = 0;
const newEmail = () => `ottoline${++emailCount}@marsh.example`;

test('on a desktop in light mode, a visitor registers, reads about the approval, and continues to the login with the email filled in [G-01, G-02, G-03, G-06, G-07, G-09, G-10, G-11, G-12, G-14, G-15, V-09]', async ({
  browser,
}) => {
  const email = newEmail();
  const { page, expectErrors, close } = await visit(
    browser,
    bank.url,
    displays['on a desktop in light mode'],
  );
  await page.goto('/register');
  await page.getByLabel('Middle name').fill('Wren');
  await fillForm(page, ` ${email.toUpperCase()} `);
  await page.getByRole('button', { name: /^CLR/ }).click();
  await pressKeypad(page, password);
  await files(page).nth(1).setInputFiles(portraitPath);
  const terms = page.locator('main').getByRole('link', { name: 'terms and conditions (opens in a new tab)' });
  await expect(terms).toHaveAttribute('href', '/terms-and-conditions');
  await expectAccessibleInBothSchemes(page);
  await registerButton(page).click();
  await expect(dialog(page).getByRole('heading', { name: 'Thank you, Ottoline' })).toBeVisible();
  await expect(dialog(page)).toContainText(approvalSentence);
  expect(await storedUser(page)).toBeNull();
  await expectAccessibleInBothSchemes(page);
  await dialog(page).getByRole('button', { name: 'Proceed to Login' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByText('Registration successful! Please login to continue.')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await enterCredentials(page, email);
  await typeCode(page, await bank.newCode(email));
  await page.getByRole('button', { name: 'Verify OTP' }).click();
  await expect(dialog(page)).toContainText('Account Pending');
  const { token } = (await storedUser(page)) as { token: string };
  const profile = await page.request.get(`${bank.url}${authApi.profile.path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(((await profile.json()) as { data: object }).data).toMatchObject({
    firstName: 'Ottoline',
    middleName: 'Wren',
    lastName: 'Marsh',
    gender: 'female',
    address: '18 Meadow Row',
    region: 'New York',
    zipCode: '10014',
    email,
    phoneNumber: '2125550147',
    avatar: { url: expect.stringContaining('/') },
    idCard: { url: expect.stringContaining('/') },
    isApproved: false,
  });
  expectErrors();
  await close();
});

for (const [where, display] of Object.entries(narrowDisplays)) {
  test(`${where}, the form and its error messages fit the screen`, async ({ browser }) => {
    const { page, close } = await visit(browser, bank.url, display);
    await page.goto('/register');
    await expectFitsScreen(page);
    await registerButton(page).click();
    await expect(page.getByText(/Please fill in all required fields/)).toBeVisible();
    await expectFitsScreen(page);
    await expectAccessible(page);
    await close();
  });
}

for (const how of ['Close', 'Escape'] as const) {
  test(`closing the success dialog (${how}) leads to the home page, and Back to an empty form [G-08]`, async ({
    browser,
  }) => {
    const { page, expectErrors, close } = await visit(browser, bank.url);
    await page.goto('/register');
    await fillForm(page, newEmail());
    await registerButton(page).click();
    await expect(dialog(page)).toContainText(approvalSentence);
    if (how === 'Close') await dialog(page).getByRole('button', { name: 'Close' }).click();
    else await page.keyboard.press('Escape');
    await expect(page).toHaveURL(new URL('/', bank.url).href);
    await expect(registerButton(page)).toHaveCount(0);
    await page.goBack();
    await expect(page.getByLabel('First name')).toHaveValue('');
    expectErrors();
    await close();
  });
}

test('a corrected field keeps the space of its error message until the phone is rotated', async ({
  browser,
}) => {
  const { page, close } = await visit(browser, bank.url, { width: 320, height: 780, colorScheme: 'light' });
  await page.goto('/register');
  await registerButton(page).click();
  await expect(page.locator('.ErrorSummary')).toBeFocused();
  const notes = (label: string) => page.locator('.Field', { hasText: label }).first().locator('.Field-notes');
  const height = (label: string) => notes(label).evaluate(node => (node as HTMLElement).offsetHeight);
  const errorHeight = await height('First name');
  expect(errorHeight).toBeGreaterThan(0);
  await page.getByLabel('First name').fill('Ottoline');
  await expect(notes('First name')).toHaveText('');
  expect(await height('First name')).toBe(errorHeight);
  const onThreeLines = await height('ID document');
  await page.setViewportSize({ width: 780, height: 360 });
  await expect.poll(() => height('First name')).toBe(0);
  await expect.poll(() => height('ID document')).toBeLessThan(onThreeLines);
  await close();
});

test('before a reload or a link discards a partly filled-in form, the visitor is asked [G-16]', async ({
  browser,
}) => {
  const { page, expectErrors, close } = await visit(browser, bank.url);
  await page.goto('/register');
  await expectHydrated(page);
  // Browsers ask only after the person has used the page.
  await page.getByLabel('First name').click();
  await page.keyboard.type('Ottoline');
  const asked = page.waitForEvent('dialog', { timeout: waitLimitMs });
  await page.evaluate(() => setTimeout(() => location.reload()));
  const question = await asked;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();
  await expect(page.getByLabel('First name')).toHaveValue('Ottoline');
  await page.locator('main').getByRole('link', { name: 'Login' }).click();
  await dialog(page).getByRole('button', { name: 'Stay' }).click();
  await expect(page.getByLabel('First name')).toHaveValue('Ottoline');
  // Waits until the dialog is closed. An open dialog would receive the key press with which `fill` empties the field.
  await expect(dialog(page)).toBeHidden();
  await page.getByLabel('First name').fill('');
  await page.locator('main').getByRole('link', { name: 'Login' }).click();
  await expect(page).toHaveURL(/\/login$/);
  expectErrors();
  await close();
});

test('a visitor who returns to the form with Back can pick the same picture again [G-02]', async ({
  browser,
}) => {
  const { page, close } = await visit(browser, bank.url);
  const pickPortrait = async () => {
    await expectHydrated(page);
    const asked = page.waitForEvent('filechooser', { timeout: waitLimitMs });
    await files(page).first().click();
    await (await asked).setFiles(portraitPath);
    await expect(page.getByText('ines.webp')).toBeVisible();
  };
  await page.goto('/register');
  await pickPortrait();
  await page.goto('/about');
  await page.goBack();
  await pickPortrait();
  await close();
});

test('missing and invalid fields are reported before anything is sent, each rule with its own message [V-01, V-02, V-03, V-04, V-05, V-07, V-08, V-30]', async ({
  browser,
}) => {
  const { page, expectErrors, close } = await visit(browser, bank.url);
  const requested: string[] = [];
  page.on('request', request => request.method() === 'POST' && requested.push(request.url()));
  await page.goto('/register');
  await registerButton(page).click();
  await expect(page.locator('.ErrorSummary')).toContainText(
    'Please fill in all required fields: First name, Last name, Gender, Address, Region, ZIP code, Email, Phone number, Password',
  );
  await expect(page.locator('.ErrorSummary')).toBeFocused();
  await page.locator('.ErrorSummary').getByRole('link', { name: 'ZIP code' }).click();
  await expect(page.getByLabel('ZIP code')).toBeFocused();

  await fillForm(page, 'ottoline@');
  await page.getByLabel('Phone number').fill('212555014');
  await page.getByLabel('Password', { exact: true }).fill('12345');
  await page.getByRole('button', { name: 'Remove image' }).first().click();
  await registerButton(page).click();
  for (const sentence of [
    'Please enter a valid email address',
    'Please enter a valid 10-digit phone number',
    'Password must be at least 6 digits long and contain only numbers',
    'Please upload a profile image',
  ])
    await expect(page.locator('.Field-error').getByText(sentence)).toBeVisible();

  await page.getByLabel('Password', { exact: true }).fill('123456');
  await expect(page.getByText('This password is easy to guess.')).toBeVisible();
  await page.getByLabel('Email').fill(newEmail());
  await page.getByLabel('Phone number').fill('2125550147');
  await expect(files(page).first()).toHaveAttribute('accept', 'image/jpeg,image/png,image/webp');
  const pdf = { name: 'letter.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') };
  await files(page).first().setInputFiles(pdf);
  await expect(page.getByText('Please use a JPEG, PNG or WebP image.').first()).toBeVisible();
  await registerButton(page).click();
  await expect(page.locator('.ErrorSummary')).toContainText('Please use a JPEG, PNG or WebP image.');
  const broken = { name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('PNG') };
  await files(page).first().setInputFiles(broken);
  await registerButton(page).click();
  await expect(page.locator('.ErrorSummary')).toContainText('We can’t read this picture');
  const speck = await page.evaluate(() =>
    Object.assign(document.createElement('canvas'), { width: 8, height: 8 }).toDataURL(),
  );
  const small = { ...broken, buffer: Buffer.from(speck.split(',')[1]!, 'base64') };
  const huge = { ...broken, buffer: Buffer.alloc(10 * 1024 * 1024 + 1) };
  const pixels = { width: 5001, height: 5000, channels: 3, background: 'white' } as const;
  const detailed = { ...broken, buffer: await sharp({ create: pixels }).png().toBuffer() };
  for (const [picked, sentence] of [
    [small, 'This picture is too small. Each side needs at least 32 pixels.'],
    [huge, 'This file is too large. Images can be up to 10 MB.'],
    [detailed, 'This picture has too many pixels. It can have up to 25 megapixels.'],
  ] as const) {
    await files(page).first().setInputFiles(picked);
    await expect(page.locator('.Field-error').getByText(sentence)).toBeVisible();
  }
  expect(requested).toEqual([]);
  await files(page).first().setInputFiles(portraitPath);
  // An invalid ID document blocks the form although it is optional. Otherwise the application would be sent without it.
  await files(page).last().setInputFiles(pdf);
  await expect(page.locator('.Field-error')).toHaveCount(1);
  await registerButton(page).click();
  await expect(page.locator('.ErrorSummary')).toContainText('Check these fields: ID document');
  expect(requested).toEqual([]);
  await page.getByRole('button', { name: 'Remove image' }).last().click();
  await registerButton(page).click();
  await expect(dialog(page)).toContainText(approvalSentence);
  expect(requested).toHaveLength(1);
  expectErrors();
  await close();
});

test('on a slow connection the upload shows its percentage, and a second click sends nothing [G-05]', async ({
  browser,
}) => {
  const { page, context, expectErrors, close } = await visit(browser, bank.url);
  const requested: string[] = [];
  page.on('request', request => request.url().endsWith(path) && requested.push(request.method()));
  await page.goto('/register');
  await fillForm(page, newEmail());
  // A picture of several megabytes.
  const pixels = { width: 1000, height: 1000, channels: 3 } as const;
  const buffer = await sharp(randomBytes(3_000_000), { raw: pixels }).png().toBuffer();
  await files(page).first().setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer });
  const devTools = await context.newCDPSession(page);
  await devTools.send('Network.enable');
  await devTools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: 100_000,
  });
  await registerButton(page).click();
  const progress = page.getByRole('progressbar', { name: 'Sending your application' });
  await expect(progress).toBeVisible();
  await registerButton(page).click({ force: true });
  await expect
    .poll(async () => Number(await progress.getAttribute('value').catch(() => 100)), { intervals: [50] })
    .toBeGreaterThan(0);
  await expect(page.locator('.Progress-percent')).toHaveText(/^[1-9]\d?%$/);
  await devTools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
  await expect(dialog(page)).toContainText(approvalSentence);
  expect(requested).toEqual(['POST']);
  expectErrors();
  await close();
});

test('a registration without a response times out after 60 seconds, says why, and keeps the form [G-04, ER-01]', async ({
  browser,
}) => {
  const { page, close } = await visit(browser, bank.url);
  // Makes the browser's own timeout sixty times shorter.
  await page.addInitScript(() => {
    const native = Object.getOwnPropertyDescriptor(XMLHttpRequest.prototype, 'timeout')!;
    Object.defineProperty(XMLHttpRequest.prototype, 'timeout', {
      set(milliseconds: number) {
        Object.assign(window, { timeoutMs: milliseconds });
        native.set!.call(this, milliseconds / 60);
      },
    });
  });
  await holdRequests(page, `**${path}`);
  await page.goto('/register');
  await fillForm(page, newEmail());
  await registerButton(page).click();
  await expect(dialog(page)).toContainText(
    'Upload taking too long. Please try with a smaller image or check your connection.',
  );
  // The application may or may not have arrived, so the title claims neither.
  await expect(dialog(page).getByRole('heading', { name: 'Something went wrong' })).toBeVisible();
  expect(await page.evaluate(() => (window as unknown as { timeoutMs: number }).timeoutMs)).toBe(60_000);
  await dialog(page).getByRole('button', { name: 'Close' }).click();
  await expect(page).toHaveURL(/\/register$/);
  await expect(page.getByLabel('Last name')).toHaveValue('Marsh');
  await close();
});

test('a refused registration shows the bank’s message, or a fallback if there is none, and keeps the form [G-06, C-12, C-33, ER-02, ER-03]', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank, { approved: false });
  const { page, close } = await visit(browser, bank.url);
  await page.goto('/register');
  await fillForm(page, email);
  await registerButton(page).click();
  await expect(dialog(page)).toContainText('An account with this email already exists');
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: 'Close' }).click();
  await expect(page.getByLabel('Email')).toBeFocused();
  await expect(page.getByLabel('Email')).toBeInViewport();
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription(
    'An account with this email already exists. Login',
  );
  await expect(page.locator('.Field-error').getByRole('link', { name: 'Login' })).toBeVisible();
  await expectAccessible(page);
  await page.route(`**${path}`, route => route.fulfill({ status: 500, body: '' }), { times: 1 });
  await registerButton(page).click();
  await expect(dialog(page)).toContainText('Registration failed. Please try again.');
  await dialog(page).getByRole('button', { name: 'Close' }).click();
  await page.route(`**${path}`, route => route.abort(), { times: 1 });
  await registerButton(page).click();
  await expect(dialog(page)).toContainText('Network error. Please check your connection and try again.');
  await dialog(page).getByRole('button', { name: 'Close' }).click();
  await page.getByLabel('Email').fill(newEmail());
  await registerButton(page).click();
  await expect(dialog(page)).toContainText(approvalSentence);
  await close();
});

test("the owner of an email removes another person's registration; opening the link alone removes nothing [G-20]", async ({
  browser,
}) => {
  const { email } = await newCustomer(bank, { approved: false });
  const link = await eventually(async () => {
    const mails = await bank.mailsTo(email);
    return mails.map(({ text }) => /http\S+\/not-me#\S+/.exec(text)?.[0]).find(found => found !== undefined);
  });
  const { page, expectErrors, close } = await visit(browser, bank.url, displays['on a phone in dark mode']);
  const remove = page.getByRole('button', { name: 'Remove the registration' });
  await page.goto(link);
  await expect(remove).toBeVisible();
  await expectFitsScreen(page);
  await expectAccessibleInBothSchemes(page);
  // Opening the page changed nothing: the email is still taken.
  const taken = await fetch(bank.url + path, { method: 'POST', body: registrationForm({ email }) });
  expect(taken.status).toBe(409);
  await remove.click();
  await expect(
    page.getByText(
      'The registration was removed. We erased everything in it except what the law requires us to keep.',
    ),
  ).toBeVisible();
  await expectAccessible(page);
  await page.reload();
  await remove.click();
  await expect(page.getByText('This link no longer works.')).toBeVisible();
  await expect(remove).toHaveCount(0);
  const again = await fetch(bank.url + path, { method: 'POST', body: registrationForm({ email }) });
  expect(again.status).toBe(201);
  expectErrors('404');
  await close();
});
