/** Hiding the balance hides every amount of the overview, and lasts across a reload. */
import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { hideAmounts } from '#web/base/hiddenAmounts.ts';
import { customerLoggedIn } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { renderWith } from '../../../../tests/renderWith.tsx';
import { wren } from '../../../../tests/sessions.ts';
import { aTransaction } from '../../../../tests/transactions.ts';
import { waitOptions } from '../../../../tests/waiting.ts';
import { OverviewScreen } from './OverviewScreen.tsx';
import { words } from './words.ts';

const answers: Record<string, unknown> = {
  balance: { balance: 120.5 },
  months: {
    months: [
      { month: '2026-10', in: 300, out: 80 },
      { month: '2026-11', in: 90, out: 10 },
    ],
  },
  transactions: {
    transactions: [aTransaction({ amount: 25, description: '' })],
    stats: { totalSent: 80, totalReceived: 300, totalTransactions: 7 },
    currentPage: 1,
    totalPages: 1,
    totalTransactions: 7,
  },
};

function open(customer: object = {}, answered = answers) {
  vi.stubGlobal('fetch', async (url: string) => {
    const data = answered[new URL(url, 'http://bank').pathname.split('/').at(-1) ?? ''];
    return new Response(JSON.stringify({ success: true, message: '', data }));
  });
  const store = makeStore();
  store.dispatch(customerLoggedIn({ ...wren, ...customer }));
  renderWith(store, <OverviewScreen />);
}
const amounts = () => document.body.textContent?.match(/\$[\d,.]+/g) ?? [];

afterEach(() => {
  hideAmounts(false);
});

test('a customer who hides the balance sees no amount on the overview, even after a reload [O-01, O-07]', async () => {
  open();
  await waitFor(() => expect(amounts().length).toBeGreaterThan(6), waitOptions);
  await userEvent.click(screen.getByRole('button', { name: 'Hide balance' }));
  expect(amounts()).toEqual([]);
  expect(document.querySelector('svg title')).toBeNull();

  cleanup();
  open();
  await waitFor(() => expect(screen.getAllByText('••••••')).toHaveLength(4), waitOptions);
  expect(amounts()).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Show balance' }));
  expect(amounts().length).toBeGreaterThan(6);
});

test('a customer without an ID document reads that the account is verified and only the document is missing [D-08]', () => {
  open({ idCard: null });
  expect(
    screen.getByText(/^Your account is verified and open\. We still need a picture of your ID:/),
  ).toBeTruthy();
});

test('a customer whose totals could not be loaded reads so, instead of waiting for them [O-03]', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
  const store = makeStore();
  store.dispatch(customerLoggedIn(wren));
  renderWith(store, <OverviewScreen />);
  const totals = () => document.querySelector('.FigureRow')!;
  await waitFor(() => expect(totals().getAttribute('aria-busy')).toBe('false'), waitOptions);
  expect(totals().querySelector('.FigureRow-wait')).toBeNull();
  expect(screen.getAllByText('Not loaded')).toHaveLength(3);
});

test('a scheduled transfer with a date that cannot be shown does not take the overview away [SC-27]', async () => {
  const far = { _id: '1', name: 'Ines', amount: 5, status: 'active', nextDates: ['10000-12-31'] };
  open({}, { ...answers, 'scheduled-transfers': [far] });
  expect(await screen.findByText(words.upcomingNone, {}, waitOptions)).toBeDefined();
  expect(document.body.textContent).toContain('$120.50');
});

test('an approved customer who is asked for a better ID document reads so on the overview, not after it is verified or during a freeze [SD-07]', async () => {
  const uploaded = { idCard: { url: '/id' }, isVerified: false, isFrozen: false, isIdRequested: true };
  open(uploaded);
  // At once, so that it does not push the overview down later.
  expect(screen.getByText('Please upload a new ID document')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Go to the upload' }).getAttribute('href')).toBe(
    '/dashboard/settings#id-document',
  );

  for (const change of [{ isVerified: true }, { isFrozen: true }, { isIdRequested: false }]) {
    cleanup();
    open({ ...uploaded, ...change });
    await waitFor(() => expect(amounts().length).toBeGreaterThan(6), waitOptions);
    expect(screen.queryByText('Please upload a new ID document')).toBeNull();
  }
});

test('after money was put into a goal, the outlook also says how much is in goals [O-09]', async () => {
  const outlook = { month: '2026-11', moneyIn: 5900.55, moneyOut: 545, statementIn: 5900.55 };
  const ahead = { until: '2026-11-30', isIncome: false, scheduled: 0, left: 4955.55, inGoals: 400 };
  open({}, { ...answers, outlook: { ...outlook, ...ahead, statementOut: 945 } });
  await screen.findByText(
    'In November, $5,900.55 came in and $545.00 went out. Nothing is scheduled for the rest of the month, so $4,955.55 is left to spend, and $400.00 is in your goals.',
    {},
    waitOptions,
  );
  cleanup();
  open({}, { ...answers, outlook: { ...outlook, ...ahead, statementOut: 545 } });
  await screen.findByText(/\$4,955\.55 is left to spend\.$/, {}, waitOptions);
});

test.each([
  [100, 'Savings'],
  [0, 'Transfers'],
  [40, 'Transfers and savings'],
])(
  'the outlook of a customer with %s dollars of savings among the 100 that are scheduled says "%s scheduled" [O-09]',
  async (savings, what) => {
    const outlook = { month: '2026-11', moneyIn: 900, moneyOut: 0, statementIn: 900, statementOut: 0 };
    const ahead = { until: '2026-11-30', isIncome: false, scheduled: 100, savings, left: 800, inGoals: 0 };
    open({}, { ...answers, outlook: { ...outlook, ...ahead } });
    await screen.findByText(
      `In November, $900.00 came in and $0.00 went out. ${what} scheduled for the rest of the month come to $100.00, so $800.00 is left to spend.`,
      {},
      waitOptions,
    );
  },
);
