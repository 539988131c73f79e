/** The list of scheduled transfers while its dates and its rows change. */
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { calendarDay } from '#contract/bankTime.ts';
import { plusDays } from '#contract/federalHolidays.ts';
import { payeesApi } from '#contract/payees.ts';
import { shortName } from '#contract/ruleText.ts';
import type { ScheduledTransfer } from '#contract/scheduled.ts';
import { api } from '#web/base/api.ts';
import { renderLoggedIn, success } from '../../../../tests/renderWith.tsx';
import { waitOptions } from '../../../../tests/waiting.ts';
import { ScheduledScreen } from './ScheduledScreen.tsx';

const aSchedule = (_id: string, name: string, nextDates: string[]): ScheduledTransfer => ({
  _id,
  kind: 'internal',
  name,
  accountNumber: '482109375527',
  amount: 20,
  description: '',
  createdAt: '2026-11-20T15:00:00.000Z',
  startDate: nextDates[0]!,
  frequency: 'monthly',
  status: 'active',
  isPaused: false,
  nextDate: nextDates[0]!,
  nextDates,
  datesPast: 0,
  missed: [],
});

test('a double-click on Skip skips one date, and the transfers keep their places [SC-21]', async () => {
  const rent = aSchedule('1', 'Ines Caldeira', ['2099-12-01', '2100-01-01']);
  const power = aSchedule('2', 'Hudson Light', ['2099-12-06']);
  const skips: unknown[] = [];
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    if (url.endsWith('/skip')) skips.push(init?.body);
    // The server sorts the transfers by their next dates.
    const skipped = aSchedule('1', 'Ines Caldeira', ['2100-01-01']);
    const data = url.endsWith('/skip') ? skipped : skips.length > 0 ? [power, skipped] : [rent, power];
    return success(data);
  });
  renderLoggedIn(<ScheduledScreen />);
  const skip = await screen.findByRole('button', { name: 'Skip Dec 1, 2099' }, waitOptions);
  await userEvent.dblClick(skip);
  await waitFor(
    () => expect(screen.getByRole('button', { name: 'Skip Jan 1, 2100' })).toBeDefined(),
    waitOptions,
  );
  expect(skips).toEqual(['{"date":"2099-12-01"}']);
  expect(screen.getAllByRole('heading', { level: 2 }).map(title => title.textContent)).toEqual([
    expect.stringContaining('Ines Caldeira'),
    expect.stringContaining('Hudson Light'),
  ]);
});

test('a transfer that is due today and lacks money says within seconds when the bank tries again [SC-07]', async () => {
  const rent = aSchedule('1', 'Ines Caldeira', [calendarDay(new Date())]);
  const retriesAt = new Date(Date.now() + 3_600_000).toISOString();
  let calls = 0;
  vi.stubGlobal('fetch', async () => {
    const data = [calls++ === 0 ? rent : { ...rent, retriesAt }];
    return success(data);
  });
  renderLoggedIn(<ScheduledScreen />);
  await screen.findByText(/^Next: /, {}, waitOptions);
  await screen.findByText(/your balance or daily limit was too small/, {}, waitOptions);
});

test('a payment that was sent late says for which scheduled date it was sent [SC-08]', async () => {
  const lastRun = { date: '2099-11-20', result: 'sent' as const, transactionId: 'late' };
  const rent = { ...aSchedule('1', 'Ines Caldeira', ['2099-12-20']), lastRun };
  vi.stubGlobal('fetch', async () => success([rent]));
  renderLoggedIn(<ScheduledScreen />);
  const link = await screen.findByRole('link', { name: 'View the transfer' }, waitOptions);
  expect(link.parentElement!.textContent).toContain('Sent for Nov 20, 2099');
});

test('a transfer with dates that the screen cannot show does not hide the other transfers [SC-27]', async () => {
  const lastRun = { date: '10000-11-30', result: 'skipped' as const };
  const far = {
    ...aSchedule('1', 'Ines Caldeira', ['10000-12-31', '10001-12-31']),
    lastRun,
    missed: ['10000-01-31'],
  };
  const data = [far, aSchedule('2', 'Hudson Light', ['2099-12-06'])];
  vi.stubGlobal('fetch', async () => success(data));
  renderLoggedIn(<ScheduledScreen />);
  expect(await screen.findByRole('button', { name: 'Skip 10000-12-31' }, waitOptions)).toBeDefined();
  expect(screen.getByRole('button', { name: 'Skip Dec 6, 2099' })).toBeDefined();
});

test('keeping a scheduled transfer returns the focus to its Delete button and nowhere else [SC-21]', async () => {
  const rent = aSchedule('1', 'Ines Caldeira', ['2099-12-01']);
  vi.stubGlobal('fetch', async () => success([rent]));
  renderLoggedIn(<ScheduledScreen />);
  await userEvent.click(await screen.findByRole('button', { name: 'Delete' }, waitOptions));
  const keep = screen.getByRole('button', { name: 'Keep' });
  expect(document.activeElement).toBe(keep);
  const focused = vi.fn();
  screen.getByRole('heading', { level: 1 }).addEventListener('focus', focused);
  await userEvent.click(keep);
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Delete' }));
  // A screen reader would read the heading, too.
  expect(focused).not.toHaveBeenCalled();
});

test('after adding the first scheduled transfer and after deleting it, the focus is on the heading [SC-09]', async () => {
  const payee = { _id: 'ines', kind: 'internal', name: 'Ines Caldeira', accountNumber: '482109375527' };
  let schedules: ScheduledTransfer[] = [];
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
    if (method === 'POST') schedules = [aSchedule('1', 'Ines Caldeira', ['2099-12-01'])];
    if (method === 'DELETE') schedules = [];
    const data = url.endsWith(payeesApi.listPayees.path) ? [payee] : schedules;
    return success(data);
  });
  renderLoggedIn(<ScheduledScreen />);
  const heading = screen.getByRole('heading', { level: 1 });

  await screen.findByText('No scheduled transfers', {}, waitOptions);
  await userEvent.click(screen.getByRole('button', { name: 'Schedule a transfer' }));
  const form = within(await screen.findByRole('dialog', {}, waitOptions));
  await form.findByRole('option', { name: 'Ines Caldeira' }, waitOptions);
  await userEvent.selectOptions(form.getByLabelText('To'), 'Ines Caldeira');
  await userEvent.type(form.getByLabelText('Amount'), '20');
  fireEvent.change(form.getByLabelText('First date'), { target: { value: '2099-12-01' } });
  await userEvent.click(form.getByRole('button', { name: 'Schedule' }));
  const remove = await screen.findByRole('button', { name: 'Delete' }, waitOptions);
  await waitFor(() => expect(document.activeElement).toBe(heading), waitOptions);

  await userEvent.click(remove);
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
  await screen.findByText('No scheduled transfers', {}, waitOptions);
  expect(document.activeElement).toBe(heading);
});

test('after the only date is skipped and after a missed one is decided, the focus is on the transfer [SC-21]', async () => {
  const once: ScheduledTransfer = { ...aSchedule('1', 'Ines Caldeira', ['2099-12-01']), frequency: 'once' };
  const ended: ScheduledTransfer = { ...once, status: 'ended', nextDate: null, nextDates: [] };
  let answered: ScheduledTransfer = { ...once, missed: ['2026-11-02'] };
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
    if (method !== 'GET') answered = url.endsWith('/skip') ? ended : once;
    const data = method === 'GET' ? [answered] : answered;
    return success(data);
  });
  renderLoggedIn(<ScheduledScreen />);
  for (const name of ['Don’t send', 'Skip Dec 1, 2099']) {
    await userEvent.click(await screen.findByRole('button', { name }, waitOptions));
    await waitFor(() => expect(screen.queryByRole('button', { name })).toBeNull(), waitOptions);
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 2 }));
  }
});

test('the question about a missed date names the amount that was due on it, not the present one [SC-13]', async () => {
  const rent = {
    ...aSchedule('1', 'Ines Caldeira', ['2099-12-01']),
    missed: ['2026-11-02'],
    missedAmounts: [7],
  };
  vi.stubGlobal('fetch', async () => success([rent]));
  renderLoggedIn(<ScheduledScreen />);
  expect(await screen.findByText(/^We couldn’t send \$7\.00 on /, {}, waitOptions)).toBeTruthy();
});

test('a scheduled transfer that another tab deleted disappears when one of its buttons is pressed', async () => {
  let isDeleted = false;
  vi.stubGlobal('fetch', async (_: string, { method }: RequestInit) => {
    if (method === 'GET') {
      const data = isDeleted ? [] : [aSchedule('1', 'Ines Caldeira', ['2099-12-01'])];
      return success(data);
    }
    isDeleted = true;
    const refusal = {
      success: false,
      code: 'NOT_FOUND',
      message: 'This scheduled transfer no longer exists.',
    };
    return new Response(JSON.stringify(refusal), { status: 404 });
  });
  renderLoggedIn(<ScheduledScreen />);
  await userEvent.click(await screen.findByRole('button', { name: 'Skip Dec 1, 2099' }, waitOptions));
  await screen.findByText('No scheduled transfers', {}, waitOptions);
});

test('while the account is frozen, a transfer can be skipped and does not ask to press Resume or announce another try [SC-11]', async () => {
  const rent: ScheduledTransfer = {
    ...aSchedule('1', 'Ines Caldeira', ['2099-12-01']),
    status: 'paused',
    retriesAt: '2099-12-01T17:00:00.000Z',
  };
  vi.stubGlobal('fetch', async () => success([rent]));
  renderLoggedIn(<ScheduledScreen />, { isFrozen: true });
  await screen.findByRole('button', { name: 'Skip Dec 1, 2099' }, waitOptions);
  screen.getByText('We send nothing until you unfreeze your account.');
  expect(screen.queryByText(/Resume/)).toBeNull();
  expect(screen.queryByText(/try again/)).toBeNull();
});

test('while the account is frozen, an empty list does not suggest to schedule a transfer [SC-11]', async () => {
  vi.stubGlobal('fetch', async () => success([]));
  renderLoggedIn(<ScheduledScreen />, { isFrozen: true });
  await screen.findByText('No scheduled transfers', {}, waitOptions);
  expect(screen.queryByText(/^Schedule rent/)).toBeNull();
});

test('a customer with too little money reads when the bank tries again, with the day unless it is today [SC-07]', async () => {
  const day = calendarDay(new Date());
  const tomorrow = plusDays(day, 1);
  const at = (date: string) => new Date(`${date}T17:00:00Z`).toISOString();
  const schedules = [
    { ...aSchedule('1', 'Ines Caldeira', [day]), retriesAt: at(day) },
    { ...aSchedule('2', 'Hudson Light', [day]), retriesAt: at(tomorrow) },
  ];
  vi.stubGlobal('fetch', async () => success(schedules));
  renderLoggedIn(<ScheduledScreen />);
  const notes = await screen.findAllByText(/We’ll try again/, {}, waitOptions);
  expect(notes.map(({ textContent }) => textContent!.replace(/.*try again/, ''))).toEqual([
    expect.stringMatching(/^ at 1[12]:00 [AP]M\.$/),
    expect.stringMatching(new RegExp(`^ at 1[12]:00 [AP]M on ${shortName(tomorrow)}\\.$`)),
  ]);
});

test('a transfer that is sent once has a date, and one that is repeated a first date [SC-14]', async () => {
  vi.stubGlobal('fetch', async () => success([]));
  renderLoggedIn(<ScheduledScreen />);
  await screen.findByText('No scheduled transfers', {}, waitOptions);
  await userEvent.click(screen.getByRole('button', { name: 'Schedule a transfer' }));
  expect(await screen.findByLabelText('First date', {}, waitOptions)).toBeDefined();
  fireEvent.change(screen.getByLabelText('How often'), { target: { value: 'once' } });
  expect(screen.getByLabelText('Date')).toBeDefined();
});

/** A single transfer, paused over its date. */
const passed: ScheduledTransfer = {
  ...aSchedule('1', 'Ines Caldeira', ['2026-11-06']),
  frequency: 'once',
  status: 'paused',
  isPaused: true,
  nextDate: null,
  nextDates: [],
};

/** Shows these scheduled transfers. `refusals`: how many of the next changes the bank refuses; `answer` answers the others. */
function show(
  schedules: ScheduledTransfer[],
  { isFrozen = false, refusals = 0, answer = schedules[0] } = {},
) {
  let [isDone, refused] = [false, 0];
  vi.stubGlobal('fetch', async (_: string, { method }: RequestInit) => {
    if (method === 'GET') return success(isDone ? [answer] : schedules);
    if (refused++ < refusals)
      return Response.json({ success: false, code: 'FAULT', message: 'The bank is busy.' }, { status: 500 });
    isDone = true;
    return success(answer);
  });
  renderLoggedIn(<ScheduledScreen />, { isFrozen });
}

test('a customer whose single transfer was paused over its date reads that no money was sent and chooses a new date [SC-09]', async () => {
  show([passed]);
  const row = (await screen.findByText(/^Nov 6/, {}, waitOptions)).textContent;
  expect(row).toMatch(
    /passed while this transfer was paused\. No money was sent\. To continue, press Change/,
  );
  expect(screen.queryByRole('button', { name: 'Resume' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Change' }));
  const form = within(await screen.findByRole('dialog', {}, waitOptions));
  expect(form.getByLabelText('Date')).toHaveProperty('value', '');
  expect(form.queryByText(/2026/)).toBeNull();
  fireEvent.change(form.getByLabelText('Date'), { target: { value: '2099-12-01' } });
  expect(form.getByText(/once, on Dec 1, 2099\. We send nothing until you press Resume\.$/)).toBeDefined();
});

test('a series whose last dates passed while it was paused says that no money was sent for them [SC-09]', async () => {
  show([{ ...passed, frequency: 'weekly', count: 4, datesPast: 2 }]);
  await screen.findByText(
    /^The rest of its dates passed while it was paused\. No money was sent/,
    {},
    waitOptions,
  );
  expect(screen.queryByRole('button', { name: 'Resume' })).toBeNull();
});

test('if Resume ends a transfer, the focus is on the transfer, which says that its date was not sent [SC-09]', async () => {
  const lastRun = { date: '2026-11-06', result: 'skipped' as const, reason: 'paused' as const };
  const answer: ScheduledTransfer = { ...passed, status: 'ended', isPaused: false, lastRun };
  show([{ ...passed, nextDate: '2026-11-06', nextDates: ['2026-11-06'] }], { answer });
  await userEvent.click(await screen.findByRole('button', { name: 'Resume' }, waitOptions));
  await screen.findByText(/^Not sent on Nov 6.*: this transfer was paused\.$/, {}, waitOptions);
  screen.getByText('Ended');
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 2 }));
});

test('a skipped date says how to send it after all, unless that would move the later dates from the 31st to the 28th [SC-29]', async () => {
  const on31st = { ...aSchedule('1', 'Ines Caldeira', ['2099-03-31']), startDate: '2099-01-31' };
  const on28th = { ...aSchedule('2', 'Hudson Light', ['2099-03-28']), startDate: '2099-01-28' };
  const lastRun = { date: '2099-02-28', result: 'skipped' as const };
  show([
    { ...on31st, lastRun },
    { ...on28th, lastRun },
  ]);
  await screen.findByText(/^Skipped Feb 28, 2099\. To send it after all, press Change/, {}, waitOptions);
  screen.getByText('Skipped Feb 28, 2099');
});

test('an ended transfer that never sent money says so [SC-09]', async () => {
  const sent = { date: '2026-11-06', result: 'sent' as const, transactionId: 't' };
  show([
    { ...passed, status: 'ended', lastRun: sent },
    { ...passed, _id: '2', status: 'ended' },
  ]);
  await screen.findByText(/^Sent for Nov 6/, {}, waitOptions);
  expect(screen.getAllByText('No money was sent.')).toHaveLength(1);
});

test('while the account is frozen, a transfer that was also paused says both, and no sentence asks to press Change [SC-11]', async () => {
  const [next, skipped] = ['2099-12-08', { date: '2099-12-01', result: 'skipped' as const }];
  const weekly = {
    ...passed,
    frequency: 'weekly' as const,
    nextDate: next,
    nextDates: [next],
    lastRun: skipped,
  };
  show([weekly, { ...passed, _id: '2' }], { isFrozen: true });
  await screen.findByText(
    'We send nothing until you unfreeze your account and press Resume.',
    {},
    waitOptions,
  );
  screen.getByText('Skipped Dec 1, 2099');
  screen.getByText(/^Nov 6.* passed while this transfer was paused\. No money was sent\.$/);
  expect(screen.queryByText(/press Change/)).toBeNull();
  expect(screen.queryByRole('button', { name: /^(Skip|Resume)/ })).toBeNull();
});

test('an error disappears from a scheduled transfer once another act succeeds or its form opens [SC-24]', async () => {
  const rent = aSchedule('1', 'Ines Caldeira', ['2099-12-01']);
  const answer = { ...rent, status: 'paused' as const, isPaused: true };
  show([{ ...rent, missed: ['2026-11-02'] }], { refusals: 3, answer: { ...answer, missed: ['2026-11-02'] } });
  const press = async (name: string) =>
    userEvent.click(await screen.findByRole('button', { name }, waitOptions));
  const error = () => screen.queryByText('The bank is busy.');
  for (const name of ['Skip Dec 1, 2099', 'Send now']) {
    await press(name);
    await waitFor(() => expect(error()).not.toBeNull(), waitOptions);
  }
  await press('Change');
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }, waitOptions));
  expect(error()).toBeNull();
  await press('Skip Dec 1, 2099');
  await waitFor(() => expect(error()).not.toBeNull(), waitOptions);
  await press('Pause');
  await screen.findByText('Paused', {}, waitOptions);
  expect(error()).toBeNull();
});

test('a transfer that is sent four times says how many times are left [SC-14]', async () => {
  show([{ ...aSchedule('1', 'Ines Caldeira', ['2099-12-01']), count: 4, datesPast: 1 }]);
  await screen.findByText('on the 1st of every month, 3 times', {}, waitOptions);
});

test.each([
  ['05:59', 'at 6:00 AM in New York'],
  ['06:00', 'at once'],
])(
  'a paused transfer says on which date it is sent after Resume; at %s on that date, that it is sent %s [SC-09]',
  async (time, when) => {
    const paused = (id: string, date: string): ScheduledTransfer => ({
      ...aSchedule(id, 'Ines Caldeira', [date]),
      status: 'paused',
      isPaused: true,
    });
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(`2026-11-20T${time}:00-05:00`) });
    onTestFinished(() => void vi.useRealTimers());
    show([paused('1', '2099-12-01'), paused('2', calendarDay(new Date()))]);
    await screen.findByText(
      'We send nothing until you press Resume. The next transfer is then on Dec 1, 2099.',
      {},
      waitOptions,
    );
    screen.getByText(new RegExp(`^We send nothing until .* If you press Resume, we send it ${when}, as`));
  },
);

test('after Resume, the same place has Pause, not Skip, and a double-click changes nothing more [SC-21]', async () => {
  const rent = aSchedule('1', 'Ines Caldeira', ['2099-12-01']);
  show([{ ...rent, status: 'paused', isPaused: true }], { answer: rent });
  const names = () =>
    within(screen.getByRole('group', { name: /^Actions/ }))
      .getAllByRole('button')
      .map(({ textContent }) => textContent);
  const resume = await screen.findByRole('button', { name: 'Resume' }, waitOptions);
  expect(names()).toEqual(['Change', 'Resume', 'Delete']);
  await userEvent.dblClick(resume);
  await screen.findByRole('button', { name: 'Pause' }, waitOptions);
  expect(names()).toEqual(['Change', 'Pause', 'Skip Dec 1, 2099', 'Delete']);
});

test('while a decision about a missed date is sent, its button keeps the focus [SC-21]', async () => {
  const rent = { ...aSchedule('1', 'Ines Caldeira', ['2099-12-01']), missed: ['2026-11-02'] };
  const answer = Promise.withResolvers<Response>();
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (_: string, { method, body }: RequestInit) => {
    if (method === 'GET') return success([rent]);
    sent.push(body);
    return await answer.promise;
  });
  renderLoggedIn(<ScheduledScreen />);
  await userEvent.click(await screen.findByRole('button', { name: 'Send now' }, waitOptions));
  const button = await screen.findByRole('button', { name: 'Saving...' }, waitOptions);
  expect(document.activeElement).toBe(button);
  // A browser takes the focus from a disabled button.
  expect(button.closest('fieldset')!.disabled).toBe(false);
  await userEvent.click(screen.getByRole('button', { name: 'Don’t send' }));
  expect(sent).toEqual(['{"date":"2026-11-02","isSent":true}']);
});

test('if the bank sends the only date of a transfer after Resume, the focus goes from Pause to the transfer [SC-21]', async () => {
  const once: ScheduledTransfer = { ...aSchedule('1', 'Ines Caldeira', ['2099-12-01']), frequency: 'once' };
  let now: ScheduledTransfer = { ...once, status: 'paused', isPaused: true };
  vi.stubGlobal('fetch', async (_: string, { method }: RequestInit) => {
    if (method !== 'GET') now = once;
    return success(method === 'GET' ? [now] : now);
  });
  const store = renderLoggedIn(<ScheduledScreen />);
  await userEvent.click(await screen.findByRole('button', { name: 'Resume' }, waitOptions));
  const pause = await screen.findByRole('button', { name: 'Pause' }, waitOptions);
  expect(document.activeElement).toBe(pause);
  // A live update about the payment.
  now = { ...once, status: 'ended', nextDate: null, nextDates: [] };
  act(() => void store.dispatch(api.util.invalidateTags(['Scheduled'])));
  await screen.findByText('Ended', {}, waitOptions);
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 2 }));
});
