/**
 * Transfers and transactions in a real browser: demo customers send money to each other and to other banks, even over a broken
 * connection, and view, filter and print transactions. Also checks the stored balances.
 */
import { type Browser, expect, type Page, test } from '@playwright/test';
import { authApi } from '#contract/auth.ts';
import type { Transaction } from '#contract/entities.ts';
import { transactionsApi } from '#contract/transactions.ts';
import { transferApi } from '#contract/transfer.ts';
import { startBankForFile } from './bank.ts';
import { callOrThrow, logInThroughApi, type StoredCustomer } from './customers.ts';
import { holdRequests, visit } from './visit.ts';
import { expectAccessible, expectAccessibleInBothSchemes } from './watch.ts';

const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 360, height: 780 } };

const bank = startBankForFile({ DEMO: '1', RAIL_DAY_SECONDS: '86400' });
let amara: StoredCustomer;
let ines: StoredCustomer;

test.beforeAll(async () => {
  [amara, ines] = await Promise.all([logIn('amara@lindqvist.example'), logIn('ines.caldeira@posta.example')]);
});

const logIn = (email: string) => logInThroughApi(bank, email);

async function storedBalance({ token }: StoredCustomer): Promise<number> {
  return (await callOrThrow(bank, transactionsApi.balance, { token })).balance;
}

async function newest({ token }: StoredCustomer, query = {}): Promise<Transaction> {
  return (await callOrThrow(bank, transactionsApi.listTransactions, { query: { limit: 1, ...query }, token }))
    .transactions[0]!;
}

async function countOf({ token }: StoredCustomer, query = {}): Promise<number> {
  return (await callOrThrow(bank, transactionsApi.listTransactions, { query: { limit: 1, ...query }, token }))
    .totalTransactions;
}

const open = (
  browser: Browser,
  user: StoredCustomer,
  size: keyof typeof sizes,
  colorScheme: 'light' | 'dark',
) => visit(browser, bank.url, { ...sizes[size], colorScheme }, { user });

async function expectNoSidewaysScroll(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
}

/** Rounds a sum of floating-point dollars to the cent. */
const toCent = (dollars: number) => Math.round(dollars * 100) / 100;

const amountOf = (page: Page) => page.getByLabel('Amount', { exact: true });
const send = (page: Page) => page.getByRole('button', { name: 'Send Money' });
const iban = 'CH9300762011623852957';

test('a customer sends money to a bank that is not in the list, follows it and prints the receipt [T-01, T-02, T-03, T-04, T-11, T-13, T-14, T-15, T-19, T-21, T-22, T-24, X-17, RX-24]', async ({
  browser,
}) => {
  const { page, expectErrors, close } = await open(browser, amara, 'desktop', 'dark');
  const before = await storedBalance(amara);
  await page.goto('/dashboard/transfer');
  await expect(page.getByText(`$${before.toLocaleString('en-US')}`).first()).toBeVisible();
  const kind = (name: string) => page.getByText(name, { exact: true });

  await test.step('the form keeps what she typed while she switches to the other kind of transfer', async () => {
    await page.getByLabel('Receiver’s account number').fill('37712');
    await amountOf(page).fill('310.5');
    await kind('External Transfer').click();
    await page.getByLabel('Account number or IBAN').fill(`${iban.slice(0, -1)}8`);
    await kind('Internal Transfer').click();
    await expect(page.getByLabel('Receiver’s account number')).toHaveValue('3771 2');
    await kind('External Transfer').click();
    await expect(amountOf(page)).toHaveValue('310.50');
  });

  const number = page.getByLabel('Account number or IBAN');
  await test.step('errors are reported before anything is sent', async () => {
    const sent: string[] = [];
    page.on('request', request => request.method() === 'POST' && sent.push(request.url()));
    await number.focus();
    await amountOf(page).press('Enter');
    await expect(page.getByText('This IBAN isn’t valid. Check the digits and letters.')).toBeVisible();
    await expect(send(page)).toBeFocused();
    await send(page).click();
    await expect(
      page.getByRole('alert').filter({ hasText: 'Check these fields: Bank' }).first(),
    ).toContainText('Nothing was sent.');
    await expect(page.getByText('Please choose a bank')).toBeVisible();
    await expect(page.getByLabel('Bank', { exact: true })).toBeFocused();
    await page.getByLabel('Bank', { exact: true }).selectOption('Other Bank');
    await page.getByLabel('Bank name').fill('Alpenbank');
    await page.getByLabel('Account holder’s name').fill('Alpenverlag Thun');
    await number.fill(iban);
    await amountOf(page).fill('1234567.8');
    await send(page).click();
    await expect(page.getByText(/^Insufficient balance. You have \$/)).toBeVisible();
    await expectAccessible(page);
    expect(sent).toEqual([]);
  });

  await test.step('Send Money sends the transfer, and it is initiated', async () => {
    await expect(number).toHaveValue('CH93 0076 2011 6238 5295 7');
    await amountOf(page).fill('310.50');
    const summary = page.getByRole('complementary', { name: 'Summary' });
    for (const text of ['Alpenverlag Thun', 'Alpenbank', 'CH93 0076 2011 6238 5295 7', 'Fee$0.00'])
      await expect(summary).toContainText(text);
    await expect(summary).toContainText('Transfer Amount$310.50');
    await page.getByLabel(/Description/).fill('Two atlases');
    const [request] = await Promise.all([
      page.waitForRequest(`**${transferApi.sendExternal.path}`),
      send(page).click(),
    ]);
    expect(request.postDataJSON()).toEqual({
      bankName: 'Alpenbank',
      accountNumber: iban,
      accountName: 'Alpenverlag Thun',
      amount: 310.5,
      description: 'Two atlases',
    });
    const dialog = page.getByRole('dialog', { name: 'Transfer Initiated' });
    await expect(dialog).toContainText(
      'Your external transfer has been initiated. Please note that it may take 3-7 business days to complete the transfer to an external bank account.',
    );
    await expect(dialog).toContainText('$310.50');
    await expectAccessible(page);
    expect(await storedBalance(amara)).toBe(toCent(before - 310.5));
    await expect(page.getByText(`$${toCent(before - 310.5).toLocaleString('en-US')}`).first()).toBeAttached();
    await expect(number).toHaveValue('');
    await expect(amountOf(page)).toHaveValue('');
  });

  await test.step('she follows the transfer at its own URL', async () => {
    const { _id, reference } = await newest(amara);
    await page.getByRole('link', { name: 'View in transactions' }).click();
    await expect(page).toHaveURL(new RegExp(`/dashboard/transactions/${_id}$`));
    const detail = page.getByRole('dialog', { name: 'External Transfer to Alpenbank' });
    for (const text of ['−$310.50', 'Pending', reference, 'Two atlases', '3-7 business days'])
      await expect(detail).toContainText(text);
    await expectAccessible(page);
    await page.reload();
    await expect(detail).toContainText(/Left your balance.*Expected by \w{3}, \w{3} \d{1,2}, \d{4}/);
  });

  await test.step('the printout is only the receipt, dark on white, on one page, without her balance and the full account number of the payee', async () => {
    const receipt = page.getByRole('dialog');
    await expect(receipt).toContainText(/AccountCH93 0076 2011 6238 5295 7.*Balance after\$/);
    await page.emulateMedia({ media: 'print' });
    await expect(receipt.getByText('ending in 2957')).toBeVisible();
    await expect(receipt.getByText('CH93 0076 2011 6238 5295 7')).toBeHidden();
    await expect(receipt.getByText('Balance after')).toBeHidden();
    await expect(page.getByText('18 Meadow Row, New York, NY 10014').last()).toBeVisible();
    await expect(page.locator('#root')).toBeHidden();
    await expect(page.getByRole('button', { name: 'Print receipt' })).toBeHidden();
    const colors = await page.evaluate(() =>
      [...document.querySelectorAll('.TransactionScreen :is(h2, h3, dt, dd, p)')].map(
        element => getComputedStyle(element).color,
      ),
    );
    expect(new Set(colors)).toEqual(new Set(['rgb(0, 0, 0)']));
    for (const format of ['A4', 'Letter']) {
      const sheet = (await page.pdf({ format })).toString('latin1');
      expect(sheet.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
    }
    await page.emulateMedia({ media: null });
  });
  expectErrors();
  await close();
});

test('on a phone, the name of a pending transfer does not share its line with the status on the overview', async ({
  browser,
}) => {
  const body = {
    bankName: 'JPMorgan Chase',
    accountNumber: '44441234',
    accountName: 'Bruno Ahlgren-Westergaard',
    amount: 15,
    description: '',
  };
  await callOrThrow(bank, transferApi.sendExternal, { token: ines.token, body });
  const { page, close } = await open(browser, ines, 'phone', 'light');
  await page.goto('/dashboard');
  const row = page.getByRole('list', { name: 'Recent transactions' }).getByRole('listitem').first();
  const [name, status] = await Promise.all(
    [row.locator('.EntryRow-what'), row.getByText('Pending')].map(part => part.boundingBox()),
  );
  expect(status!.y).toBeGreaterThanOrEqual(name!.y + name!.height);
  await close();
});

test('large amounts leave the statuses of a list in one column, also in print, and fit a phone at double text size', async ({
  browser,
}) => {
  const { page, close } = await open(browser, amara, 'phone', 'light');
  const large = (row: Transaction, place: number) => ({ ...row, amount: 10 ** (place % 6) + 1234.56 });
  await page.route('**/user/transactions?*', async route => {
    const response = await route.fetch();
    const { data, ...rest } = await response.json();
    const transactions = data.transactions.map(large);
    await route.fulfill({ response, json: { ...rest, data: { ...data, transactions } } });
  });
  await page.route(/\/user\/transactions\/\w/, async route => {
    const response = await route.fetch();
    const { data, ...rest } = await response.json();
    await route.fulfill({ response, json: { ...rest, data: { ...data, amount: 81_234.56 } } });
  });
  await page.setViewportSize({ width: 768, height: 900 });
  await page.goto('/dashboard/transactions');
  await expect(page.getByText('$101,234.56').first()).toBeVisible();
  const starts = () =>
    page
      .locator('.EntryRow-status')
      .evaluateAll(all => [...new Set(all.map(one => one.getBoundingClientRect().x))]);
  expect(await starts()).toHaveLength(1);
  await page.emulateMedia({ media: 'print' });
  expect(await starts()).toHaveLength(1);
  await page.emulateMedia({ media: null });
  await page.setViewportSize(sizes.phone);
  await page.getByRole('main').getByRole('listitem').first().click();
  const amount = page.getByRole('dialog').getByText('$81,234.56');
  await expect(amount).toBeVisible();
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
  const { x, width } = (await amount.boundingBox())!;
  expect(x + width).toBeLessThanOrEqual(sizes.phone.width);
  await close();
});

test('the form asks for a receiver, an amount and an optional description; a transfer whose response is lost is booked once, even after a reload, and another tab shows its result [T-05, T-06, T-07, T-10, T-20, T-25, T-26, T-27, T-28, T-31, T-32, T-34]', async ({
  browser,
}) => {
  const { page, context, expectErrors, close } = await open(browser, amara, 'phone', 'light');
  const [hers, theirs] = [await storedBalance(amara), await storedBalance(ines)];
  await page.goto('/dashboard/transfer');
  await expect(page.locator('main form')).toHaveCount(1);
  await expect(page.locator('main form').getByRole('textbox')).toHaveCount(3);
  await expect(page.getByLabel('Description')).not.toHaveAttribute('required');
  const lookup = await holdRequests(page, '**/verify-account/*');
  await page.getByLabel('Receiver’s account number').fill(ines.accountNumber);
  await expect(page.getByText('Verifying account...')).toBeVisible();
  const whileVerifying = await amountOf(page).boundingBox();
  await lookup.releaseOldest();
  const holder = page.locator('form').getByText('Ines Caldeira').first();
  await expect(holder.getByRole('img')).toBeVisible();
  await expect(page.locator('form .SavePayee')).toBeVisible();
  expect(await amountOf(page).boundingBox()).toEqual(whileVerifying);
  await amountOf(page).fill('20.25');

  const keys: (string | undefined)[] = [];
  let release = () => {};
  const released = new Promise<void>(resolve => {
    release = resolve;
  });
  await context.route(`**${transferApi.sendInternal.path}`, async route => {
    keys.push(route.request().headers()['idempotency-key']);
    if (keys.length > 1) {
      await released;
      return route.continue();
    }
    // The bank receives the request and moves the money, but the response never arrives.
    await route.fetch();
    return route.abort('connectionreset');
  });
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('button', { name: 'Stay' }).click();
  await send(page).click();
  const late = page.getByRole('dialog', { name: 'Transfer Processing' });
  await expect(late).toContainText('This is taking longer than usual. You won’t be charged twice.');
  await expect(page.locator('main').getByText('Processing...')).toBeVisible();
  await expectAccessible(page);
  expect(await storedBalance(amara)).toBe(toCent(hers - 20.25));

  // A reload on another screen, then a second tab, which takes over when the first is closed.
  await page.goto('/dashboard');
  await expect(late).toBeVisible();
  const tab = await context.newPage();
  await tab.goto('/dashboard/transfer');
  await expect(tab.getByText('Your last transfer isn’t confirmed yet')).toBeVisible();
  await expect(tab.getByRole('button', { name: 'Processing...' })).toBeVisible();
  expectErrors('net::ERR_CONNECTION_RESET');
  await page.close();
  await expect(tab.getByRole('dialog', { name: 'Transfer Processing' })).toBeVisible();
  release();
  const done = tab.getByRole('dialog', { name: 'Transfer Successful' });
  await expect(done).toContainText('Your transfer has been completed successfully.');
  await expect(done).toContainText('$20.25');
  expect(new Set(keys).size).toBe(1);
  expect(keys.length).toBeGreaterThan(1);
  expect(await storedBalance(amara)).toBe(toCent(hers - 20.25));
  expect(await storedBalance(ines)).toBe(toCent(theirs + 20.25));
  await done.getByRole('button', { name: 'Close' }).click();
  await expect(send(tab)).toBeVisible();
  expect(await tab.evaluate(() => localStorage.getItem('unansweredPress'))).toBeNull();
  await close();
});

test('a frozen customer reads at the top of the form why nothing can be sent, and cannot try; a page that was opened before the freeze shows the refusal in the result dialog [T-15, T-17, AC-09, AC-10, ER-12]', async ({
  browser,
}) => {
  const mateo = await logIn('mateo@brandtroofing.example');
  const { page, expectErrors, close } = await open(browser, mateo, 'phone', 'dark');
  await page.goto('/dashboard/transfer');
  const form = page.getByRole('main').locator('form');
  await expect(form).toContainText('You can’t send money while your account is frozen.');
  await expect(form.getByRole('link', { name: 'Help Desk' })).toHaveAttribute('href', /^\/contact\?subject=/);
  await expect(amountOf(page)).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Send Money' })).toBeDisabled();
  await expectAccessibleInBothSchemes(page);

  // Makes the page believe that the account is not frozen.
  await page.route(`**${authApi.profile.path}`, async route => {
    const response = await route.fetch();
    const body = (await response.json()) as { data: object };
    await route.fulfill({ response, json: { ...body, data: { ...body.data, isFrozen: false } } });
  });
  await page.reload();
  const before = await storedBalance(mateo);
  await page.getByText('External Transfer', { exact: true }).click();
  await page.getByLabel('Bank', { exact: true }).selectOption('Barclays');
  await page.getByLabel('Account holder’s name').fill('Hollis Vane');
  await page.getByLabel('Account number or IBAN').fill('73120841');
  await amountOf(page).fill('5');
  await send(page).click();
  const failed = page.getByRole('dialog', { name: 'Transfer Failed' });
  await expect(failed).toContainText('Your account is frozen. Please contact customer service.');
  await expect(failed).toContainText('Nothing was sent.');
  await failed.getByRole('button', { name: 'Close' }).click();
  await expect(amountOf(page)).toHaveValue('5.00');
  expect(await storedBalance(mateo)).toBe(before);
  expectErrors('403');
  await close();
});

test('a customer finds a transaction, opens it from its row, returns to the same list, and cannot open one that does not exist [X-01 to X-10, X-18]', async ({
  browser,
}) => {
  const { page, expectErrors, close } = await open(browser, amara, 'desktop', 'light');
  const returned = await newest(amara, { status: 'failed' });
  const rows = page.getByRole('main').getByRole('listitem');
  await page.goto('/dashboard/transactions');
  await expect(rows).toHaveCount(10);
  await expect(page.getByText(/^Page 1 of \d\d$/)).toBeVisible();

  await test.step('page and filters are in the URL', async () => {
    await page.getByRole('button', { name: 'Next' }).click();
    await expect(page).toHaveURL(/\?page=2$/);
    await expect(page.getByText(/^Page 2 of \d+$/)).toBeVisible();
    await page.getByLabel('Type').selectOption('External Transfer');
    await page.getByLabel('Status').selectOption('Failed');
    await expect(page).toHaveURL(/type=external-transfer&status=failed$/);
    await expect(page.getByText('Failed, Returned').first()).toBeVisible();
    await page.getByRole('searchbox').fill(returned.reference);
    await expect(page).toHaveURL(new RegExp(`&search=${returned.reference}$`));
    await expect(rows).toHaveCount(1);
    await expect(page.getByText('Page 1 of 1', { exact: true })).toBeVisible();
    for (const name of ['Previous', 'Next']) await expect(page.getByRole('button', { name })).toBeDisabled();
  });

  await test.step('the row opens the transaction, Esc leads back to the row', async () => {
    const link = rows.getByRole('link');
    const list = page.url();
    await rows.first().click();
    const detail = page.getByRole('dialog');
    await expect(page).toHaveURL(new RegExp(`/dashboard/transactions/${returned._id}\\?`));
    for (const text of ['Failed, Returned', 'The money was returned to your balance.', returned.reference])
      await expect(detail).toContainText(text);
    await page.keyboard.press('Escape');
    await expect(detail).toHaveCount(0);
    expect(page.url()).toBe(list);
    await expect(link).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(detail).toBeVisible();
    await page.goBack();
    await expect(detail).toHaveCount(0);
  });

  await test.step('a search without results is cleared with one click', async () => {
    await page.getByRole('searchbox').fill('no such payment');
    await expect(page.getByText('No transactions found')).toBeVisible();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await expect(rows).toHaveCount(10);
    await expect(page).toHaveURL(/\/dashboard\/transactions$/);
    expectErrors();
  });

  await test.step('a transaction of another customer, or one that does not exist, is not found', async () => {
    const foreign = await newest(ines, { type: 'admin-credit' });
    for (const id of [foreign._id, 'nothing']) {
      await page.goto(`/dashboard/transactions/${id}`);
      await expect(page.getByText('This transaction was not found')).toBeVisible();
    }
    await page.getByRole('link', { name: 'All transactions' }).click();
    await expect(rows).toHaveCount(10);
  });
  expectErrors('404');
  await close();
});

test('on a phone the Filter button opens the filters, a date range shortens the list, one click clears all filters, and the printed list says whose it is [X-03, X-04, X-06, X-07, X-21]', async ({
  browser,
}) => {
  const { page, expectErrors, close } = await open(browser, amara, 'phone', 'light');
  const dayOf = (moment: number) => new Date(moment).toISOString().slice(0, 10);
  const returnedAt = Date.parse((await newest(amara, { status: 'failed' })).timestamp);
  const [from, to] = [dayOf(returnedAt - 3 * 86_400_000), dayOf(returnedAt + 86_400_000)];
  const all = await countOf(amara);
  const within = await countOf(amara, { startDate: from, endDate: to });
  expect(within).toBeLessThan(all);

  const rows = page.getByRole('main').getByRole('listitem');
  const filter = page.getByRole('button', { name: /^Filter/ });
  const clear = page.getByRole('button', { name: 'Clear', exact: true });
  const list = await holdRequests(page, '**/user/transactions*');
  await page.goto('/dashboard/transactions');
  await expect(filter).toBeVisible();
  const whileLoading = await filter.boundingBox();
  await list.releaseOldest();
  await page.unroute('**/user/transactions*');
  await expect(page.getByText(`${all} transactions`)).toBeVisible();
  // Nothing moves when the list appears.
  expect(await filter.boundingBox()).toEqual(whileLoading);
  await expect(page.getByLabel('Type')).toBeHidden();

  await filter.click();
  await expect(filter).toHaveAttribute('aria-expanded', 'true');
  for (const name of ['Type', 'Status', 'From', 'To']) await expect(page.getByLabel(name)).toBeVisible();
  await expect(clear).toBeDisabled();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  await page.getByLabel('From').fill(to);
  await page.getByLabel('To').fill(from);
  await expect(page.locator('.FilterBar').getByText('The start date is after the end date.')).toBeVisible();
  // Typed key by key: an incomplete year is not a date, and must neither start a search nor clear the field.
  await page.getByLabel('From').fill('');
  await page.getByLabel('From').focus();
  const [year, month, date] = from.split('-');
  for (const digit of `${month}${date}${year}`) await page.keyboard.press(digit);
  await expect(page.getByLabel('From')).toHaveValue(from);
  await page.getByLabel('To', { exact: true }).fill(to);
  await expect(page).toHaveURL(new RegExp(`startDate=${from}&endDate=${to}$`));
  await expect(page.getByText(`${within} found`)).toBeVisible();
  await expect(rows.getByText('Failed, Returned')).toBeVisible();
  await expect(filter).toHaveText(/2$/);

  await page.emulateMedia({ media: 'print' });
  const head = page.locator('.PrintHead');
  await expect(head).toBeVisible();
  await expect(head).toContainText(/Amara Lindqvist.*Account \d{4} \d{4} \d{4}/);
  for (const control of [page.getByRole('searchbox'), filter, page.getByRole('button', { name: 'Next' })])
    await expect(control).toBeHidden();
  await page.emulateMedia({ media: null });

  await filter.click();
  await expect(page.getByLabel('From')).toBeHidden();
  await expect(page.getByText(`${within} found`)).toBeVisible();
  await filter.click();
  await clear.click();
  await expect(page).toHaveURL(/\/dashboard\/transactions$/);
  await expect(page.getByText(`${all} transactions`)).toBeVisible();
  await expect(page.getByLabel('From')).toHaveValue('');
  expectErrors();
  await close();
});

for (const [size, scheme] of [
  ['desktop', 'light'],
  ['phone', 'dark'],
] as const) {
  test(`the transfer, the list and a transaction are accessible on a ${size} in both color schemes`, async ({
    browser,
  }) => {
    const { page, expectErrors, close } = await open(browser, amara, size, scheme);
    await page.goto('/dashboard/transfer');
    await page.getByText('External Transfer', { exact: true }).click();
    await page.getByLabel('Account number or IBAN').fill(iban);
    await expectAccessibleInBothSchemes(page);
    await expectNoSidewaysScroll(page);
    await page.goto('/dashboard/transactions?status=failed');
    await expect(page.getByText('Failed, Returned').first()).toBeVisible();
    await expectAccessibleInBothSchemes(page);
    await expectNoSidewaysScroll(page);
    await page.getByRole('main').getByRole('listitem').first().click();
    await expect(page.getByText('What happened')).toBeVisible();
    await expectAccessibleInBothSchemes(page);
    await page.goto('/dashboard');
    await page.getByRole('link', { name: 'Money Received' }).first().click();
    await expect(page.getByRole('dialog', { name: 'Money Received' })).toContainText('Received');
    await page.getByRole('button', { name: 'Close' }).click();
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(page.getByRole('link', { name: 'Money Received' }).first()).toBeFocused();
    expectErrors();
    await close();
  });
}

test('a customer schedules rent from the transfer form, skips a date, deletes the schedule, and adds a savings goal; nothing on the overview moves while it loads [SC-14, SC-15, SC-16, SC-18, D-15, GO-13, O-10]', async ({
  browser,
}) => {
  const { page, close } = await open(browser, amara, 'phone', 'light');
  // An open dialog hides the navigation from the accessibility tree, so its role is found only with `includeHidden`.
  const currentTab = page
    .getByRole('navigation', { name: 'Dashboard', includeHidden: true })
    .getByRole('link', { includeHidden: true })
    .and(page.locator('[aria-current=page]'));
  await page.goto('/dashboard/transfer');
  await page.getByLabel('Amount').fill('850');
  await page.getByRole('button', { name: 'Repeat or send later' }).click();
  await expect(currentTab).toHaveText('Transfer');
  const form = page.getByRole('dialog');
  await expect(form.getByLabel('Amount')).toHaveValue('850.00');
  await form.getByRole('button', { name: 'Schedule' }).click();
  await expect(form.getByRole('alert').filter({ hasText: 'Account number must be 12 digits' })).toBeVisible();
  await form.getByLabel('To', { exact: true }).selectOption({ label: 'Brandt Roofing · Wells Fargo' });
  await form.getByLabel('First date').fill('2099-11-01');
  await expect(form).toContainText(
    '$850.00 to Brandt Roofing on the 1st of every month, first on Nov 1, 2099.',
  );
  await form.getByRole('button', { name: 'Schedule' }).click();
  await expect(form).toBeHidden();
  const rent = page.getByRole('listitem').filter({ hasText: '$850.00 to Brandt Roofing' });
  await expect(rent).toContainText('Next: Nov 1, 2099 · Dec 1, 2099 · Jan 1, 2100');
  await expectNoSidewaysScroll(page);
  await expectAccessibleInBothSchemes(page);
  await rent.getByRole('button', { name: 'Skip Nov 1, 2099' }).click();
  await expect(rent).toContainText('Next: Dec 1, 2099 · Jan 1, 2100 · Feb 1, 2100');
  await expect(rent).toContainText('Skipped Nov 1, 2099');
  await rent.getByRole('button', { name: 'Delete' }).click();
  await rent.getByRole('button', { name: 'Delete' }).click();
  await expect(rent).toBeHidden();

  const held = Promise.withResolvers<void>();
  await page.route(/\/user\/(scheduled-transfers|outlook|goals)$/, async route => {
    await held.promise;
    await route.continue();
  });
  await page.goto('/dashboard');
  const recent = page.getByRole('list', { name: 'Recent transactions' });
  await expect(recent).toBeVisible();
  await expect(page.getByText('Loading upcoming payments...')).toBeAttached();
  const before = await recent.boundingBox();
  held.resolve();
  await expect(page.getByRole('region', { name: 'Upcoming payments' }).getByRole('listitem')).not.toHaveCount(
    0,
  );
  await expect(page.getByRole('region', { name: 'Left to spend' })).toContainText(
    / is left to spend(, and \$[\d,]+\.\d\d is in your goals)?\./,
  );
  const goals = page.getByRole('region', { name: 'Savings goals' });
  await expect(goals).toContainText('Sailing in Maine');
  expect(await recent.boundingBox()).toEqual(before);
  await goals.getByRole('link', { name: 'See all' }).click();
  await expect(currentTab).toHaveText('Overview');
  await page.getByRole('button', { name: 'Add a goal' }).click();
  await form.getByLabel('What for').fill('Piano');
  await form.getByLabel('Target').fill('1200');
  await form.getByRole('button', { name: 'Add a goal' }).click();
  await expect(form).toBeHidden();
  const piano = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Piano' }) });
  await expect(piano).toContainText('$0.00 of $1,200.00');
  await expectNoSidewaysScroll(page);
  await expectAccessibleInBothSchemes(page);
  await piano.getByRole('button', { name: 'Delete' }).click();
  await piano.getByRole('button', { name: 'Delete' }).click();
  await expect(piano).toBeHidden();
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('link', { name: 'Add money' }).click();
  await expect(page.getByText('800000006').first()).toBeVisible();
  await expect(currentTab).toHaveText('Overview');
  await expectNoSidewaysScroll(page);
  await expectAccessibleInBothSchemes(page);
  await close();
});
