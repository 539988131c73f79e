/** A scheduled transfer after the answer to a press was lost, and while the list is read again. */
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import * as scheduledMessages from '#contract/messages/scheduled.ts';
import type { ScheduledTransfer } from '#contract/scheduled.ts';
import { api } from '#web/base/api.ts';
import { renderLoggedIn, success } from '../../../../tests/renderWith.tsx';
import { waitOptions } from '../../../../tests/waiting.ts';
import { ScheduledScreen } from './ScheduledScreen.tsx';

const rent: ScheduledTransfer = {
  _id: '1',
  kind: 'internal',
  name: 'Ines Caldeira',
  accountNumber: '482109375527',
  amount: 20,
  description: '',
  createdAt: '2026-11-20T15:00:00.000Z',
  startDate: '2099-12-01',
  frequency: 'weekly',
  status: 'active',
  isPaused: false,
  nextDate: '2099-12-01',
  nextDates: ['2099-12-01', '2099-12-08'],
  datesPast: 0,
  missed: [],
};
const skipped: ScheduledTransfer = {
  ...rent,
  nextDate: '2099-12-08',
  nextDates: ['2099-12-08'],
  lastRun: { date: '2099-12-01', result: 'skipped' },
};

/**
 * Shows `before`. Each change is made, so that the list is `after` (undefined: it is empty), but its answer is lost. `reading`
 * delays the lists after the first. If it rejects, those lists fail.
 */
function show(before: ScheduledTransfer, after?: ScheduledTransfer, reading = Promise.resolve()) {
  let lists = 0;
  let now: ScheduledTransfer | undefined = before;
  const sent: string[] = [];
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
    if (method !== 'GET') {
      // While answers are lost, the app also asks whether the bank is ready.
      if (url !== '/readyz') {
        sent.push(url);
        now = after;
      }
      throw new TypeError('Failed to fetch');
    }
    if (url.endsWith('/scheduled-transfers') && lists++ > 0) await reading;
    return success(now ? [now] : []);
  });
  const store = renderLoggedIn(<ScheduledScreen />);
  return { sent, store };
}

const press = async (name: string) =>
  userEvent.click(await screen.findByRole('button', { name }, waitOptions));

test.each([
  ['Skip Dec 1, 2099', rent, skipped, 'Skip Dec 8, 2099'],
  ['Pause', rent, { ...rent, status: 'paused', isPaused: true } as const, 'Resume'],
  ['Resume', { ...rent, status: 'paused', isPaused: true } as const, rent, 'Pause'],
])(
  'after the answer to "%s" was lost, the customer sees that it worked, and no error beside the next button [ER-18]',
  async (name, before, after, next) => {
    show(before, after);
    await press(name);
    await screen.findByRole('button', { name: next }, waitOptions);
    expect(screen.queryByRole('alert')).toBeNull();
  },
);

test('after the answer to "Send now" was lost, the customer reads that the missed date was sent [ER-18]', async () => {
  const lastRun = { date: '2026-11-02', result: 'sent' as const, transactionId: 't' };
  show({ ...rent, missed: ['2026-11-02'] }, { ...rent, lastRun });
  await press('Send now');
  await screen.findByText(/^Sent for Nov 2/, {}, waitOptions);
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Send now' })).toBeNull();
});

test('until the list is read again after a lost answer, a customer can press nothing twice and reads no error [ER-18]', async () => {
  const reading = Promise.withResolvers<void>();
  const { sent } = show(rent, skipped, reading.promise);
  await press('Skip Dec 1, 2099');
  await waitFor(() => expect(sent).toHaveLength(1), waitOptions);
  await press('Saving...');
  await press('Pause');
  expect(screen.queryByRole('alert')).toBeNull();
  expect(sent).toHaveLength(1);
  await act(async () => reading.resolve());
  await screen.findByRole('button', { name: 'Skip Dec 8, 2099' }, waitOptions);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('after a lost press that did nothing, the customer reads so, until the list shows that it arrived late [ER-18]', async () => {
  const { store } = show(rent, rent);
  await press('Pause');
  const error = await screen.findByRole('alert', {}, waitOptions);
  expect(error.textContent).toBe('We didn’t get an answer, and nothing has changed so far. Try again.');
  screen.getByRole('button', { name: 'Pause' });
  vi.stubGlobal('fetch', async () => success([{ ...rent, status: 'paused', isPaused: true }]));
  act(() => void store.dispatch(api.util.invalidateTags(['Scheduled'])));
  await screen.findByRole('button', { name: 'Resume' }, waitOptions);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('if the list can’t be read after a lost answer, the customer reads that the result is not known [ER-18]', async () => {
  const reading = Promise.reject(new TypeError('Failed to fetch'));
  reading.catch(() => {});
  show(rent, skipped, reading);
  await press('Skip Dec 1, 2099');
  const error = await screen.findByRole('alert', {}, waitOptions);
  expect(error.textContent).toMatch(/^We didn’t get an answer, so we don’t know whether this worked\./);
});

test('after the answer to deleting a scheduled transfer was lost, the focus is on the heading of the page [ER-18]', async () => {
  show(rent);
  await press('Delete');
  await press('Delete');
  await screen.findByText('No scheduled transfers', {}, waitOptions);
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
});

test('after saving a change, the form stays busy until the list shows it [SC-28]', async () => {
  const reading = Promise.withResolvers<void>();
  let now = rent;
  let lists = 0;
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
    if (method === 'PUT') now = { ...rent, amount: 35 };
    if (method === 'GET' && url.endsWith('/scheduled-transfers') && lists++ > 0) await reading.promise;
    return success(method === 'GET' ? [now] : now);
  });
  renderLoggedIn(<ScheduledScreen />);
  await press('Change');
  const form = within(await screen.findByRole('dialog', {}, waitOptions));
  await userEvent.clear(form.getByLabelText('Amount'));
  await userEvent.type(form.getByLabelText('Amount'), '35');
  await userEvent.click(form.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(lists).toBe(2), waitOptions);
  form.getByRole('button', { name: 'Saving...' });
  await act(async () => reading.resolve());
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), waitOptions);
  screen.getByRole('heading', { level: 2, name: /^\$35\.00 to/ });
});

const undone = 'We didn’t get an answer, and nothing has changed so far. Try again.';
const moved = { ...rent, nextDate: '2099-12-08', datesPast: 1 };
test.each([
  ['that it worked, because the form closes', rent, { ...rent, amount: 35 }, undefined],
  ['in the form that nothing has changed so far', rent, rent, undone],
  ['in the form that nothing has changed so far, though a date was paid since then', rent, moved, undone],
  ['the same in the form if times are limited', { ...rent, count: 5 }, { ...moved, count: 5 }, undone],
  ['in the form that the transfer no longer exists', rent, undefined, scheduledMessages.gone],
])('after the answer to a change was lost, the customer sees %s [ER-18]', async (_, before, after, text) => {
  show(before, after);
  await press('Change');
  const form = within(await screen.findByRole('dialog', {}, waitOptions));
  await userEvent.clear(form.getByLabelText('Amount'));
  await userEvent.type(form.getByLabelText('Amount'), '35');
  await press('Save');
  if (text) await form.findByText(text, {}, waitOptions);
  else await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), waitOptions);
  expect(screen.queryByText(/Network error/)).toBeNull();
});

test.each([
  ['closes, because a skipped date is back', '2099-12-01', { ...rent, datesPast: 0 }, true],
  [
    'closes, because the new date is there',
    '2099-12-04',
    { ...rent, startDate: '2099-12-04', nextDate: '2099-12-11', datesPast: 1 },
    true,
  ],
  [
    'stays, because the bank only went on by a week',
    '2099-12-04',
    { ...skipped, nextDate: '2099-12-15', datesPast: 2 },
    false,
  ],
])(
  'after the answer to a change of the next date was lost, the form %s [ER-18]',
  async (_, date, after, closes) => {
    show({ ...skipped, datesPast: 1 }, after);
    await press('Change');
    const form = within(await screen.findByRole('dialog', {}, waitOptions));
    fireEvent.change(form.getByLabelText('Next date'), { target: { value: date } });
    await press('Save');
    if (closes) await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), waitOptions);
    else await form.findByText(undone, {}, waitOptions);
  },
);

test('while one act of a scheduled transfer is under way, Change and Delete can’t be pressed, and only its own button is busy [SC-28]', async () => {
  const reading = Promise.withResolvers<void>();
  const { sent } = show(rent, skipped, reading.promise);
  await press('Skip Dec 1, 2099');
  await waitFor(() => expect(sent).toHaveLength(1), waitOptions);
  const isDisabled = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name }).disabled;
  expect(isDisabled('Change')).toBe(true);
  await press('Delete');
  expect(isDisabled('Delete')).toBe(true);
  expect(screen.queryByRole('button', { name: 'Saving...' })).toBeNull();
  await act(async () => reading.resolve());
  await waitFor(() => expect(isDisabled('Delete')).toBe(false), waitOptions);
});
