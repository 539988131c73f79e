/** The forms of savings goals: what a press with missing fields shows, and moving money. */
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { hideAmounts } from '#web/base/hiddenAmounts.ts';
import { piano } from '../../../../tests/goals.ts';
import { renderLoggedIn, success } from '../../../../tests/renderWith.tsx';
import { waitOptions } from '../../../../tests/waiting.ts';
import { GoalDialog } from './GoalDialog.tsx';
import { MoveDialog } from './MoveDialog.tsx';

const dialog = { heading: { current: null }, onClose: () => {} };
const openForm = (direction: 'in' | 'out') =>
  renderLoggedIn(<MoveDialog {...dialog} goal={piano} direction={direction} />);

test('more than the balance cannot be added, and a second press after a lost answer sends the same key [GO-14]', async () => {
  const keys: (string | null)[] = [];
  vi.stubGlobal('fetch', async (url: string, { headers }: RequestInit) => {
    if (!url.endsWith('/move')) return success({ balance: 90 });
    keys.push(new Headers(headers).get('idempotency-key'));
    throw new TypeError('connection lost');
  });
  openForm('in');
  await waitFor(() => expect(screen.getByText('$90.00 available')).toBeDefined(), waitOptions);
  const [amount, press] = [
    screen.getByLabelText('Amount'),
    screen.getByRole('button', { name: 'Add money' }),
  ];
  expect(screen.queryByRole('button', { name: '$100.00' })).toBeNull();
  await userEvent.click(press);
  expect(screen.getByText('Please enter a valid amount')).toBeDefined();
  expect(document.activeElement).toBe(amount);
  await userEvent.type(amount, '90.01');
  expect(screen.getByText('You have only $90.00 available.')).toBeDefined();
  await userEvent.click(press);
  expect(keys).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: '$50.00' }));
  for (const presses of [1, 2]) {
    await userEvent.click(press);
    await waitFor(() => expect(keys).toHaveLength(presses), waitOptions);
    await screen.findByText(/^We don’t know whether \$50\.00 was moved\. Press the button/, {}, waitOptions);
  }
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(keys[1]).toBe(keys[0]);
});

test('after a lost answer, another amount is not moved too: the form says which amount may have been moved [GO-14]', async () => {
  const sent: { key: string | null; amount: number }[] = [];
  vi.stubGlobal('fetch', async (url: string, { headers, body }: RequestInit) => {
    if (!url.endsWith('/move')) return success({ balance: 90 });
    sent.push({ key: new Headers(headers).get('idempotency-key'), ...JSON.parse(body as string) });
    if (sent.length < 2) throw new TypeError('connection lost');
    if (sent.length < 3) {
      const refusal = { success: false, code: 'RATE_LIMITED', message: 'Please wait a minute.' };
      return new Response(JSON.stringify(refusal), { status: 429 });
    }
    const mismatch = { success: false, code: 'IDEMPOTENCY_MISMATCH', message: 'This key was used.' };
    return new Response(JSON.stringify(mismatch), { status: 409 });
  });
  openForm('in');
  const press = async () => await userEvent.click(screen.getByRole('button', { name: 'Add money' }));
  await userEvent.click(await screen.findByRole('button', { name: '$25.00' }, waitOptions));
  await press();
  const unknown = await screen.findByText(
    'We don’t know whether $25.00 was moved. Press the button again: it is moved only once.',
    {},
    waitOptions,
  );
  expect(unknown.closest('.Banner--warning')).not.toBeNull();
  await userEvent.click(screen.getByRole('button', { name: '$50.00' }));
  expect(screen.queryByText(/Press the button again/)).toBeNull();
  expect(
    screen.getByText('We don’t know whether $25.00 was moved. If it was, the new amount won’t be moved.'),
  ).toBeDefined();
  await press();
  // The refused amount was certainly not moved.
  await screen.findByText(
    /^Please wait a minute\. We don’t know whether \$25\.00 was moved\. If it was/,
    {},
    waitOptions,
  );
  await press();
  await screen.findByText(
    /^You already sent this form with \$25\.00, so the new amount wasn’t moved/,
    {},
    waitOptions,
  );
  expect(sent.map(({ amount }) => amount)).toEqual([25, 50, 50]);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
  // Back at the first amount, the customer can ask what became of it.
  await userEvent.click(screen.getByRole('button', { name: '$25.00' }));
  expect(
    screen.getByText(
      /^You already sent this form with \$25\.00\. Press the button again: if the money wasn’t/,
    ),
  ).toBeDefined();
});

test('a press after a refusal is a new movement, because the bank would repeat the refusal to the same key [GO-14]', async () => {
  const keys: (string | null)[] = [];
  vi.stubGlobal('fetch', async (url: string, { headers }: RequestInit) => {
    if (!url.endsWith('/move')) return success({ balance: 90 });
    keys.push(new Headers(headers).get('idempotency-key'));
    return new Response(
      JSON.stringify({ success: false, code: 'INSUFFICIENT_BALANCE', message: 'Insufficient balance' }),
      { status: 422 },
    );
  });
  openForm('in');
  await userEvent.click(await screen.findByRole('button', { name: '$50.00' }, waitOptions));
  for (const presses of [1, 2]) {
    await userEvent.click(screen.getByRole('button', { name: 'Add money' }));
    await waitFor(() => expect(keys).toHaveLength(presses), waitOptions);
    await screen.findByText('Insufficient balance', {}, waitOptions);
  }
  expect(keys[1]).not.toBe(keys[0]);
});

test('a press of "Add a goal" shows what is missing, and each field is checked from then on [GO-16]', async () => {
  renderLoggedIn(
    <GoalDialog {...dialog} goal={undefined} goals={{ refetch: async () => ({ isError: true }) }} />,
  );
  await userEvent.selectOptions(screen.getByLabelText('Save automatically'), 'weekly');
  expect(screen.queryByText('Give the goal a name')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Add a goal' }));
  expect(screen.getByText('Give the goal a name')).toBeDefined();
  expect(screen.getAllByText('Please enter a valid amount')).toHaveLength(2);
  expect(document.activeElement).toBe(screen.getByLabelText('What for'));
  await userEvent.type(screen.getByLabelText('What for'), 'Piano');
  expect(screen.queryByText('Give the goal a name')).toBeNull();
});

test.each(['in', 'out'] as const)(
  'while amounts are hidden, the form to move money %s shows none [O-07]',
  async direction => {
    const fetched = vi.fn(async () => success({ balance: 90 }));
    vi.stubGlobal('fetch', fetched);
    hideAmounts(true);
    openForm(direction);
    await waitFor(() => expect(screen.getByRole('button', { name: '$25.00' })).toBeDefined(), waitOptions);
    // Which amounts are offered does not depend on the amount that is hidden.
    expect(screen.getByRole('button', { name: '$100.00' })).toBeDefined();
    expect(screen.queryByText(/^\$(90|40)\.00 /)).toBeNull();
    await userEvent.type(screen.getByLabelText('Amount'), '95');
    expect(screen.getByText('This amount is too large.')).toBeDefined();
    expect(document.body.textContent).not.toMatch(/\$(90|40)\.00/);
    hideAmounts(false);
  },
);
