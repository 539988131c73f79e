/** A credit is made exactly once even if its answer is lost, and the view never claims more than the bank confirmed. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import * as adminMessages from '#contract/messages/admin.ts';
import * as appMessages from '#contract/messages/app.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { adminLoggedIn, adminLoggedOut, selectAdmin } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { renderWith } from '../../../../../tests/renderWith.tsx';
import { ida } from '../../../../../tests/sessions.ts';
import { waitOptions } from '../../../../../tests/waiting.ts';
import { adminCalls } from '../adminCalls.ts';
import { adminSlice } from '../adminSlice.ts';
import { words } from '../words.ts';
import { CreditUserView } from './CreditUserView.tsx';
import { creditWords } from './creditWords.ts';

const account = '482109375527';
const unconfirmed = () => json(503, { success: false, code: 'BUSY', message: transferMessages.unconfirmed });
const proxyDown = () => new Response('<h1>Bad gateway</h1>', { status: 502 });
const fault = () => json(500, { success: false, code: 'FAULT', message: errorMessages.fault });
const networkDown = () => Promise.reject(new TypeError('Failed to fetch'));
const notFound = () =>
  json(404, { success: false, code: 'NOT_FOUND', message: transferMessages.accountNotFound });
const forbidden = () => json(403, { success: false, code: 'FORBIDDEN', message: errorMessages.forbidden });
const made = () =>
  json(201, {
    success: true,
    message: '',
    data: { _id: 't1', reference: 'LB-1', type: 'admin-credit', amount: 1250.5, description: 'Gift' },
  });

function json(status: number, body: object) {
  return new Response(JSON.stringify(body), { status });
}

let store: ReturnType<typeof makeStore>;
let sent: { key: string | null; body: unknown }[];
const person = userEvent.setup();

const holderAnswer = {
  accountName: 'Noor Haddad',
  accountNumber: account,
  isApproved: true,
  isFrozen: false,
  balance: 250,
};
let holder: () => Response | Promise<Response>;
let requests: object[];
/** The request that is read by its id. */
let request: object;
/** The answer to the transaction that is read by its id. */
let transaction: () => Response;

/** The bank returns the listed answers in order, then drops the connection. It always answers the holder lookup. */
function bank(...answers: (() => Response | Promise<Response>)[]) {
  sent = [];
  holder = () => json(200, { success: true, message: '', data: holderAnswer });
  requests = [];
  request = { status: 'pending' };
  transaction = notFound;
  vi.stubGlobal('fetch', async (address: string, { headers, body }: RequestInit) => {
    if (address.includes('/admin/accounts/')) return holder();
    if (address.includes('/admin/requests/'))
      return json(200, { success: true, message: '', data: { ...request, _id: address.split('/').at(-1) } });
    if (address.endsWith('/admin/transactions/t1')) return transaction();
    if (address.includes('/admin/requests'))
      return json(200, { success: true, message: '', data: { requests } });
    sent.push({ key: new Headers(headers).get('idempotency-key'), body: JSON.parse(body as string) });
    return (answers.shift() ?? networkDown)();
  });
}

function openView() {
  return renderWith(store, <CreditUserView menu={null} />);
}

async function fillIn(amount = '1250.50') {
  await person.type(screen.getByLabelText(words.accountNumber), account);
  await person.type(screen.getByLabelText(words.amount), amount);
  await person.type(screen.getByLabelText(words.description), 'Gift');
}

const press = () => person.click(screen.getByRole('button', { name: adminMessages.creditUser }));
const dialog = () => screen.findByRole('dialog');
const close = async () =>
  person.click(within(await dialog()).getByRole('button', { name: appMessages.close }));

beforeEach(() => {
  store = makeStore();
  store.dispatch(adminLoggedIn(ida));
});
test.each([
  ['the bank cannot confirm it', unconfirmed],
  ['a proxy answers for the bank', proxyDown],
  ['the bank has a fault', fault],
  ['the connection breaks', networkDown],
])(
  'when %s, the view does not claim that no money moved, and the next press retries the same credit',
  async (_, answer) => {
    bank(answer, made);
    openView();
    await fillIn();
    await press();
    expect((await dialog()).textContent).toContain(words.creditUnknown);
    expect(screen.queryByText(words.noMoneyMoved)).toBeNull();
    await close();
    await press();
    expect((await dialog()).textContent).toContain(adminMessages.creditSuccessTitle);
    expect(sent).toHaveLength(2);
    expect(sent[1]).toEqual(sent[0]);
  },
);

test('a credit whose result is unknown is filled in again, with its key, when the view is opened again', async () => {
  bank(unconfirmed, made);
  const view = openView();
  await fillIn();
  await press();
  await close();
  view.unmount();
  openView();
  expect(screen.getByText(words.creditAskAgain, { exact: false })).toBeTruthy();
  await press();
  await dialog();
  expect(sent[1]).toEqual(sent[0]);
  await close();
  expect(screen.queryByText(words.creditAskAgain, { exact: false })).toBeNull();
});

test('a credit whose result is unknown is filled in again, with its key, after a reload [A-65]', async () => {
  bank(unconfirmed, made);
  const view = openView();
  await fillIn();
  await press();
  await close();
  view.unmount();
  // A reload: another store reads what the browser has kept.
  store = makeStore();
  const reloaded = openView();
  expect(screen.getByText(words.creditAskAgain, { exact: false })).toBeTruthy();
  await press();
  expect((await dialog()).textContent).toContain(adminMessages.creditSuccessTitle);
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
  reloaded.unmount();
  store = makeStore();
  openView();
  expect(screen.getByLabelText<HTMLInputElement>(words.description).value).toBe('');
});

test('a credit that was being sent during a reload is kept like one whose result is unknown [A-65]', async () => {
  bank(() => new Promise(() => {}));
  const view = openView();
  await fillIn();
  await press();
  view.unmount();
  store = makeStore();
  openView();
  expect(screen.getByText(words.creditAskAgain, { exact: false })).toBeTruthy();
});

test('a credit whose result is unknown stays through a logout, and only its administrator sees it, until its result is known [A-65]', async () => {
  bank(unconfirmed, made);
  const view = openView();
  await fillIn();
  await press();
  await close();
  view.unmount();
  store.dispatch(adminLoggedOut());
  // Another administrator logs in in the same tab, also after a reload.
  for (const reload of [false, true]) {
    if (reload) store = makeStore();
    store.dispatch(adminLoggedIn({ ...ida, _id: 'a2' }));
    const others = openView();
    expect(screen.queryByText(words.creditAskAgain, { exact: false })).toBeNull();
    expect(screen.getByLabelText<HTMLInputElement>(words.description).value).toBe('');
    others.unmount();
    store.dispatch(adminLoggedOut());
  }
  store.dispatch(adminLoggedIn(ida));
  openView();
  expect(screen.getByText(words.creditAskAgain, { exact: false })).toBeTruthy();
  await press();
  expect((await dialog()).textContent).toContain(adminMessages.creditSuccessTitle);
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
  expect(sessionStorage).toHaveLength(0);
});

test('another administrator who sends the same credit makes a credit of their own, and the first stays unknown [A-65]', async () => {
  bank(unconfirmed, made, made);
  const view = openView();
  await fillIn();
  await press();
  await close();
  view.unmount();
  store.dispatch(adminLoggedOut());
  store.dispatch(adminLoggedIn({ ...ida, _id: 'a2' }));
  const others = openView();
  await fillIn();
  await press();
  await close();
  expect(sent[1]?.key).not.toBe(sent[0]?.key);
  expect(screen.getByLabelText<HTMLInputElement>(words.description).value).toBe('');
  others.unmount();
  store.dispatch(adminLoggedOut());
  store.dispatch(adminLoggedIn(ida));
  openView();
  await press();
  await dialog();
  expect(sent[2]).toEqual(sent[0]);
});

test('a credit that was being sent at a logout is shown to its administrator after the next login [A-65]', async () => {
  bank(() => new Promise(() => {}));
  const view = openView();
  await fillIn();
  await press();
  view.unmount();
  store.dispatch(adminLoggedOut());
  store.dispatch(adminLoggedIn(ida));
  openView();
  expect(screen.getByText(words.creditAskAgain, { exact: false })).toBeTruthy();
});

test('an administrator with several credits whose results are unknown reads how many are left, and checks one after the other [A-65]', async () => {
  bank(unconfirmed, unconfirmed, notFound, made);
  const view = openView();
  const retype = async (text: string) => {
    await person.clear(screen.getByLabelText(words.description));
    await person.type(screen.getByLabelText(words.description), text);
  };
  await fillIn();
  await press();
  await close();
  await retype('Another gift');
  expect(screen.getByText(words.creditsUnknown(1))).toBeTruthy();
  await press();
  await close();
  view.unmount();
  openView();
  expect(screen.getByText(words.moreCreditsUnknown(1), { exact: false })).toBeTruthy();
  // The balance may include the credit already, so the slip does not add it again.
  const slip = screen.getByRole('complementary', { name: words.slip });
  await waitFor(() => expect(slip.textContent).toContain('$250.00'), waitOptions);
  expect(slip.textContent).toContain(`${words.newBalance}–`);
  // The first one checked is refused: it stays in the form, which names what is left.
  await press();
  expect((await dialog()).textContent).toContain(words.noMoneyMoved);
  await close();
  const typed = () => screen.getByLabelText<HTMLInputElement>(words.description).value;
  await person.click(screen.getByRole('button', { name: words.showCredit }));
  await person.click(await screen.findByRole('button', { name: 'Stay' }));
  expect(typed()).toBe('Another gift');
  await person.click(await screen.findByRole('button', { name: words.showCredit }));
  await person.click(await screen.findByRole('button', { name: 'Leave without saving' }));
  await waitFor(() => expect(typed()).toBe('Gift'), waitOptions);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), waitOptions);
  expect(screen.queryByText(words.moreCreditsUnknown(1), { exact: false })).toBeNull();
  await press();
  await close();
  expect(sent[2]).toEqual(sent[1]);
  expect(sent[3]).toEqual(sent[0]);
  expect(sessionStorage).toHaveLength(0);
});

test('after a credit is made, the form shows the next one whose result is unknown [A-65]', async () => {
  bank(unconfirmed, made);
  openView();
  await fillIn();
  await press();
  await close();
  await person.clear(screen.getByLabelText(words.description));
  await person.type(screen.getByLabelText(words.description), 'Another gift');
  await press();
  await close();
  expect(screen.getByLabelText<HTMLInputElement>(words.description).value).toBe('Gift');
  expect(screen.getByText(words.creditAskAgain, { exact: false })).toBeTruthy();
});

test('an administrator whose session has ended at a press reads beside the login that the credit was not made, unless an earlier press may have made it [A-65]', async () => {
  const expired = () =>
    json(401, { success: false, code: 'TOKEN_EXPIRED', message: errorMessages.tokenExpired });
  bank(expired, unconfirmed);
  const loggedOut = () => waitFor(() => expect(selectAdmin(store.getState())).toBeNull());
  const message = () => store.getState().admin?.message;
  const isSaid = () => waitFor(() => expect(message()).toBe(creditWords.sessionEnded));
  const view = openView();
  await fillIn();
  await press();
  await isSaid();
  // The holder is read before the credit is sent.
  store.dispatch(adminLoggedIn(ida));
  holder = expired;
  await press();
  await isSaid();
  expect(sent).toHaveLength(1);
  view.unmount();

  store.dispatch(adminLoggedIn(ida));
  holder = () => json(200, { success: true, message: '', data: holderAnswer });
  openView();
  await fillIn();
  await press();
  await close();
  holder = expired;
  await press();
  await loggedOut();
  expect(sent).toHaveLength(2);
  expect(message()).toBe(appMessages.sessionEnded);
});

test('with damaged storage, the form opens empty [A-65]', () => {
  for (const text of [
    '{',
    '{}',
    '[null]',
    JSON.stringify([{ key: 'k', adminId: ida._id, body: { amount: 5 } }]),
  ]) {
    sessionStorage.setItem('unansweredCredits', text);
    store = makeStore();
    const view = openView();
    expect(screen.getByLabelText<HTMLInputElement>(words.description).value).toBe('');
    view.unmount();
  }
});

test('a damaged entry in storage hides no kept credit [A-65]', async () => {
  bank(unconfirmed);
  openView();
  await fillIn();
  await press();
  const [kept] = JSON.parse(sessionStorage.getItem('unansweredCredits')!);
  sessionStorage.setItem('unansweredCredits', JSON.stringify([null, 5, { key: 'k' }, kept]));
  expect(makeStore().getState().admin?.credit.unknown).toEqual([kept]);
});

test('a result that arrives while another view is open is shown when the administrator comes back', async () => {
  const delayed = Promise.withResolvers<Response>();
  bank(() => delayed.promise);
  const view = openView();
  await fillIn();
  await press();
  view.unmount();
  delayed.resolve(made());
  openView();
  expect((await dialog()).textContent).toContain(adminMessages.creditSuccessTitle);
});

test('a changed form makes a new credit, and the result of the earlier credit stays unknown', async () => {
  bank(unconfirmed, made, made);
  const view = openView();
  await fillIn();
  await press();
  await close();
  await person.clear(screen.getByLabelText(words.description));
  await person.type(screen.getByLabelText(words.description), 'Another gift');
  await press();
  await close();
  view.unmount();
  openView();
  await press();
  await dialog();
  expect(sent[1]?.key).not.toBe(sent[0]?.key);
  expect(sent[2]).toEqual(sent[0]);
});

test('the result of a credit stays unknown if its retry is refused before it reaches the ledger', async () => {
  bank(unconfirmed, forbidden);
  openView();
  await fillIn();
  await press();
  await close();
  await press();
  expect((await dialog()).textContent).toContain(words.creditUnknown);
});

test('a refused credit says that no money moved, and the next press is a new credit', async () => {
  bank(notFound, made);
  openView();
  await fillIn();
  await press();
  expect((await dialog()).textContent).toContain(words.noMoneyMoved);
  await close();
  await press();
  await dialog();
  expect(sent[1]?.key).not.toBe(sent[0]?.key);
});

test('a credit whose result is unknown survives an expired session, and is not shown to another administrator', async () => {
  bank(unconfirmed, made);
  const view = openView();
  await fillIn();
  await press();
  await close();
  view.unmount();
  store.dispatch(adminLoggedOut('ended'));
  store.dispatch(adminLoggedIn(ida));
  const again = openView();
  expect(screen.getByText(words.creditAskAgain, { exact: false })).toBeTruthy();
  again.unmount();
  store.dispatch(adminLoggedOut('ended'));
  store.dispatch(adminLoggedIn({ ...ida, _id: 'a2' }));
  openView();
  expect(screen.queryByText(words.creditAskAgain, { exact: false })).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>(words.description).value).toBe('');
});

test('a credit that was refused because the session had ended is not called unknown after the next login [A-65]', async () => {
  bank(() => json(401, { success: false, code: 'NOT_AUTHORIZED', message: 'Log in again.' }));
  const view = openView();
  await fillIn();
  await press();
  await waitFor(() => expect(selectAdmin(store.getState())).toBeNull(), waitOptions);
  await waitFor(
    () => expect(adminSlice.selectors.credit(store.getState()).isSending).toBe(false),
    waitOptions,
  );
  view.unmount();
  store.dispatch(adminLoggedIn(ida));
  openView();
  expect(screen.queryByText(words.creditAskAgain, { exact: false })).toBeNull();
  expect(sessionStorage).toHaveLength(0);
});

test('the new balance is shown before the press, and holder, amount and balance afterward [A-56]', async () => {
  bank(made);
  openView();
  await fillIn();
  const slip = screen.getByRole('complementary', { name: words.slip });
  for (const text of ['Noor Haddad', '$250.00', '$1,500.50']) expect(slip.textContent).toContain(text);
  holder = () => json(200, { success: true, message: '', data: { ...holderAnswer, balance: 1500.5 } });
  await press();
  await vi.waitFor(
    async () => expect((await dialog()).textContent).toContain(`${words.balanceNow}$1,500.50`),
    waitOptions,
  );
  for (const text of ['Noor Haddad', '$1,250.50']) expect((await dialog()).textContent).toContain(text);
});

test.each([
  ['12.345', 'Use no more than two digits for cents.'],
  ['12,50', 'For cents, use a period: 12.50.'],
  ['0', 'Enter more than $0.00.'],
  ['1000000000.01', 'You can credit up to $1,000,000,000.00 at a time.'],
])(
  'the amount %s is not sent: the field says what is wrong and gets the focus [V-33]',
  async (amount, why) => {
    bank(made);
    openView();
    await fillIn(amount);
    await press();
    expect(screen.getByText(`${transferMessages.invalidAmount}. ${why}`)).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText(words.amount));
    expect(sent).toEqual([]);
  },
);

test('an incomplete account number is not sent: the field says so and gets the focus', async () => {
  bank(made);
  openView();
  await fillIn();
  await person.type(screen.getByLabelText(words.accountNumber), '{Backspace}');
  await press();
  expect(screen.getByText(transferMessages.accountNumberFormat)).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText(words.accountNumber));
  expect(sent).toEqual([]);
});

test('an amount is read with a space after its dollar sign, and a dollar sign alone counts as empty [A-58]', async () => {
  bank(made);
  openView();
  await fillIn('$');
  expect(screen.getByRole('button', { name: adminMessages.creditUser })).toHaveProperty('disabled', true);
  await person.type(screen.getByLabelText(words.amount), ' 50');
  await press();
  await waitFor(() => expect(sent).toMatchObject([{ body: { amount: 50 } }]), waitOptions);
});

test('an account number that is typed with dashes is shown in groups of four digits [V-32]', async () => {
  bank();
  openView();
  const number = screen.getByLabelText<HTMLInputElement>(words.accountNumber);
  await person.type(number, '4821-0937-5527');
  expect(number.value).toBe('4821 0937 5527');
});

test('an administrator reads in the slip that the same credit was made this week [A-56]', async () => {
  bank(made);
  const recentCredits = [
    { _id: 't8', reference: 'LB-8', amount: 9, description: 'Gift', timestamp: '2026-11-29T14:42:00.000Z' },
    {
      _id: 't9',
      reference: 'LB-9',
      amount: 1250.5,
      description: 'GIFT ',
      timestamp: '2026-11-28T14:42:00.000Z',
    },
  ];
  holder = () => json(200, { success: true, message: '', data: { ...holderAnswer, recentCredits } });
  openView();
  await fillIn('1250');
  await waitFor(
    () => expect(screen.getByText('Noor Haddad', { selector: 'aside *' })).toBeTruthy(),
    waitOptions,
  );
  const said =
    /^The same credit was made on Nov 28.* at 9:42\sAM \(LB-9\)\. With this one, the customer is paid again\.$/;
  expect(screen.queryByText(said)).toBeNull();
  await person.clear(screen.getByLabelText(words.amount));
  await person.type(screen.getByLabelText(words.amount), '1250.50');
  expect(screen.getByText(said)).toBeTruthy();
  await press();
  await waitFor(() => expect(sent).toHaveLength(1), waitOptions);
});

test('an administrator reads in the slip that the same credit waits for a second person, however its description is spaced or capitalized [A-56]', async () => {
  bank(made);
  const customer = { _id: 'c1', name: 'Noor Haddad', accountNumber: account };
  const waiting = { kind: 'credit', status: 'pending', customer, amount: 1250.5 };
  requests = [
    { ...waiting, _id: 'r1', description: 'Gift', customer: { ...customer, accountNumber: '482109375528' } },
    { ...waiting, _id: 'r2', description: 'Gift  FOR May' },
  ];
  openView();
  await fillIn();
  await screen.findByText('Noor Haddad', { selector: 'aside *' });
  expect(screen.queryByText('A request for the same credit is waiting')).toBeNull();
  await person.type(screen.getByLabelText(words.description), ' for may');
  expect(await screen.findByText('A request for the same credit is waiting')).toBeTruthy();
  expect(screen.getByRole<HTMLAnchorElement>('link', { name: 'View request' }).search).toContain(
    'request=r2',
  );
});

test('an administrator who presses after a colleague made or requested the same credit is warned first, and pays with one more press [A-56]', async () => {
  bank(made);
  openView();
  await fillIn();
  await screen.findByText('Noor Haddad', { selector: 'aside *' });
  const customer = { _id: 'c1', name: 'Noor Haddad', accountNumber: account };
  requests = [
    { kind: 'credit', status: 'pending', _id: 'r1', customer, amount: 1250.5, description: 'Gift' },
  ];
  await press();
  expect(await screen.findByText('A request for the same credit is waiting')).toBeTruthy();
  expect(sent).toEqual([]);
  // A colleague approves the request: it is no longer waiting.
  requests = [];
  const timestamp = '2026-11-29T14:42:00.000Z';
  const recentCredits = [{ _id: 't8', reference: 'LB-8', amount: 1250.5, description: 'Gift', timestamp }];
  holder = () =>
    json(200, { success: true, message: '', data: { ...holderAnswer, balance: 1500.5, recentCredits } });
  await press();
  expect(await screen.findByText('The same credit was already made')).toBeTruthy();
  expect(screen.queryByText('A request for the same credit is waiting')).toBeNull();
  expect(screen.getByRole('complementary', { name: words.slip }).textContent).toContain('$1,500.50');
  expect(sent).toEqual([]);
  await press();
  await waitFor(() => expect(sent).toHaveLength(1), waitOptions);
});

test('an administrator who presses at the same moment as a colleague pays nothing, reads of the colleague’s credit, and pays with one more press [A-56]', async () => {
  const message = 'Nothing was changed, because the same credit was made.';
  bank(() => {
    const timestamp = '2026-11-29T14:42:00.000Z';
    const recentCredits = [{ _id: 't8', reference: 'LB-8', amount: 1250.5, description: 'Gift', timestamp }];
    holder = () => json(200, { success: true, message: '', data: { ...holderAnswer, recentCredits } });
    return json(409, { success: false, code: 'CONFLICT', message });
  }, made);
  openView();
  await fillIn();
  await press();
  expect((await dialog()).textContent).toContain(message);
  await close();
  expect(await screen.findByText('The same credit was already made')).toBeTruthy();
  await press();
  await waitFor(() => expect(sent).toHaveLength(2), waitOptions);
  expect(sent).toMatchObject([{ body: { sameCreditId: null } }, { body: { sameCreditId: 't8' } }]);
  expect(sent[1]!.key).not.toBe(sent[0]!.key);
});

test('an administrator pays with one more press although the slip cannot find the same credit for which the bank refused [A-56]', async () => {
  const refusal = { success: false, code: 'CONFLICT', message: 'Made.', data: { sameCreditId: 't8' } };
  bank(() => json(409, refusal), made);
  openView();
  await fillIn();
  await press();
  await close();
  await press();
  await waitFor(() => expect(sent).toHaveLength(2), waitOptions);
  expect(sent[1]!.body).toMatchObject({ sameCreditId: 't8' });
});

test('an administrator whose credit did not reach the bank is warned of the same credit that a colleague has made since, before it is sent again [A-56]', async () => {
  bank(networkDown, networkDown, networkDown, made);
  openView();
  await fillIn();
  await press();
  await close();
  const before = sent.length;
  const timestamp = '2026-11-29T14:42:00.000Z';
  const recentCredits = [{ _id: 't8', reference: 'LB-8', amount: 1250.5, description: 'Gift', timestamp }];
  holder = () => json(200, { success: true, message: '', data: { ...holderAnswer, recentCredits } });
  await press();
  expect(await screen.findByText('The same credit was already made')).toBeTruthy();
  expect(
    screen.getByText(
      /\(LB-8\)\. It may be yours, .* If it isn’t, another press pays the customer a second time\.$/,
    ),
  ).toBeTruthy();
  // One banner: the other one says that another press never pays twice.
  expect(screen.queryByText(words.creditUnknown)).toBeNull();
  expect(sent).toHaveLength(before);
  await press();
  await waitFor(() => expect(sent.length).toBeGreaterThan(before), waitOptions);
});

test('an administrator who may have requested the same large credit before reads that another press only requests one [A-56]', async () => {
  bank(networkDown, networkDown, networkDown);
  const others = fetch;
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) =>
    address.endsWith('/four-eyes')
      ? json(200, { success: true, message: '', data: { isOn: true, from: 1000 } })
      : others(address, init),
  );
  openView();
  await fillIn();
  await press();
  await close();
  const timestamp = '2026-11-29T14:42:00.000Z';
  const recentCredits = [{ _id: 't8', reference: 'LB-8', amount: 1250.5, description: 'Gift', timestamp }];
  holder = () => json(200, { success: true, message: '', data: { ...holderAnswer, recentCredits } });
  await press();
  expect(await screen.findByText(/ If it isn’t, another press requests a second credit\.$/)).toBeTruthy();
  expect(screen.queryByText(/another press pays/)).toBeNull();
});

test('until the result of a press is known, the credit cannot be changed, so the form and the slip show what is paid [A-56]', async () => {
  const answer = Promise.withResolvers<Response>();
  bank(() => answer.promise);
  openView();
  await fillIn();
  await screen.findByText('Noor Haddad', { selector: 'aside *' });
  const read = Promise.withResolvers<Response>();
  holder = () => read.promise;
  const fields = [words.accountNumber, words.amount, words.description].map(label =>
    screen.getByLabelText<HTMLInputElement>(label),
  );
  const areOff = () => fields.map(field => field.matches(':disabled'));
  await person.type(fields[1]!, '{Enter}');
  expect(areOff()).toEqual([true, true, true]);
  expect(document.activeElement).toBe(screen.getByRole('button', { name: transferMessages.processing }));
  read.resolve(json(200, { success: true, message: '', data: holderAnswer }));
  await waitFor(() => expect(sent).toHaveLength(1), waitOptions);
  expect(areOff()).toEqual([true, true, true]);
  answer.resolve(json(500, { success: false, message: 'The credit was not made.' }));
  await dialog();
  await close();
  expect(areOff()).toEqual([false, false, false]);
});

test('an administrator whose slip is open while a request for the same credit is approved reads the new balance and that the credit was made [A-56]', async () => {
  bank(made);
  const customer = { _id: 'c1', name: 'Noor Haddad', accountNumber: account };
  requests = [
    { kind: 'credit', status: 'pending', _id: 'r1', customer, amount: 1250.5, description: 'Gift' },
  ];
  openView();
  await fillIn();
  expect(await screen.findByText('A request for the same credit is waiting')).toBeTruthy();
  requests = [];
  const timestamp = '2026-11-29T14:42:00.000Z';
  const recentCredits = [{ _id: 't8', reference: 'LB-8', amount: 1250.5, description: 'Gift', timestamp }];
  holder = () =>
    json(200, { success: true, message: '', data: { ...holderAnswer, balance: 1500.5, recentCredits } });
  store.dispatch(adminCalls.util.invalidateTags(['Requests']));
  expect(await screen.findByText('The same credit was already made')).toBeTruthy();
  expect(screen.getByRole('complementary', { name: words.slip }).textContent).toContain('$1,500.50');
});

test('an administrator whose credit waits reads that the same one was made and that another one waits [ST-81]', async () => {
  const sameCredit = {
    _id: 't8',
    reference: 'LB-8',
    amount: 9,
    description: 'Gift',
    timestamp: '2026-11-29T14:42:00.000Z',
  };
  const approval = { _id: 'r1', sameCredit, sameRequestId: 'r2' };
  bank(() => json(202, { success: true, message: '', data: { approval } }));
  openView();
  await fillIn();
  await press();
  const said = (await dialog()).textContent;
  expect(said).toContain('The same credit was made on');
  expect(said).toContain(staffMessages.sameCredit);
});

test('an administrator who repeats a credit reads that a colleague has approved its request in the meantime [ST-81]', async () => {
  bank(() => json(202, { success: true, message: '', data: { approval: { _id: 'r1' } } }));
  request = { status: 'done', decidedBy: { _id: 'a2', name: 'Omar Haddad' } };
  openView();
  await fillIn();
  await press();
  await waitFor(async () => expect((await dialog()).textContent).toContain('Omar Haddad already approved'));
  expect((await dialog()).textContent).not.toContain(staffMessages.asked);
});

test('an administrator who repeats a credit whose request was decided reads so at once, even if the request cannot be read [ST-81]', async () => {
  const decided = { _id: 'r1', status: 'done', decidedBy: { _id: 'a2', name: 'Omar Haddad' } };
  bank(() => json(202, { success: true, message: '', data: { approval: decided } }));
  openView();
  await fillIn();
  await press();
  expect((await dialog()).textContent).toContain('Omar Haddad already approved');
});

test('an administrator whose credit a colleague reversed before its lost answer came reads that it was reversed [A-65]', async () => {
  bank(unconfirmed, made);
  const { data } = (await made().json()) as { data: object };
  transaction = () => json(200, { success: true, message: '', data: { ...data, reversedBy: 't2' } });
  openView();
  await fillIn();
  await press();
  await close();
  await press();
  const said = (await dialog()).textContent;
  expect(said).toContain('This credit was reversed');
  expect(said).toContain('LB-1');
  expect(said).not.toContain(adminMessages.creditSuccessTitle);
});

test('the slip contains the button that makes the credit', () => {
  bank();
  openView();
  const slip = screen.getByRole('complementary', { name: words.slip });
  expect(within(slip).getByRole('button', { name: adminMessages.creditUser })).toBeTruthy();
});

test.each([
  ['match', 'Confirmed match on the sanctions list'],
  ['open', 'Possible match on the sanctions list'],
])(
  'an administrator who credits a customer whose screening says "%s" is warned, and can still send it [SX-14]',
  async (screening, warning) => {
    bank(made);
    holder = () => json(200, { success: true, message: '', data: { ...holderAnswer, screening } });
    openView();
    await fillIn();
    expect(await screen.findByText(warning)).toBeTruthy();
    await press();
    await waitFor(() => expect(sent).toHaveLength(1), waitOptions);
  },
);
