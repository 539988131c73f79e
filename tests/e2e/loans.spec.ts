/**
 * The loans screen in a real browser: the list of loans, the payment schedule, and the message to the Help Desk with which a
 * customer asks how to pay or applies for a loan. Accessibility is tested on a phone and a desktop in both color schemes.
 */
import { type Browser, expect, type Page, test } from '@playwright/test';
import { startBankForFile } from './bank.ts';
import { logInThroughApi, newCustomer, type StoredCustomer } from './customers.ts';
import { type Display, displays, visit } from './visit.ts';
import { expectAccessible, expectAccessibleInBothSchemes } from './watch.ts';

const bank = startBankForFile();
let amara: StoredCustomer;

test.beforeAll(async () => {
  const { email } = await newCustomer(bank, { firstName: 'Amara', lastName: 'Lindqvist' });
  amara = await logInThroughApi(bank, email);
});

const fitsScreen = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);

/** Opens the customer's page on a fixed date after the first payment and before the second. */
async function open(browser: Browser, display?: Display) {
  const opened = await visit(browser, bank.url, display, { user: amara });
  await opened.page.clock.setFixedTime(new Date('2026-02-20T15:00:00Z'));
  return opened;
}

for (const [where, display] of Object.entries(displays)) {
  test(`loans, dialog and schedule are accessible ${where} [R-11, D-13, LN-02]`, async ({ browser }) => {
    const { page, expectErrors, close } = await open(browser, display);
    await page.goto('/dashboard');
    await page.getByRole('link', { name: 'Loans', exact: true }).click();
    await expect(page).toHaveURL(/\/dashboard\/loans$/);
    await expect(page.getByRole('heading', { name: 'Loan History' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Apply for Loan' })).toBeVisible();
    await expectAccessibleInBothSchemes(page);
    expect(await fitsScreen(page)).toBe(true);

    await page.getByRole('button', { name: 'Make Payment' }).click();
    await expect(page.getByRole('dialog', { name: 'Make Payment' })).toBeVisible();
    await expectAccessibleInBothSchemes(page);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Make Payment' })).toBeFocused();

    await page.getByRole('link', { name: 'View Details, Personal loan' }).click();
    await expect(page).toHaveURL(/\/dashboard\/loans\/personal-2026$/);
    await expect(page.getByRole('heading', { name: 'Payment schedule' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Loans', exact: true })).toHaveAttribute(
      'aria-current',
      'page',
    );
    await expectAccessibleInBothSchemes(page);
    expect(await fitsScreen(page)).toBe(true);
    expectErrors();
    await close();
  });
}

test('the payment schedule shows what is paid, next and upcoming, the interest and principal of each payment, and the totals; it can be printed [LN-08]', async ({
  browser,
}) => {
  const { page, expectErrors, close } = await open(browser);
  await page.goto('/dashboard/loans/personal-2026');
  const rows = page.getByRole('table', { name: 'Payment schedule' }).getByRole('row');
  await expect(rows).toHaveCount(26);
  await expect(rows.filter({ hasText: 'Paid' })).toHaveCount(1);
  await expect(rows.filter({ hasText: 'Upcoming' })).toHaveCount(22);
  const next = rows.filter({ hasText: 'Next' });
  for (const text of ['Mar 15, 2026', '$50.16', '$186.38', '$236.54']) await expect(next).toContainText(text);
  await expect(rows.last()).toContainText('$676.85');
  await expect(rows.last()).toContainText('$5,000.00');
  await expect(rows.last()).toContainText('$5,676.85');
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', 'yes');
  });
  await page.getByRole('button', { name: 'Print' }).click();
  await expect(page.locator('body')).toHaveAttribute('data-printed', 'yes');
  await page.goto('/dashboard/loans/nothing-here');
  await expect(page.getByText('No loan history found')).toBeVisible();
  await page.getByRole('link', { name: 'Back to loans' }).click();
  await expect(page.getByRole('heading', { name: 'Loan History' })).toBeVisible();
  expectErrors();
  await close();
});

test('Make Payment and Apply for Loan open a prefilled message to the Help Desk; a message that is sent arrives [LN-02, LN-09, LN-10]', async ({
  browser,
}) => {
  const { page, expectErrors, close } = await open(browser);
  await page.goto('/dashboard/loans');
  await page.getByRole('button', { name: 'Apply for Loan' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Message the Help Desk' }).click();
  await expect(page.getByLabel('Subject')).toHaveValue('Loan application');
  await expect(page.getByLabel('Message')).toHaveValue(/I’d like to borrow:/);
  await page.goBack();

  await page.getByRole('button', { name: 'Make Payment' }).click();
  await expect(page.getByRole('dialog')).toContainText('$236.54');
  await page.getByRole('dialog').getByRole('link', { name: 'Message the Help Desk' }).click();
  await expect(page).toHaveURL(/\/contact\?/);
  const subject = 'How to pay a personal loan';
  await expect(page.getByLabel('Subject')).toHaveValue(subject);
  await expect(page.getByLabel('Message')).toHaveValue(/\$236\.54 due Mar 15, 2026/);
  await expectAccessible(page);
  // Name and email are prefilled, so the focus is on the message.
  await expect(page.getByLabel('Name')).toHaveValue(/^\S+ \S/);
  await expect(page.getByLabel('Email')).toHaveValue(amara.email);
  await expect(page.getByLabel('Message')).toBeFocused();
  await expect(page.getByLabel('Message')).toBeInViewport();
  await page.getByRole('button', { name: 'Send Message' }).click();
  await expect(page.getByText('Message sent successfully!')).toBeVisible();
  await expect
    .poll(async () => (await bank.mailsTo('help@larkspur.example')).map(({ text }) => text).join())
    .toContain(subject);
  expectErrors();
  await close();
});
