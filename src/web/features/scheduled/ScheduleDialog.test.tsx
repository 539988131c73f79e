/** The sentence with which the schedule form describes the transfer, and what a change sends. */
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { calendarDay } from '#contract/bankTime.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { lastDate, type ScheduledTransfer } from '#contract/scheduled.ts';
import { renderLoggedIn, success } from '../../../../tests/renderWith.tsx';
import { waitOptions } from '../../../../tests/waiting.ts';
import { ScheduleDialog } from './ScheduleDialog.tsx';

const rent: ScheduledTransfer = {
  _id: '1',
  kind: 'internal',
  name: 'Ines Caldeira',
  accountNumber: '482109375527',
  amount: 20,
  description: '',
  createdAt: '2026-11-20T15:00:00.000Z',
  startDate: '2099-01-31',
  frequency: 'monthly',
  status: 'active',
  isPaused: false,
  nextDate: '2099-02-28',
  nextDates: ['2099-02-28', '2099-03-31'],
  datesPast: 1,
  missed: [],
};
/** A rule for 12 dates, of which 5 have passed. */
const lessons: ScheduledTransfer = {
  ...rent,
  frequency: 'weekly',
  startDate: '2099-01-05',
  nextDate: '2099-02-09',
  nextDates: ['2099-02-09', '2099-02-16', '2099-02-23'],
  count: 12,
  datesPast: 5,
};

/** The list is not read again. */
const dialog = {
  schedules: { refetch: async () => ({ isError: true }) },
  heading: { current: null },
  onClose: () => {},
};

/** Opens the form of a new transfer, for a customer whose only saved payee has closed the account. */
function openNew(): object[] {
  const sent: object[] = [];
  const closed = {
    _id: 'p',
    kind: 'internal',
    name: 'Closed account',
    nickname: 'Rent',
    accountNumber: '730511842298',
  };
  vi.stubGlobal('fetch', async (path: string, { method, body }: RequestInit) => {
    if (method === 'POST') sent.push(JSON.parse(body as string));
    if (path.includes('verify'))
      return new Response(JSON.stringify({ success: false, code: 'NOT_FOUND', message: '' }), {
        status: 404,
      });
    return success(method === 'POST' ? rent : [closed]);
  });
  renderLoggedIn(<ScheduleDialog {...dialog} schedule={undefined} />);
  return sent;
}

/** Opens the form of a transfer and returns the bodies of the changes that it sends. `refusal` answers them. */
function openForm(schedule: ScheduledTransfer, refusal?: object): Partial<ScheduledTransfer>[] {
  const sent: Partial<ScheduledTransfer>[] = [];
  vi.stubGlobal('fetch', async (_: string, { method, body }: RequestInit) => {
    if (method === 'PUT') sent.push(JSON.parse(body as string));
    if (method === 'PUT' && refusal) return new Response(JSON.stringify(refusal), { status: 400 });
    return success(method === 'PUT' ? schedule : []);
  });
  renderLoggedIn(<ScheduleDialog {...dialog} schedule={schedule} />);
  return sent;
}

const sentence = () => screen.getByText(/^\$20\.00 to/).textContent;

function sentenceAbout(schedule: ScheduledTransfer): string | null {
  openForm(schedule);
  return sentence();
}

test('a rule on the 31st stays on the 31st in the form, even when the next date is February 28 [SC-14]', () => {
  expect(sentenceAbout(rent)).toBe(
    '$20.00 to Ines Caldeira on the 31st of every month (the last day if the month is shorter), next on Feb 28, 2099.',
  );
});

test('a transfer that is sent once names its date once [SC-14]', () => {
  const once = { ...rent, frequency: 'once', startDate: '2099-02-28', nextDates: ['2099-02-28'] } as const;
  expect(sentenceAbout({ ...once, nextDates: [...once.nextDates] })).toBe(
    '$20.00 to Ines Caldeira once, on Feb 28, 2099.',
  );
});

test.each([
  ['05:59', 'at 6:00 AM in New York'],
  ['06:00', 'as soon as you save'],
])('a transfer that is dated today says at %s that it is sent %s [SC-14]', (time, when) => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(`2026-11-20T${time}:00-05:00`) });
  onTestFinished(() => void vi.useRealTimers());
  const today = calendarDay(new Date());
  const once = { ...rent, frequency: 'once', startDate: today, nextDate: today, nextDates: [today] } as const;
  expect(sentenceAbout({ ...once, nextDates: [...once.nextDates] })).toMatch(
    new RegExp(` We send it ${when}, as long as your balance and daily limit allow it\\.$`),
  );
});

test.each([
  ['the next date is moved', '2099-02-11', 'Wednesday, 7 times, next on Feb 11, 2099.', 7],
  ['nothing is changed', '2099-02-09', 'Monday, 7 times, next on Feb 9, 2099.', 12],
])(
  'if %s, as many transfers as the form says are left after saving [SC-09, SC-14]',
  async (_, day, rule, count) => {
    const sent = openForm(lessons);
    fireEvent.change(screen.getByLabelText('Next date'), { target: { value: day } });
    expect(screen.getByLabelText('How many more times')).toHaveProperty('value', '7');
    expect(sentence()).toBe(`$20.00 to Ines Caldeira every ${rule}`);
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent).toEqual([expect.objectContaining({ count })]), waitOptions);
  },
);

test.each(['', '0', '-3'])(
  'a rule for "%s" more times is not saved, although some dates have passed [SC-09]',
  async value => {
    const sent = openForm(lessons);
    fireEvent.change(screen.getByLabelText('How many more times'), { target: { value } });
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(screen.getByText('Enter how many times, from 1 to 1000')).toBeDefined();
    expect(sent).toEqual([]);
  },
);

test('a date in the past is refused once, at its field, before the bank is asked [SC-14]', async () => {
  const sent = openForm(rent);
  fireEvent.change(screen.getByLabelText('Next date'), { target: { value: '2026-01-02' } });
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(screen.getAllByText('Choose today or a later day')).toHaveLength(1);
  expect(document.activeElement).toBe(screen.getByLabelText('Next date'));
  expect(sent).toEqual([]);
});

test('a customer who mistypes the year of a date reads so at its field, before the bank is asked [SC-25]', async () => {
  const sent = openForm({ ...rent, endDate: '2099-12-31' });
  const [next, last] = [screen.getByLabelText('Next date'), screen.getByLabelText('Last date')];
  for (const field of [next, last]) {
    expect(field.getAttribute('max')).toBe(lastDate());
    fireEvent.change(field, { target: { value: '9999-12-31' } });
  }
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(screen.getAllByText('Choose a day within the next 100 years')).toHaveLength(2);
  expect(document.activeElement).toBe(next);
  expect(sent).toEqual([]);
});

test('what the bank said about a date disappears as soon as the date is corrected [SC-14]', async () => {
  const message = 'Choose today or a later day';
  openForm(rent, { success: false, code: 'BAD_REQUEST', message, errors: [{ field: 'startDate', message }] });
  fireEvent.change(screen.getByLabelText('Next date'), { target: { value: '2099-02-27' } });
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findAllByText(message)).toHaveLength(1);
  expect(document.activeElement).toBe(screen.getByLabelText('Next date'));
  fireEvent.change(screen.getByLabelText('Next date'), { target: { value: '2099-03-27' } });
  expect(screen.queryByText(message)).toBeNull();
});

test('a last date before the next date is refused once, at its field, before the bank is asked [SC-14]', async () => {
  const sent = openForm({ ...rent, endDate: '2099-12-31' });
  fireEvent.change(screen.getByLabelText('Last date'), { target: { value: '2099-02-27' } });
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(screen.getAllByText('The last day can’t be before the first')).toHaveLength(1);
  expect(document.activeElement).toBe(screen.getByLabelText('Last date'));
  expect(sent).toEqual([]);
});

test('a customer who types a date that does not exist reads to choose a date [SC-14]', async () => {
  const sent = openForm(rent);
  // Like a browser after February 30.
  fireEvent.change(screen.getByLabelText('Next date'), { target: { value: '' } });
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(screen.getByText('Choose a date')).toBeDefined();
  expect(screen.queryByText('Choose today or a later day')).toBeNull();
  expect(sent).toEqual([]);
});

test('setting the next date back to a skipped date adds one to the times shown and sent [SC-29]', async () => {
  const lastRun = { date: '2099-02-02', result: 'skipped' as const };
  const sent = openForm({ ...lessons, count: 3, datesPast: 1, lastRun });
  const times = () => (screen.getByLabelText('How many more times') as HTMLInputElement).value;
  const choose = (value: string) =>
    fireEvent.change(screen.getByLabelText('Next date'), { target: { value } });
  expect(times()).toBe('2');
  choose('2099-02-02');
  expect(times()).toBe('3');
  choose('2099-02-03');
  expect(times()).toBe('2');
  choose('2099-02-02');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  const body = expect.objectContaining({ startDate: '2099-02-02', count: 3 });
  await waitFor(() => expect(sent).toEqual([body]), waitOptions);
});

test('a number of times that the customer typed stays when the next date is set back to a skipped date [SC-29]', () => {
  openForm({ ...lessons, count: 3, datesPast: 1, lastRun: { date: '2099-02-02', result: 'skipped' } });
  const times = screen.getByLabelText('How many more times');
  fireEvent.change(times, { target: { value: '5' } });
  fireEvent.change(screen.getByLabelText('Next date'), { target: { value: '2099-02-02' } });
  expect(times).toHaveProperty('value', '5');
});

test('choosing a payee who has closed the account says at once that the account was not found [SC-14] [PY-10]', async () => {
  openNew();
  await userEvent.selectOptions(
    screen.getByLabelText('To'),
    await screen.findByRole('option', { name: 'Rent' }),
  );
  expect(await screen.findByText(transferMessages.accountNotFound, {}, waitOptions)).toBeDefined();
});

test('the bank of a new receiver is chosen from the list of the transfer form, or typed [SC-14]', async () => {
  const sent = openNew();
  await userEvent.selectOptions(screen.getByLabelText('To'), 'An account at another bank');
  await userEvent.selectOptions(screen.getByLabelText('Bank'), 'Other Bank');
  const type = (label: string, value: string) =>
    fireEvent.change(screen.getByLabelText(label), { target: { value } });
  type('Account holder’s name', 'Meadow Rentals');
  type('Account number or IBAN', '12345678');
  type('Amount', '20');
  type('First date', '2099-01-31');
  const schedule = screen.getByRole('button', { name: 'Schedule' });
  await userEvent.click(schedule);
  expect(screen.getByText(transferMessages.customBankName)).toBeDefined();
  expect(document.activeElement).toBe(screen.getByLabelText('Bank name'));
  type('Bank name', 'First Harbor Bank');
  await userEvent.click(schedule);
  await waitFor(
    () =>
      expect(sent).toEqual([
        expect.objectContaining({ bankName: 'First Harbor Bank', accountNumber: '12345678' }),
      ]),
    waitOptions,
  );
});

test('a customer who types a comma for the cents of a scheduled transfer reads to use a period [V-33]', async () => {
  const sent = openForm(rent);
  await userEvent.clear(screen.getByLabelText('Amount'));
  await userEvent.type(screen.getByLabelText('Amount'), '95,5');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(screen.getByText('Please enter a valid amount. For cents, use a period: 95.50.')).toBeDefined();
  expect(sent).toEqual([]);
});

test('with several fields empty, the first one on the page gets the focus [SC-14]', async () => {
  openNew();
  await userEvent.selectOptions(screen.getByLabelText('To'), 'An account at another bank');
  await userEvent.click(screen.getByRole('button', { name: 'Schedule' }));
  expect(document.activeElement).toBe(screen.getByLabelText('Bank'));
});

test('after a lost answer, the form says that the result is not known; once it is changed, to check the list [SC-14]', async () => {
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
  let presses = 0;
  vi.stubGlobal('fetch', async (_: string, { method }: RequestInit) => {
    if (method !== 'POST') return success([]);
    presses++;
    if (presses === 1) throw new TypeError('Failed to fetch');
    const message = 'This idempotency key was already used for another request. Nothing was sent.';
    return Response.json({ success: false, code: 'IDEMPOTENCY_MISMATCH', message }, { status: 409 });
  });
  const draft = {
    to: 'external',
    bankName: 'Barclays',
    accountName: 'Hollis Vane',
    receiverAccountNumber: '73120841',
    amount: '12',
    description: '',
  } as const;
  const onClose = vi.fn();
  renderLoggedIn(<ScheduleDialog {...dialog} schedule={undefined} draft={draft} onClose={onClose} />);
  await userEvent.selectOptions(screen.getByLabelText('How often'), 'once');
  fireEvent.change(screen.getByLabelText('Date'), { target: { value: '2099-12-01' } });
  const press = () => userEvent.click(screen.getByRole('button', { name: 'Schedule' }));
  await press();
  await screen.findByText(/^We don’t know whether your transfer was scheduled\./, {}, waitOptions);
  // On a phone, the end of the form is below the fold.
  expect(scrolled.mock.contexts).toEqual([
    expect.objectContaining({ textContent: expect.stringMatching(/^We don’t know/) }),
  ]);
  await userEvent.clear(screen.getByLabelText('Amount'));
  await userEvent.type(screen.getByLabelText('Amount'), '13');
  await press();
  await screen.findByText(/^We had already received this form/, {}, waitOptions);
  expect(onClose).not.toHaveBeenCalled();
});

test.each([
  ['at the receiver, about the bank', 'bankName', 'We can’t send money to this bank.', true],
  ['below the form, about a field that it does not have', 'kind', 'This kind is not offered.', false],
])(
  'a customer who scheduled for a saved payee reads a refusal %s [SC-14]',
  async (_, field, message, isAtTo) => {
    const payee = {
      _id: 'p',
      kind: 'external',
      name: 'Hollis Vane',
      bankName: 'Barclays',
      accountNumber: '73120841',
    };
    const refusal = { success: false, code: 'BAD_REQUEST', message, errors: [{ field, message }] };
    vi.stubGlobal('fetch', async (_path: string, { method }: RequestInit) =>
      method === 'POST' ? Response.json(refusal, { status: 400 }) : success([payee]),
    );
    renderLoggedIn(<ScheduleDialog {...dialog} schedule={undefined} />);
    const to = screen.getByLabelText('To');
    await userEvent.selectOptions(
      to,
      await screen.findByRole('option', { name: /Hollis Vane/ }, waitOptions),
    );
    await userEvent.type(screen.getByLabelText('Amount'), '20');
    fireEvent.change(screen.getByLabelText('First date'), { target: { value: '2099-01-31' } });
    await userEvent.click(screen.getByRole('button', { name: 'Schedule' }));
    expect(await screen.findAllByText(message, {}, waitOptions)).toHaveLength(1);
    expect(to.getAttribute('aria-invalid') === 'true').toBe(isAtTo);
    if (isAtTo) expect(document.activeElement).toBe(to);
  },
);
