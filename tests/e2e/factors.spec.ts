/** Second factors in a real browser, with a virtual authenticator for passkeys. */
import { expect, type Page, test } from '@playwright/test';
import { appCode } from '../authenticator.ts';
import { admin, startBankForFile } from './bank.ts';
import {
  asOwner,
  codeBox,
  dialog,
  enterCredentials,
  logIn,
  newCustomer,
  password,
  typeCode,
} from './customers.ts';
import { expectFitsScreen, visit } from './visit.ts';
import { expectAccessibleInBothSchemes } from './watch.ts';

const bank = startBankForFile({ RATE_LIMITS: 'off' });

/** Adds a virtual device that holds passkeys and confirms each use. */
async function addAuthenticator(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

const secretOf = async (page: Page) =>
  (
    await dialog(page)
      .getByText(/^([A-Z2-7]{4} ?){8}$/)
      .innerText()
  ).replaceAll(' ', '');
const codesOf = (page: Page) => dialog(page).getByRole('listitem').allInnerTexts();
const logOut = async (page: Page) => {
  await page.evaluate(() => localStorage.clear());
};

/** Sets up an authenticator app in the security settings. Returns its secret and the recovery codes. */
async function setUpApp(page: Page): Promise<{ secret: string; codes: string[] }> {
  await page.getByRole('button', { name: 'Set up app' }).click();
  await expect(dialog(page).getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  const secret = await secretOf(page);
  await dialog(page).getByLabel('Six-digit code').fill('000000');
  await dialog(page).getByRole('button', { name: 'Turn on' }).click();
  await expect(dialog(page).getByText('Invalid or expired code')).toBeVisible();
  await dialog(page).getByLabel('Six-digit code').fill(appCode(secret));
  await dialog(page).getByRole('button', { name: 'Turn on' }).click();
  await expect(dialog(page).getByText('Save your recovery codes')).toBeVisible();
  const codes = await codesOf(page);
  expect(codes).toHaveLength(10);
  await expectAccessibleInBothSchemes(page);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByText('Larkspur Bank: recovery codes. Each one works once.')).toBeVisible();
  await expect(dialog(page).getByText(codes[9]!)).toBeVisible();
  await expect(page.locator('#root')).toBeHidden();
  await expect(page.locator('.Dialog-scrim')).toBeHidden();
  await page.emulateMedia({ media: null });
  const saved = page.waitForEvent('download');
  await dialog(page).getByRole('button', { name: 'Save as file' }).click();
  expect((await saved).suggestedFilename()).toBe('larkspur-recovery-codes.txt');
  await dialog(page).getByRole('button', { name: 'I saved them' }).click();
  await expect(page.getByText(/^10 of 10 recovery codes left/)).toBeVisible();
  // An app's code works only once, but the next login may come before the app shows another one. So the bank forgets this one.
  await asOwner(bank, 'UPDATE authenticator_apps SET last_step = 0');
  return { secret, codes };
}

/** Adds a passkey in the security settings. */
async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add passkey' }).click();
  // Without a name, nothing may be sent to the bank. A refusal by the bank would be one error more than `expectErrors` allows.
  await dialog(page).getByRole('button', { name: 'Continue' }).click();
  await expect(dialog(page).getByText('Please name this passkey')).toBeVisible();
  await dialog(page).getByLabel('Name').fill(name);
  await dialog(page).getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('list', { name: 'Passkeys' }).getByText(name)).toBeVisible();
}

test('a customer logs in with an authenticator app, a recovery code and a passkey, and removes app and passkey [BR-60, SF-13]', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank);
  const { page, expectErrors, close } = await visit(browser, bank.url);
  await addAuthenticator(page);
  await logIn(page, bank, email);
  await page.goto('/dashboard/settings');
  await page.getByRole('tab', { name: 'Security' }).click();
  const { secret, codes } = await setUpApp(page);

  await logOut(page);
  await page.goto('/login');
  await enterCredentials(page, email, password);
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
  await expect(page.getByRole('button', { name: /Resend/ })).toHaveCount(0);
  await expectAccessibleInBothSchemes(page);
  await codeBox(page, 1).waitFor();
  await typeCode(page, appCode(secret));
  await page.getByRole('button', { name: 'Verify OTP' }).click();
  await page.waitForURL('**/dashboard');

  await logOut(page);
  await page.goto('/login');
  await enterCredentials(page, email, password);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(codes[0]!);
  await page.getByRole('button', { name: 'Verify OTP' }).click();
  await page.waitForURL('**/dashboard');

  await page.goto('/dashboard/settings');
  await page.getByRole('tab', { name: 'Security' }).click();
  await expect(page.getByText(/^9 of 10 recovery codes left/)).toBeVisible();
  await addPasskey(page, 'My laptop');
  await expect(page.getByText('Not used yet')).toBeVisible();
  await expectFitsScreen(page);
  await expectAccessibleInBothSchemes(page);

  await logOut(page);
  await page.goto('/login');
  await page.getByRole('button', { name: 'Log in with a passkey' }).click();
  await page.waitForURL('**/dashboard');

  // The browser suggests the passkey for the email field; the virtual authenticator accepts at once.
  await logOut(page);
  await page.goto('/login');
  await page.getByLabel('Email').focus();
  await page.waitForURL('**/dashboard');
  await page.goto('/dashboard/settings');
  await page.getByRole('tab', { name: 'Security' }).click();
  await expect(page.getByText(/^Last used/)).toBeVisible();

  // Removing the passkey must be confirmed with the passkey; removing the app, by typing the code from the form again.
  await page.getByRole('button', { name: 'Remove My laptop' }).click();
  await dialog(page).getByRole('button', { name: 'Remove', exact: true }).click();
  const removal = (name: string) => page.getByRole('dialog', { name, exact: true });
  await expect(removal('Remove the passkey “My laptop”')).toContainText('Use your fingerprint');
  await expectAccessibleInBothSchemes(page);
  await removal('Remove the passkey “My laptop”').getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText(/^No passkeys yet/)).toBeVisible();
  await page.getByRole('button', { name: 'Remove app' }).click();
  const code = appCode(secret, 1);
  await dialog(page).getByLabel('Password', { exact: true }).fill(password);
  await dialog(page).getByLabel('Code from your app, or a recovery code').fill(code);
  await dialog(page).getByRole('button', { name: 'Remove app' }).click();
  await expect(removal('Remove the authenticator app')).toBeVisible();
  await typeCode(page, code);
  await expect(page.getByText('Not set up. We email you a code when you log in.')).toBeVisible();
  expectErrors(
    'the server responded with a status of 400',
    'the server responded with a status of 403',
    'the server responded with a status of 403',
  );
  await close();
});

test('an administrator logs in with an app and a recovery code, adds a passkey with password and a recovery code, and logs in with that passkey [SF-13, KY-30]', async ({
  browser,
}) => {
  const { page, expectErrors, close } = await visit(browser, bank.url);
  await addAuthenticator(page);
  const enter = async () => {
    await page.goto('/admin/login');
    await page.getByLabel('Email').fill(admin.email);
    await page.getByLabel('Password').fill(admin.password);
    await page.getByRole('button', { name: 'Login', exact: true }).click();
  };
  await enter();
  await page.waitForURL('**/admin/dashboard');
  await page.goto('/admin/dashboard?view=account');
  const { secret, codes } = await setUpApp(page);

  await logOut(page);
  await enter();
  await page.getByLabel('Six-digit code').fill(appCode(secret));
  await expectAccessibleInBothSchemes(page);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await page.waitForURL('**/admin/dashboard');

  await logOut(page);
  await enter();
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(codes[0]!);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await page.waitForURL('**/admin/dashboard');

  await page.goto('/admin/dashboard?view=account');
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await dialog(page).getByLabel('Name').fill('Office key');
  await dialog(page).getByRole('button', { name: 'Continue' }).click();
  const confirmation = page.getByRole('dialog', { name: 'Confirm that it’s you' });
  await expect(confirmation.getByLabel('Password')).toBeFocused();
  await expectAccessibleInBothSchemes(page);
  await confirmation.getByLabel('Password').fill(admin.password);
  await confirmation.getByLabel('Code from your app, or a recovery code').fill(codes[1]!);
  await confirmation.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('list', { name: 'Passkeys' }).getByText('Office key')).toBeVisible();
  await expectFitsScreen(page);
  await expectAccessibleInBothSchemes(page);
  await logOut(page);
  await page.goto('/admin/login');
  await page.getByRole('button', { name: 'Log in with a passkey' }).click();
  await page.waitForURL('**/admin/dashboard');
  expectErrors(
    'the server responded with a status of 400',
    'the server responded with a status of 401',
    'the server responded with a status of 401',
  );
  await close();
});
