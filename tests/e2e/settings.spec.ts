/**
 * The settings in a real browser: a customer changes picture, ID document, contact details and password, ends sessions, and
 * deletes the account. A second browser shows the effects on another session. Also tests confirmations with a mailed code, the
 * customer's own freeze, and push notifications.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, expect, type Page, test } from '@playwright/test';
import { adminApi } from '#contract/admin.ts';
import { settingsApi } from '#contract/settings.ts';
import { transactionsApi } from '#contract/transactions.ts';
import { transferApi } from '#contract/transfer.ts';
import { waitLimitMs, waitUntil } from '../waiting.ts';
import { startBankForFile } from './bank.ts';
import {
  adminToken,
  callOrThrow,
  logInThroughApi,
  newCustomer,
  password,
  pressKeypad,
  typeCode,
} from './customers.ts';
import { displays, storedUser, visit } from './visit.ts';
import { expectAccessible, expectAccessibleAndFitting } from './watch.ts';

const portraits = fileURLToPath(new URL('../../src/server/demo/portraits', import.meta.url));
const [otherPortrait, specimen] = ['wren', 'specimen-id'].map(name => join(portraits, `${name}.webp`)) as [
  string,
  string,
];
const nextPassword = '57920148';

const bank = startBankForFile();

const displayOf = {
  desktop: displays['on a desktop in light mode'],
  phone: displays['on a phone in dark mode'],
};

/** Opens a browser with one of the displays, logged in, at `path`. */
async function enter(browser: Browser, display: keyof typeof displayOf, email: string, path: string) {
  const opened = await visit(browser, bank.url, displayOf[display], {
    user: await logInThroughApi(bank, email),
  });
  await opened.page.goto(path);
  return opened;
}

async function changePassword(page: Page, current: string, next: string, confirm = next): Promise<void> {
  await page.getByLabel('Current password').fill(current);
  await page.getByLabel('New password').fill(next);
  await page.getByLabel('Confirm password').fill(confirm);
  await page.getByRole('button', { name: 'Update Password' }).click();
}

test('a customer changes picture, ID document, contact and password, ends sessions and deletes the account [S-01 to S-15, S-19, S-20, ST-15, V-17]', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank, { firstName: 'Nora', lastName: 'Quist' });
  const ola = await logInThroughApi(bank, (await newCustomer(bank, { firstName: 'Ola' })).email);
  const desktop = await enter(browser, 'desktop', email, '/dashboard');
  const phone = await enter(browser, 'phone', email, '/dashboard/settings');
  const { page } = desktop;
  const section = (name: string) => page.getByRole('region', { name, exact: true });
  const notice = (text: string) => page.getByText(text, { exact: true });

  await test.step('a new picture shows in the header immediately', async () => {
    await page.getByRole('link', { name: 'Settings' }).click();
    await expect(page.getByRole('tab')).toHaveText([
      'Profile & Documents',
      'Security',
      'Notifications',
      'Delete Account',
    ]);
    await expect(page.getByText('Recommended: Square image, max 5MB')).toBeVisible();
    const shown = page.getByRole('img', { name: 'Nora Quist' });
    const former = await shown.getAttribute('src');
    await section('Profile image').locator('input[type=file]').setInputFiles(otherPortrait);
    await expectAccessibleAndFitting(page);
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await expect(notice('Image uploaded successfully')).toBeVisible();
    await expect(shown).not.toHaveAttribute('src', former ?? '');
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expect(notice('Image uploaded successfully')).toHaveCount(0);
  });

  await test.step('an ID document is uploaded and viewed, without a lasting URL', async () => {
    await expect(section('ID document').getByText('ID document: not added')).toBeVisible();
    await section('ID document').locator('input[type=file]').setInputFiles(specimen);
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await expect(section('ID document').getByText('ID document: under review')).toBeVisible();
    const opening = page.context().waitForEvent('page');
    await page.getByRole('button', { name: 'View my ID' }).click();
    const picture = await opening;
    await expect(picture.getByRole('img', { name: 'ID document' })).toBeVisible();
    await picture.close();
  });

  await test.step('date of birth and city are checked, saved and kept', async () => {
    await page.getByLabel('Date of birth').fill('2020-04-12');
    await page.getByLabel('City').fill('Hudson');
    await section('Personal details').getByRole('button', { name: 'Save Changes' }).click();
    await expect(notice('You must be 18 or older to have an account')).toBeVisible();
    await page.getByLabel('Date of birth').fill('1990-04-12');
    await section('Personal details').getByRole('button', { name: 'Save Changes' }).click();
    await expect(notice('Personal details updated successfully')).toBeVisible();
  });

  await test.step('leaving an edited form asks, even for another tab', async () => {
    await page.getByLabel('Address').fill('1 Sorrel Way');
    for (const leave of [
      page.getByRole('tab', { name: 'Security' }),
      page.getByRole('link', { name: 'Loans' }),
    ]) {
      await leave.click();
      await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click();
      await expect(page.getByLabel('Address')).toHaveValue('1 Sorrel Way');
    }
    await page.getByLabel('Address').fill('4 Meadow Row');
  });

  await test.step('contact details are shown, checked, saved and kept', async () => {
    await expect(page.getByLabel('Address')).toHaveValue('4 Meadow Row');
    const form = page.locator('form').filter({ has: page.getByLabel('Phone number') });
    const height = () => form.evaluate(element => element.getBoundingClientRect().height);
    const before = await height();
    await page.getByLabel('Phone number').fill('12');
    await page.getByLabel('ZIP code').fill('');
    await form.getByRole('button', { name: 'Save Changes' }).click();
    const heightWithErrors = await height();
    expect(heightWithErrors).toBeGreaterThan(before);
    await page.getByLabel('ZIP code').fill('10014');
    expect(await height()).toBe(heightWithErrors);
    await expect(notice('Please enter a valid 10-digit phone number')).toBeVisible();
    await page.getByLabel('Phone number').fill('(212) 555-0199');
    await page.getByLabel('Address').fill('9 Harbour Street');
    await form.getByRole('button', { name: 'Save Changes' }).click();
    await expect(notice('Contact information updated successfully')).toBeVisible();
    // A corrected field keeps the space of its error message; saving removes it.
    expect(await height()).toBe(before);
    await page.reload();
    await expect(page.getByLabel('Address')).toHaveValue('9 Harbour Street');
    await expect(page.getByLabel('Date of birth')).toHaveValue('1990-04-12');
    await expect(page.getByLabel('City')).toHaveValue('Hudson');
    await expect(page.getByLabel('Phone number')).toHaveValue('(212) 555-0199');
    await expect(phone.page.getByLabel('Region')).toHaveValue('New York');
    await expectAccessibleAndFitting(phone.page);
  });

  await test.step('a password that is wrong, repeated wrongly or too short changes nothing', async () => {
    await page.getByRole('tab', { name: 'Security' }).click();
    await changePassword(page, password, '123456', '123457');
    await expect(notice('Passwords do not match')).toBeVisible();
    await expect(page.getByText('This password is easy to guess.')).toBeVisible();
    await changePassword(page, password, '12345');
    await expect(
      notice('Password must be at least 6 digits long and contain only numbers').first(),
    ).toBeVisible();
    await changePassword(page, '11111111', nextPassword);
    await expect(notice('Current password is incorrect')).toBeVisible();
    await expect(page.getByLabel('Current password')).toBeFocused();
    await expect(page.getByLabel('Current password')).toHaveAccessibleDescription(
      'Current password is incorrect',
    );
    await expectAccessibleAndFitting(page);
  });

  await test.step('a new password, entered with the keypad, ends only the session on the phone', async () => {
    await page.reload();
    const sessions = page.getByRole('list', { name: 'Active sessions' }).getByRole('listitem');
    await expect(sessions).toHaveCount(2);
    await expect(sessions.filter({ hasText: 'This device' })).toHaveCount(1);
    const confirm = page.getByLabel('Confirm password');
    const position = await confirm.boundingBox();
    await page.getByLabel('New password').fill('111111');
    await expect(page.getByText('This password is easy to guess.')).toBeVisible();
    expect(await confirm.boundingBox(), 'the warning moves nothing').toEqual(position);
    await page.getByLabel('New password').fill('');
    for (const [field, digits] of [
      ['Current password', password],
      ['New password', nextPassword],
      ['Confirm password', nextPassword],
    ] as const) {
      await page.getByLabel(field).click();
      await pressKeypad(page, digits);
    }
    await page.getByRole('button', { name: 'Update Password' }).click();
    await expect(notice('Password updated successfully')).toBeVisible();
    await expect(page.getByLabel('Current password')).toHaveValue('');
    await expect(sessions).toHaveCount(1);
    await expect(page.getByText('You’re not logged in on any other device.')).toBeVisible();
    await phone.page.goto('/dashboard');
    await expect(phone.page).toHaveURL(/\/login$/);
  });

  await test.step('the customer logs in on the phone with the new password, and ends that session from the desktop', async () => {
    await phone.page.getByLabel('Email').fill(email);
    await pressKeypad(phone.page, nextPassword);
    await phone.page.getByRole('button', { name: 'Login', exact: true }).last().click();
    await phone.page.getByLabel('Digit 1 of 6').focus();
    await phone.page.keyboard.type(await bank.newCode(email));
    await phone.page.getByRole('button', { name: 'Verify OTP' }).click();
    await expect(phone.page).toHaveURL(/\/dashboard$/);
    await phone.page.goto('/dashboard/settings?tab=security');
    await expect(phone.page.getByText('This device')).toBeVisible();
    await expectAccessibleAndFitting(phone.page);

    await page.reload();
    await page.getByRole('button', { name: /^End session on / }).click();
    const confirmation = page.getByRole('dialog', { name: 'End this session?' });
    await expectAccessible(page);
    await confirmation.getByRole('button', { name: 'End session' }).click();
    await expect(notice('Session ended')).toBeVisible();
    await expect(page.getByText('You’re not logged in on any other device.')).toBeVisible();
    await phone.page.goto('/dashboard');
    await expect(phone.page).toHaveURL(/\/login$/);
  });

  await test.step('the account can be deleted with the password once it is empty; canceling clears the password', async () => {
    await page.getByRole('tab', { name: 'Delete Account' }).click();
    for (const warning of [
      'All transaction history deleted',
      'Balance must be zero',
      'Pending transactions must be completed',
      'Your balance is zero.',
      'You have no pending transfers.',
    ]) {
      await expect(page.getByText(warning)).toBeVisible();
    }
    const { accountNumber } = (await storedUser(page)) as { accountNumber: string };
    const credit = { userAccountNumber: accountNumber, amount: 5, description: 'gift' };
    await callOrThrow(bank, adminApi.credit, { body: credit, token: await adminToken(bank) });
    await expect(page.getByText('You have $5.00 in your account.')).toBeVisible();
    const begin = page.getByRole('button', { name: 'Delete Account' });
    await begin.click();
    await expect(page.getByText('You can’t delete your account yet')).toBeVisible();
    await expect(page.getByText('Balance must be zero before you delete your account')).toBeVisible();
    await expect(page.getByLabel('Password', { exact: true })).toHaveCount(0);
    await expectAccessibleAndFitting(page);
    const { accountNumber: receiverAccountNumber } = ola;
    await callOrThrow(bank, transferApi.sendInternal, {
      body: { receiverAccountNumber, amount: 5, description: '' },
      token: ((await storedUser(page)) as { token: string }).token,
    });
    await expect(page.getByText('Your balance is zero.')).toBeVisible();
    await page.reload();
    await begin.click();
    const box = page.getByLabel('Password', { exact: true });
    await expect(box).toBeFocused();
    await box.fill(password);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(begin).toBeFocused();
    await begin.click();
    await expect(box).toHaveValue('');
    await expectAccessibleAndFitting(page);
    const confirm = page.getByRole('button', { name: 'Confirm Delete' });
    const size = page.viewportSize()!;
    await page.setViewportSize({ width: 360, height: 780 });
    const lines = await confirm.evaluate(element => {
      const text = new Range();
      text.selectNodeContents(element);
      return text.getClientRects().length;
    });
    expect(lines).toBe(1);
    await page.setViewportSize(size);
    await pressKeypad(page, password);
    await confirm.click();
    await expect(notice('Password is incorrect')).toBeVisible();
    await expect(box).toHaveAccessibleDescription('Password is incorrect');
    await expect(box).toBeFocused();
    await expect(box).toHaveValue('');
    await box.fill(nextPassword);
    await page.getByRole('button', { name: 'Confirm Delete' }).click();
    await expect(page).toHaveURL(/\/login$/);
    await expect(page.getByText('Account deleted successfully')).toBeVisible();
    expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull();
  });

  const refused = (status: number) => `the server responded with a status of ${status}`;
  desktop.expectErrors(refused(400), refused(400));
  await desktop.close();
  await phone.close();
});

test('a customer confirms a large transfer with a mailed code and cancels a payment; another customer freezes and unfreezes their account [BR-30, BR-40, BR-60]', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank, { firstName: 'Signe', lastName: 'Dahl' });
  const other = await newCustomer(bank, { firstName: 'Rowan', lastName: 'Pike' });
  const signe = await logInThroughApi(bank, email);
  const rowan = await logInThroughApi(bank, other.email);
  const credit = { userAccountNumber: signe.accountNumber, amount: 40_000, description: 'sale' };
  await callOrThrow(bank, adminApi.credit, { body: credit, token: await adminToken(bank) });
  const balanceOf = async ({ token }: { token: string }) =>
    (await callOrThrow(bank, transactionsApi.balance, { token })).balance;
  const desktop = await visit(browser, bank.url, displayOf.desktop, { user: signe });
  const phone = await visit(browser, bank.url, displayOf.phone, { user: rowan });
  const { page } = desktop;
  const named = (opened: Page, name: string) => opened.getByRole('dialog', { name, exact: true });

  await test.step('$30,000 asks for a confirmation; canceling it sends nothing, and the mailed code sends the transfer once', async () => {
    await page.goto('/dashboard/transfer');
    await page.getByLabel('Receiver’s account number').fill(rowan.accountNumber);
    await page.getByLabel('Amount', { exact: true }).fill('30000');
    const send = page.getByRole('button', { name: 'Send Money' });
    await send.click();
    const panel = named(page, 'Confirm $30,000.00 to Rowan Pike');
    await expect(panel).toContainText(`We emailed a six-digit code to ${email}.`);
    await expect(panel.getByRole('button', { name: /^Send a new code in \d+s$/ })).toBeDisabled();
    await expectAccessibleAndFitting(page);
    await panel.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.locator('[role=dialog]')).toHaveCount(0);
    await expect(send).toBeFocused();
    expect(await balanceOf(signe)).toBe(40_000);

    // The code that was mailed for the canceled confirmation still works, also after a reload.
    await send.click();
    await expect(panel).toContainText(`We emailed a six-digit code to ${email}.`);
    await page.reload();
    await expect(panel).toContainText(`We emailed a six-digit code to ${email}.`);
    await expect(panel.getByRole('button', { name: /^Send a new code in \d+s$/ })).toBeDisabled();
    await expect(page.locator('[role=dialog]')).toHaveCount(1);
    await typeCode(page, await bank.newCode(email));
    const done = named(page, 'Transfer Successful');
    await expect(done).toContainText('$30,000.00');
    expect([await balanceOf(signe), await balanceOf(rowan)]).toEqual([10_000, 30_000]);
    await done.getByRole('button', { name: 'Close' }).click();
  });

  await test.step('a payment to another bank is canceled before the cut-off, and the money is back', async () => {
    const { _id } = await callOrThrow(bank, transferApi.sendExternal, {
      body: {
        bankName: 'Barclays',
        accountName: 'Hollis Vane',
        accountNumber: '73120841',
        amount: 200,
        description: '',
      },
      token: signe.token,
    });
    await page.goto(`/dashboard/transactions/${_id}`);
    await expect(page.getByText(/^You can cancel this payment until .+ 5:00 PM\.$/)).toBeVisible();
    await page.setViewportSize({ width: 1440, height: 600 });
    const cancel = page.getByRole('button', { name: 'Cancel payment' });
    const bottom = (element: Element) => element.getBoundingClientRect().bottom;
    const sheetBottom = await page.locator('.Dialog--side').evaluate(bottom);
    expect(sheetBottom, 'the sheet is as long as its contents').toBeGreaterThan(
      await cancel.evaluate(bottom),
    );
    await page.setViewportSize(displayOf.desktop);
    await cancel.click();
    const question = named(page, 'Cancel this payment?');
    await expect(question).toContainText('$200.00 goes back to your account.');
    // The question dims the transaction that it is about.
    const layer = (element: Element) => getComputedStyle(element).zIndex;
    const sheetLayer = await page.locator('.Dialog-viewport').first().evaluate(layer);
    expect(await page.locator('.Dialog-scrim').last().evaluate(layer)).toBe(sheetLayer);
    await expectAccessibleAndFitting(page);
    await question.getByRole('button', { name: 'Cancel payment' }).click();
    await expect(question).toHaveCount(0);
    await expect(page.getByRole('dialog')).toContainText('Canceled');
    await expect(page.getByRole('dialog')).not.toContainText('Cancelled');
    await expect(page.getByRole('button', { name: 'Cancel payment' })).toHaveCount(0);
    expect(await balanceOf(signe)).toBe(10_000);
  });

  await test.step('a customer freezes the account on a phone, and unfreezes it with the mailed code', async () => {
    const { page } = phone;
    await page.goto('/dashboard/settings?tab=security');
    await page.getByRole('button', { name: 'Freeze my account' }).click();
    await expect(page.getByText('Your account is frozen. No money can leave it.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Unfreeze', exact: true })).toBeVisible();
    await expectAccessibleAndFitting(page);
    await page.getByRole('button', { name: 'Unfreeze my account' }).click();
    const panel = named(page, 'Unfreeze your account');
    await expect(panel).toContainText('We emailed a six-digit code');
    await expectAccessibleAndFitting(page);
    await typeCode(page, await bank.newCode(other.email));
    await expect(page.getByText('Your account is no longer frozen.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Freeze my account', exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Unfreeze', exact: true })).toHaveCount(0);
  });

  const refused = (status: number) => `the server responded with a status of ${status}`;
  desktop.expectErrors(refused(403), refused(403), refused(403));
  phone.expectErrors(refused(403));
  await desktop.close();
  await phone.close();
});

test('a customer pending approval gives date of birth, city and ID document on the notice, and can use the permitted settings [D-03, D-04, S-15, AC-07]', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank, { firstName: 'Odile', lastName: 'Quist', approved: false });
  const { page, expectErrors, close } = await enter(browser, 'phone', email, '/dashboard');
  await expect(page.getByRole('heading', { name: 'Account Pending Approval' })).toBeVisible();
  await page.locator('input[type=file]').setInputFiles(specimen);
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await expect(page.getByText('Image uploaded successfully')).toBeVisible();
  await expect(page.getByText('ID document: under review')).toBeVisible();
  await page.getByLabel('Date of birth').fill('1990-04-12');
  await page.getByLabel('City').fill('Hudson');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Personal details updated successfully')).toBeVisible();
  await expectAccessibleAndFitting(page);
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByLabel('City')).toHaveValue('Hudson');
  await expect(page.getByRole('tab')).toHaveText(['Profile & Documents', 'Security']);
  await page.getByLabel('Address').fill('12 Quarry Road');
  await page.locator('.ContactDetails').getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Contact information updated successfully')).toBeVisible();
  await page.getByRole('tab', { name: 'Security' }).click();
  await expect(page.getByText('This device', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Password', 'Active sessions']);
  await page.getByRole('link', { name: 'Overview' }).click();
  await expect(page.getByRole('heading', { name: 'Account Pending Approval' })).toBeVisible();
  expectErrors();
  await close();
});

test('an applicant who froze the account with the link in a mail unfreezes it on the notice [AC-07, BR-30]', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank, { firstName: 'Edda', approved: false });
  const { token } = await logInThroughApi(bank, email);
  const body = { phoneNumber: '2125550144', address: '12 Quarry Road', region: 'NY', zipCode: '12534' };
  await callOrThrow(bank, settingsApi.updateContact, { body, token });
  const { page, close } = await visit(browser, bank.url, displayOf.phone);
  const link = await waitUntil('the mail about the change', waitLimitMs, async () => {
    const mails = await bank.mailsTo(email);
    return mails.map(({ text }) => /\/freeze-account#[\w-]+/.exec(text)?.[0]).find(Boolean);
  });
  await page.goto(link);
  await page.getByRole('button', { name: 'Freeze my account' }).click();
  await expect(page.getByRole('heading', { name: 'Your account is frozen' })).toBeVisible();
  await close();

  const phone = await enter(browser, 'phone', email, '/dashboard');
  await phone.page.getByRole('button', { name: 'Unfreeze' }).click();
  await expect(phone.page.getByRole('dialog', { name: 'Unfreeze your account' })).toContainText(email);
  await typeCode(phone.page, await bank.newCode(email));
  await expect(phone.page.getByText('You froze your account.')).toBeHidden();
  await expect(phone.page.getByRole('button', { name: 'Save Changes' })).toBeEnabled();
  await phone.close();
});

test('a customer presses a push notification and reads the transactions; offline, the customer reads that there is no connection and sees no stored balance [PU-08, PU-09]', async ({
  browser,
}) => {
  const { email } = await newCustomer(bank, { firstName: 'Pia' });
  const user = await logInThroughApi(bank, email);
  const { page, context, close } = await visit(browser, bank.url, displayOf.phone, { user }, 'allow');
  await context.grantPermissions(['notifications'], { origin: bank.url });
  await page.goto('/dashboard/settings?tab=notifications');
  await expect(page.getByRole('heading', { name: 'Push notifications' })).toBeVisible();
  await expectAccessibleAndFitting(page);

  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  const manifest: { icons: { src: string }[]; shortcuts: { url: string }[]; start_url: string } =
    await page.evaluate(async () => await (await fetch('/site.webmanifest')).json());
  expect(manifest.start_url).toBe('/dashboard');
  for (const { src } of manifest.icons)
    expect(await page.evaluate(async path => (await fetch(path)).status, src), src).toBe(200);

  // The developer tools deliver the push, because the browser's push service needs the internet.
  const tools = await context.newCDPSession(page);
  const registration = new Promise<string>(resolve =>
    tools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      if (registrations[0]) resolve(registrations[0].registrationId);
    }),
  );
  await tools.send('ServiceWorker.enable');
  // Notifications are recorded instead of shown, because this browser has no desktop.
  await worker.evaluate(() => {
    const scope = globalThis as unknown as { registration: ServiceWorkerRegistration; shown?: object };
    scope.registration.showNotification = async (title, { body, tag, data } = {}) => {
      scope.shown = { title, body, tag, data };
    };
  });
  const path = '/dashboard/transactions';
  const shown = { title: 'Larkspur Bank', body: 'Money arrived.', tag: 'a' };
  await tools.send('ServiceWorker.deliverPushMessage', {
    origin: bank.url,
    registrationId: await registration,
    data: JSON.stringify({ ...shown, path }),
  });
  await expect
    .poll(() => worker.evaluate(() => (globalThis as unknown as { shown?: object }).shown))
    .toEqual({ ...shown, data: { path } });

  // A worker may open or focus a window only after a real press, so these calls are recorded instead.
  const press = () =>
    worker.evaluate(async () => {
      const scope = globalThis as unknown as {
        shown: { data: object };
        clients: { openWindow: (path: string) => Promise<null> };
        WindowClient: { prototype: { focus: (this: { url: string }) => Promise<void> } };
      };
      const done = { opened: [] as string[], focused: [] as string[], isClosed: false };
      scope.clients.openWindow = async path => {
        done.opened.push(path);
        return null;
      };
      scope.WindowClient.prototype.focus = async function () {
        done.focused.push(new URL(this.url).pathname);
      };
      let work: Promise<unknown> | undefined;
      const event = Object.assign(new Event('notificationclick'), {
        notification: {
          data: scope.shown.data,
          close() {
            done.isClosed = true;
          },
        },
        waitUntil(promise: Promise<unknown>) {
          work = promise;
        },
      });
      globalThis.dispatchEvent(event);
      await work;
      return done;
    });
  // An open dashboard keeps its screen, which may have a half-filled form.
  expect(await press()).toEqual({ opened: [], focused: ['/dashboard/settings'], isClosed: true });
  await page.goto('/contact');
  const pressed = await press();
  expect(pressed).toEqual({ opened: [path], focused: [], isClosed: true });
  await page.goto(pressed.opened[0]!);
  await expect(page.getByRole('heading', { name: 'Transactions', exact: true })).toBeVisible();
  await page.goto('/dashboard/settings?tab=notifications');

  // With a connection, the service worker does not replace a page with its offline page.
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Push notifications' })).toBeVisible();
  await context.setOffline(true);
  await page.goto('/dashboard/transactions');
  await expect(page.getByRole('heading', { name: 'You’re offline' })).toBeVisible();
  expect(await page.locator('body').innerText()).not.toContain('$');
  await expectAccessibleAndFitting(page);
  await expect(page.getByRole('link', { name: 'Try again' })).toBeVisible();
  await context.setOffline(false);
  // Without this, the page would not know: `setOffline` fires no event in a page that the service worker served.
  await page.evaluate(() => void dispatchEvent(new Event('online')));
  await expect(page).toHaveURL(/\/dashboard\/transactions$/);
  await expect(page.getByRole('heading', { name: 'Transactions', exact: true })).toBeVisible();
  await close();
});
