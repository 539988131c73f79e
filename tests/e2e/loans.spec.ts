/**
 * The loans screen in a real browser: what a customer reads there today, the schedule behind a loan, and the letter to the
 * Help Desk that pays or applies. On a phone and a desk, by day and by night.
 */
import { type Browser, expect, type Page, test } from '@playwright/test';
import { bankOfFile } from './bank.ts';
import { type LoggedIn, logInByCalls, newCustomer } from './customers.ts';
import { type Look, looks, visit } from './visit.ts';
import { expectAccessible, expectAccessibleByDayAndNight } from './watch.ts';

const bank = bankOfFile();
let amara: LoggedIn;

test.beforeAll(async () => {
  const { email } = await newCustomer(bank, { firstName: 'Amara', lastName: 'Lindqvist' });
  amara = await logInByCalls(bank, email);
});

const fitsTheScreen = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);

/** The customer's own page, on a day on which the first payment is made and the second is next. */
async function open(browser: Browser, look?: Look) {
  const opened = await visit(browser, bank.url, look, { user: amara });
  await opened.page.clock.setFixedTime(new Date('2026-02-20T15:00:00Z'));
  return opened;
}

for (const [where, look] of Object.entries(looks)) {
  test(`loans, dialog and schedule can be read by everybody ${where} [R-11, D-13, LN-02]`, async ({
    browser,
  }) => {
    const { page, expectQuiet, close } = await open(browser, look);
    await page.goto('/dashboard');
    await page.getByRole('link', { name: 'Loans', exact: true }).click();
    await expect(page).toHaveURL(/\/dashboard\/loans$/);
    await expect(page.getByRole('heading', { name: 'Loan History' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Apply for Loan' })).toBeVisible();
    await expectAccessibleByDayAndNight(page);
    expect(await fitsTheScreen(page)).toBe(true);

    await page.getByRole('button', { name: 'Make Payment' }).click();
    await expect(page.getByRole('dialog', { name: 'Make Payment' })).toBeVisible();
    await expectAccessibleByDayAndNight(page);
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
    await expectAccessibleByDayAndNight(page);
    expect(await fitsTheScreen(page)).toBe(true);
    expectQuiet();
    await close();
  });
}

test('a customer reads when each payment is due, what it carries and what all of them come to [LN-08]', async ({
  browser,
}) => {
  const { page, expectQuiet, close } = await open(browser);
  await page.goto('/dashboard/loans/personal-2026');
  const rows = page.getByRole('table', { name: 'Payment schedule' }).getByRole('row');
  await expect(rows).toHaveCount(26);
  await expect(rows.filter({ hasText: 'Paid' })).toHaveCount(1);
  await expect(rows.filter({ hasText: 'Coming' })).toHaveCount(22);
  await expect(rows.filter({ hasText: 'Next' })).toContainText('15 Mar 2026');
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
  await page.getByRole('link', { name: 'Back to your loans' }).click();
  await expect(page.getByRole('heading', { name: 'Loan History' })).toBeVisible();
  expectQuiet();
  await close();
});

test('paying and applying begin a letter to the Help Desk, which arrives there [LN-02, LN-09, LN-10]', async ({
  browser,
}) => {
  const { page, expectQuiet, close } = await open(browser);
  await page.goto('/dashboard/loans');
  await page.getByRole('button', { name: 'Apply for Loan' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Write to the Help Desk' }).click();
  await expect(page.getByLabel('Subject')).toHaveValue('Loan application');
  await expect(page.getByLabel('Message')).toHaveValue(/I would like to borrow:/);
  await page.goBack();

  await page.getByRole('button', { name: 'Make Payment' }).click();
  await expect(page.getByRole('dialog')).toContainText('$236.54');
  await page.getByRole('dialog').getByRole('link', { name: 'Write to the Help Desk' }).click();
  await expect(page).toHaveURL(/\/contact\?/);
  const subject = 'Payment on my personal loan (personal-2026)';
  await expect(page.getByLabel('Subject')).toHaveValue(subject);
  await expect(page.getByLabel('Message')).toHaveValue(/\$236\.54 due on 15 Mar 2026/);
  await expectAccessible(page);
  // The bank knows who writes; what is left is the message.
  await expect(page.getByLabel('Name')).toHaveValue(/^\S+ \S/);
  await expect(page.getByLabel('Email')).toHaveValue(amara.email);
  await expect(page.getByLabel('Message')).toBeFocused();
  await expect(page.getByLabel('Message')).toBeInViewport();
  await page.getByRole('button', { name: 'Send Message' }).click();
  await expect(page.getByText('Message sent successfully!')).toBeVisible();
  await expect
    .poll(async () => (await fetch(`${bank.url}/dev/inbox.json?to=help@larkspur.example`)).text())
    .toContain(subject);
  expectQuiet();
  await close();
});
