/** The mails about a scheduled transfer, rendered from the rows of a complete bank. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nameOfDay } from '#contract/bankTime.ts';
import { scheduledApi } from '#contract/scheduled.ts';
import { readStepUp } from '#server/people/stepUp.ts';
import { bankDays } from '../../../../tests/bankDays.ts';
import { type SeededCustomer, seedCustomer } from '../../../../tests/seedCustomers.ts';
import { openTestBank, type TestBank } from '../../../../tests/server.ts';
import { renderStepUpMail } from './codeMails.ts';
import { mailTemplates } from './templates.ts';

let bank: TestBank;
let anna: SeededCustomer;
beforeAll(async () => {
  bank = await openTestBank({ JOBS: 'off' });
  anna = await seedCustomer(bank.bank.parts.database, bank.bank.parts.tokens);
});
afterAll(() => bank.close());

const owner = () => bank.test.database.ownerPool;
const { dayFromNow } = bankDays(owner);

type Text = 'scheduled-added' | 'schedule-changed' | 'schedule-resumed' | 'scheduled-reminder';

/** The text of a mail that is sent now; undefined if it is not sent. */
async function textOf(template: Text, scheduleId: string, date = ''): Promise<string | undefined> {
  const { database, secrets } = bank.bank.parts;
  const context = { reader: database.reader, publicUrl: bank.url, codeKey: secrets.codeKey };
  const order = { personId: anna.customerId, scheduleId, payeeOrScheduleId: scheduleId, date };
  return (await mailTemplates[template].render(order, context))?.text;
}

async function add(more: object): Promise<string> {
  const rent = {
    kind: 'external',
    bankName: 'First Harbor Bank',
    accountName: 'Meadow Rentals',
    accountNumber: '12345678',
    amount: 10,
    frequency: 'monthly',
  };
  const body = { ...rent, ...more };
  return (await bank.call(scheduledApi.addScheduled, { token: anna.token, body })).body.data._id;
}
const at = (id: string) => ({ token: anna.token, params: { id } });
const change = (id: string, body: object) => bank.call(scheduledApi.changeScheduled, { ...at(id), body });
const skip = (id: string) => bank.call(scheduledApi.skipScheduled, at(id));

test('the mails about a transfer that is sent once promise one date, not dates from now on [SC-22]', async () => {
  const id = await add({ startDate: '2098-12-31', frequency: 'once' });
  for (const kind of ['scheduled-added', 'schedule-changed', 'schedule-resumed'] as const) {
    const text = await textOf(kind, id);
    expect(text).toContain('We’ll send it on its date without asking again.');
    expect(text).not.toMatch(/from now on|send it again/);
  }
});

test('the mail about a changed or resumed scheduled transfer names its next date, not a first date that is over or skipped [SC-22]', async () => {
  const id = await add({ startDate: '2098-12-31', count: 12 });
  const added = await textOf('scheduled-added', id);
  expect(added).toContain('First date: Dec 31, 2098\n');
  expect(added).toContain('We’ll send it on its dates without asking again.');
  await skip(id);
  await skip(id);
  await change(id, { amount: 12 });
  const changed = await textOf('schedule-changed', id);
  expect(changed).toContain(
    'Next date: Feb 28, 2099\nRepeats: on the 31st of every month (the last day if the month is shorter), 10 times\n',
  );
  expect(changed).not.toMatch(/First date|2098/);
  await change(id, { isPaused: true });
  await change(id, { isPaused: false });
  const resumed = await textOf('schedule-resumed', id);
  expect(resumed).toContain('was just resumed.');
  expect(resumed).toContain('Next date: Feb 28, 2099\n');
  expect(changed).not.toContain('resumed');
  await change(id, { startDate: '2099-03-05' });
  expect(await textOf('schedule-changed', id)).toContain(
    'Next date: Mar 5, 2099\nRepeats: on the 5th of every month, 10 times\n',
  );
});

test('the mail about a changed scheduled transfer that has no date left says so [SC-22]', async () => {
  const id = await add({ startDate: '2099-01-31', endDate: '2099-02-01' });
  await change(id, { amount: 12 });
  await skip(id);
  const text = await textOf('schedule-changed', id);
  expect(text).toContain('Next date: None. This scheduled transfer has ended.\n');
  expect(text).not.toMatch(/Repeats|2099|from now on/);
});

test('the mail about a changed scheduled transfer that is paused says that nothing is sent, not that it is sent from now on [SC-22]', async () => {
  const id = await add({ startDate: '2099-01-31' });
  await change(id, { amount: 12 });
  expect(await textOf('schedule-changed', id)).toContain('We send it like this from now on');
  await change(id, { isPaused: true });
  await change(id, { amount: 14 });
  const text = await textOf('schedule-changed', id);
  expect(text).toContain('It is paused: we send nothing until you resume it.\n');
  expect(text).not.toContain('from now on');
});

test('a customer who skips tomorrow’s date is not reminded of it by a mail that is sent later [SC-17]', async () => {
  const startDate = await dayFromNow(1);
  const id = await add({ startDate });
  expect(await textOf('scheduled-reminder', id, startDate)).toContain(nameOfDay(startDate));
  await change(id, { isPaused: true });
  expect(await textOf('scheduled-reminder', id, startDate)).toBeUndefined();
  await change(id, { isPaused: false });
  await skip(id);
  expect(await textOf('scheduled-reminder', id, startDate)).toBeUndefined();
});

test('the code that confirms a changed scheduled transfer says that it is a change, and from which date on [BR-02]', async () => {
  await owner().query('UPDATE ledger_accounts SET step_up_from = 5000 WHERE number = $1', [
    anna.accountNumber,
  ]);
  const id = await add({ startDate: '2099-01-31', count: 12 });
  await skip(id);
  const { challenge } = (await change(id, { amount: 60 })).body;
  const stepUp = await readStepUp(bank.bank.parts.database.reader, challenge!._id);
  const text = renderStepUpMail({ ...stepUp!, name: 'Anna', digits: '041973' }).text;
  expect(text).toContain('What: Change a scheduled transfer\nAmount: $60.00\n');
  expect(text.replaceAll('\u200b', '')).toContain(
    'on the 31st of every month (the last day if the month is shorter), 11 times, starting Feb 28, 2099',
  );
});
