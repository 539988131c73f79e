/** The moment of sending: Enter in a field never sends, a press waits for the lookup, and every wrong field says why. */
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { limitsApi } from '#contract/limits.ts';
import { payeesApi } from '#contract/payees.ts';
import { transferApi } from '#contract/transfer.ts';
import { otherBank } from '#web/bank/banks.ts';
import { draftOf } from '#web/bank/scheduleDraft.ts';
import { hideAmounts } from '#web/base/hiddenAmounts.ts';
import { customerLoggedIn } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { useLocation } from '#web/router/hooks.ts';
import { RouterProvider } from '#web/router/RouterProvider.tsx';
import { createMemoryRouter } from '../../../../tests/memoryRouter.tsx';
import { renderWith } from '../../../../tests/renderWith.tsx';
import { wren } from '../../../../tests/sessions.ts';
import { aTransaction } from '../../../../tests/transactions.ts';
import { waitOptions } from '../../../../tests/waiting.ts';
import { PendingTransfer } from './PendingTransfer.tsx';
import { TransferScreen } from './TransferScreen.tsx';
import { payeeWords } from './words.ts';

const answer = (data: unknown, status = 200) =>
  new Response(JSON.stringify({ success: true, message: '', data }), { status });

function ScheduledDraft() {
  return <output>{JSON.stringify(draftOf(useLocation().state))}</output>;
}

/** Opens the screen at a bank where the balance is $100.00; lookups find Ines Caldeira once `lookUp` resolves. */
function open(
  lookUp: Promise<void> = Promise.resolve(),
  limit: object = { dailyOut: null, sentToday: null, leftToday: null },
  path = '/',
) {
  const sent: unknown[] = [];
  const payees: object[] = [];
  vi.stubGlobal('fetch', async (url: string, { body, method }: RequestInit) => {
    if (url.endsWith('/balance')) return answer({ balance: 100 });
    if (url.endsWith(payeesApi.listPayees.path)) {
      if (method === 'POST')
        payees.push({ ...ines, ...JSON.parse(body as string), lastPaidAt: '2026-11-20T12:00:00Z' });
      return answer(method === 'POST' ? payees.at(-1) : payees);
    }
    if (url.endsWith(limitsApi.dailyLimit.path)) return answer(limit);
    if (method === 'DELETE') {
      payees.pop();
      return answer(undefined);
    }
    if (url.endsWith(transferApi.sendInternal.path)) {
      sent.push(JSON.parse(body as string));
      return answer(aTransaction({ amount: 20 }), 201);
    }
    await lookUp;
    return answer({ accountName: 'Ines Caldeira', accountNumber: '730511842298' });
  });
  const store = makeStore();
  store.dispatch(customerLoggedIn(wren));
  const routes = [
    { Component: PendingTransfer, children: [{ path: '/', Component: TransferScreen }] },
    { path: '/dashboard/scheduled', Component: ScheduledDraft },
  ];
  renderWith(store, <RouterProvider router={createMemoryRouter(routes, { initialEntries: [path] })} />);
  return { sent };
}

const ines = { _id: 'ines', name: 'Ines Caldeira', createdAt: '2026-11-20T12:00:00Z' };
const person = () => userEvent.setup();
const number = () => screen.getByLabelText<HTMLInputElement>('Receiver’s account number');
const amount = () => screen.getByLabelText<HTMLInputElement>('Amount');
const sendButton = () => screen.getByRole('button', { name: 'Send Money' });
const problemOf = (field: HTMLElement) => {
  const ids = field.getAttribute('aria-describedby')?.split(' ') ?? [];
  return field.getAttribute('aria-invalid') && document.getElementById(ids[0] ?? '')?.textContent;
};

afterEach(() => {
  hideAmounts(false);
});

test('Enter in a field moves the focus to Send Money, and a held key does not press it [T-29]', async () => {
  const { sent } = open();
  const user = person();
  await user.type(number(), '730511842298');
  await screen.findByText('Ines Caldeira', { selector: 'b' });
  await user.type(amount(), '20');
  await user.keyboard('{Enter>5/}');
  expect(document.activeElement).toBe(sendButton());
  expect(amount().value).toBe('20.00');
  expect(sent).toEqual([]);
  await user.keyboard('{Enter}');
  await screen.findByRole('dialog', { name: 'Transfer Successful' });
  expect(sent).toHaveLength(1);
});

test('a customer who types one digit too many, or pastes an IBAN, reads so at once instead of another customer’s name [V-14]', async () => {
  open();
  const user = person();
  await user.type(number(), '7305118422980');
  expect(number().value).toBe('7305 1184 2298 0');
  expect(problemOf(number())).toContain('Account number must be 12 digits');
  await user.clear(number());
  await user.paste('DE89 3704 0044 0532 0130 00');
  expect(problemOf(number())).toContain('Account number must be 12 digits');
  await user.clear(number());
  await user.paste('7305-1184 2298');
  expect(problemOf(number())).toBeNull();
  await screen.findByText('Ines Caldeira', { selector: 'b' });
});

test('a press while the receiver is being looked up waits for the answer, and sends once [T-30]', async () => {
  const lookup = Promise.withResolvers<void>();
  const { sent } = open(lookup.promise);
  const user = person();
  await user.type(amount(), '20');
  await user.type(number(), '7305-1184-2298');
  await screen.findByText('Verifying account...');
  await user.click(sendButton());
  expect(await screen.findByText('Processing...')).toBeDefined();
  expect(
    screen
      .getAllByRole('alert')
      .map(({ textContent }) => textContent)
      .join(''),
  ).toBe('');
  expect(sent).toEqual([]);
  lookup.resolve();
  await screen.findByRole('dialog', { name: 'Transfer Successful' });
  expect(sent).toEqual([{ receiverAccountNumber: '730511842298', amount: 20, description: '' }]);
});

test('a press waiting for the lookup is withdrawn when the customer changes the form', async () => {
  const lookup = Promise.withResolvers<void>();
  const { sent } = open(lookup.promise);
  const user = person();
  await user.type(number(), '730511842298');
  await user.type(amount(), '20');
  await user.click(sendButton());
  await user.type(amount(), '0');
  lookup.resolve();
  await screen.findByText('Ines Caldeira', { selector: 'b' });
  await waitFor(() => expect(sendButton()).toBeDefined(), waitOptions);
  expect(sent).toEqual([]);
});

test('every wrong field is marked with its reason, and the mark disappears with its cause [V-33]', async () => {
  open();
  const user = person();
  await user.type(amount(), '.5');
  expect(problemOf(amount())).toBeNull();
  await user.tab();
  expect(problemOf(amount())).toBe('Please enter a valid amount. Write it as 0.50.');
  await user.click(sendButton());
  expect(problemOf(number())).toContain('Account number must be 12 digits');
  const banner = screen.getAllByRole('alert')[0]!;
  expect(banner.textContent).toContain('Check these fields: Receiver’s account number, Amount');
  expect(banner.textContent).toContain('Nothing was sent.');

  await user.clear(amount());
  await user.type(amount(), '150');
  await user.tab();
  expect(problemOf(amount())).toBe('Insufficient balance. You have $100.00.');
  await user.clear(amount());
  await user.type(amount(), '15');
  expect(problemOf(amount())).toBeNull();
  await user.type(number(), '730511842298');
  expect(problemOf(number())).toBeNull();
  expect(banner.className).toContain('FormBanner--fixed');
});

test('hidden amounts stay hidden on the transfer screen, even in its errors [O-07]', async () => {
  hideAmounts(true);
  open();
  const user = person();
  await waitFor(
    () => expect(screen.getAllByRole('img', { name: 'Balance hidden' })).toHaveLength(2),
    waitOptions,
  );
  await user.type(amount(), '150');
  await user.tab();
  expect(problemOf(amount())).toBe('Insufficient balance');
  expect(document.body.textContent).not.toContain('100.00');
  await user.click(screen.getByRole('button', { name: 'Show balance' }));
  expect(document.body.textContent).toContain('$100.00');
});

test('the description says how many characters are left [T-35]', async () => {
  open();
  expect(screen.getByText('140 characters left')).toBeDefined();
  await person().type(screen.getByLabelText('Description'), 'Two atlases');
  expect(screen.getByText('129 characters left')).toBeDefined();
});

test('a receiver that was found can be saved as a payee, and then chosen from the payees [PY-10, X-20]', async () => {
  open();
  const user = person();
  await user.type(number(), '730511842298');
  await user.click(await screen.findByRole('button', { name: 'Save as payee' }));
  expect(await screen.findByText('Saved as payee.')).toBeDefined();
  await user.clear(number());
  await user.type(amount(), '20');
  await user.click(screen.getByRole('button', { name: 'Choose a payee' }));
  await user.type(await screen.findByLabelText('Search by name, bank or account number'), 'zzz');
  expect(screen.getByText('No payee matches your search.')).toBeDefined();
  await user.clear(screen.getByLabelText('Search by name, bank or account number'));
  // A search ignores accents, in the payees and in the text.
  await user.type(screen.getByLabelText('Search by name, bank or account number'), 'inés');
  await user.click(screen.getByRole('button', { name: /^Ines Caldeira/ }));
  await waitFor(() => expect(number().value).toBe('7305 1184 2298'), waitOptions);
  expect(amount().value).toBe('20.00');
  // The next thing to fill in.
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Amount')), waitOptions);
});

test('removing a payee asks first in its row, Keep removes nothing, and the focus stays in the list [PY-12]', async () => {
  open();
  const user = person();
  await user.type(number(), '730511842298');
  await user.click(await screen.findByRole('button', { name: 'Save as payee' }));
  await screen.findByText('Saved as payee.');
  await user.click(screen.getByRole('button', { name: 'Choose a payee' }));
  await user.click(await screen.findByRole('button', { name: 'Edit Ines Caldeira' }));
  await user.click(screen.getByRole('button', { name: 'Remove payee' }));
  screen.getByRole('group', { name: 'Remove Ines Caldeira from your payees?' });
  await user.click(screen.getByRole('button', { name: 'Keep' }));
  expect(screen.getByRole('button', { name: /^Ines Caldeira/ })).toBeDefined();

  await user.click(screen.getByRole('button', { name: 'Remove payee' }));
  await user.click(screen.getByRole('button', { name: 'Remove' }));
  expect(await screen.findByText('No payees yet')).toBeDefined();
  expect(screen.queryByText('Choose who to pay. Most recent first.')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('list', { name: 'Payees' }));
});

test('the summary says what is sent only while no field has a problem [T-36]', async () => {
  open();
  const user = person();
  const empty = 'Check your transfer here before you send it.';
  await user.type(number(), '730511842298');
  await user.type(amount(), '150');
  await screen.findByText('Ines Caldeira', { selector: 'b' });
  expect(screen.getByText(empty)).toBeDefined();
  await user.clear(amount());
  await user.type(amount(), '20');
  expect(await screen.findByText('You’re sending $20.00 to Ines Caldeira.')).toBeDefined();

  await user.click(screen.getByRole('radio', { name: 'External Transfer' }));
  await user.selectOptions(screen.getByLabelText('Bank'), 'UBS');
  await user.type(screen.getByLabelText('Account holder’s name'), 'Bruno Katz');
  await user.type(screen.getByLabelText('Account number or IBAN'), 'CH5604835012345678008');
  expect(screen.getByText(empty)).toBeDefined();
  await user.type(screen.getByLabelText('Account number or IBAN'), '{Backspace}9');
  expect(screen.getByText('You’re sending $20.00 to Bruno Katz.')).toBeDefined();
});

test('over the daily limit, the field shows the figures and the banner links to the limits, each once [BR-63]', async () => {
  const { sent } = open(undefined, { dailyOut: 30, sentToday: 10, leftToday: 20 });
  const user = person();
  await user.type(number(), '730511842298');
  await screen.findByText('Ines Caldeira', { selector: 'b' });
  await user.type(amount(), '50');
  await user.click(sendButton());
  expect(screen.getByRole('link', { name: 'See your limits' }).getAttribute('href')).toBe(
    '/dashboard/settings?tab=security',
  );
  expect(screen.getAllByText(/\$10\.00 sent today/)).toHaveLength(1);
  expect(problemOf(amount())).toContain('Daily limit $30.00: $10.00 sent today, $20.00 left.');
  expect(sent).toEqual([]);
});

test('if the receiver’s account was closed after the lookup, the field says so after the press, without the name [T-10]', async () => {
  open();
  const user = person();
  await user.type(number(), '730511842298');
  await screen.findByText('Ines Caldeira', { selector: 'b' });
  await user.type(amount(), '20');
  const answered = fetch;
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const asksForReceiver = url.endsWith(transferApi.sendInternal.path) || url.endsWith('730511842298');
    if (!asksForReceiver) return await answered(url, init);
    return Response.json(
      { success: false, code: 'NOT_FOUND', message: 'Account not found' },
      { status: 404 },
    );
  });
  await user.click(sendButton());
  const refused = await screen.findByRole('dialog', {}, waitOptions);
  await user.click(within(refused).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(problemOf(number())).toContain('Account not found'), waitOptions);
  expect(screen.queryByText('Ines Caldeira')).toBeNull();
});

test('after a refused press, choosing another bank asks for its name without an error', async () => {
  open();
  const user = person();
  await user.click(screen.getByRole('radio', { name: 'External Transfer' }));
  await user.click(sendButton());
  expect(problemOf(screen.getByLabelText('Bank'))).not.toBeNull();
  await user.selectOptions(screen.getByLabelText('Bank'), otherBank);
  expect(problemOf(screen.getByLabelText('Bank name'))).toBeNull();
  await user.click(sendButton());
  expect(problemOf(screen.getByLabelText('Bank name'))).toBe('Please enter the bank’s name');
});

test('“Repeat or send later” passes a receiver who is a payee as that payee, and any other as typed [SC-18]', async () => {
  for (const isPayee of [false, true]) {
    open();
    const user = person();
    await user.type(number(), '7305-1184-2298');
    await user.type(amount(), '20');
    if (isPayee) {
      await user.click(await screen.findByRole('button', { name: payeeWords.save }));
      await screen.findByText('Saved as payee.');
    }
    await user.click(screen.getByRole('button', { name: 'Repeat or send later' }));
    const receiver = isPayee ? { to: 'ines' } : { to: 'internal', receiverAccountNumber: '730511842298' };
    const draft = (await screen.findByRole('status')).textContent;
    expect(JSON.parse(draft!)).toMatchObject({ ...receiver, amount: '20.00', description: '' });
    cleanup();
  }
});

test('the link in a mail about a payee opens the list of payees, and the list stays closed after it is closed [PY-11]', async () => {
  open(undefined, undefined, '/?payees');
  await screen.findByRole('dialog', { name: payeeWords.title });
  await person().keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), waitOptions);
});

test('while the result of a transfer is unknown, its tab says so even after Close, and does not subtract the amount twice [T-36]', async () => {
  open();
  const user = person();
  await user.type(number(), '730511842298');
  await screen.findByText('Ines Caldeira', { selector: 'b' });
  await user.type(amount(), '20');
  await screen.findByText('$80.00');
  const answered = fetch;
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (url.endsWith(transferApi.sendInternal.path)) throw new TypeError('connection lost');
    return await answered(url, init);
  });
  await user.click(sendButton());
  const late = await screen.findByRole('dialog', {}, waitOptions);
  await user.click(within(late).getByRole('button', { name: 'Close' }));
  await screen.findByText('Your last transfer isn’t confirmed yet', {}, waitOptions);
  // The balance may contain the transfer already.
  expect(screen.queryByText('$80.00')).toBeNull();
});
