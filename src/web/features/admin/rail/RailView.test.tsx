/** The payment rail: its files, the exceptions that staff resolve, and the lines that they try again. */
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import {
  at,
  button,
  customer,
  dialog,
  enter,
  id,
  jun,
  page,
  person,
  sidebar,
} from '../../../../../tests/adminDesk.tsx';
import { waitOptions } from '../../../../../tests/waiting.ts';

/** A deposit in a received file, which waits in the queue of the rail. */
const railException = {
  _id: id(9),
  reason: 'failed',
  at,
  file: 'harbor-1.xml',
  line: 6,
  kind: 'deposit',
  amount: 25,
  currency: 'EUR',
  keys: [],
  accountNumber: jun.accountNumber,
  customerId: jun._id,
  partyName: '',
  code: '',
  text: '',
};
const railFile = {
  _id: id(8),
  name: 'harbor-1.xml',
  direction: 'in',
  format: 'pacs.008',
  state: 'applied',
  at,
  lines: 8,
  total: 25,
  currency: 'EUR',
  exceptions: 1,
  sentBack: 0,
};

test('an operator takes an exception of the rail and resolves it with a note; a viewer only reads [RF-15]', async () => {
  const odd = {
    _id: id(9),
    reason: 'amount',
    at,
    file: 'camt054.xml',
    line: 2,
    kind: 'settled',
    amount: 10.01,
    currency: 'USD',
    keys: ['800000000000001'],
    accountNumber: '40218836117',
    partyName: '',
    code: '',
    text: '',
    transaction: { _id: id(4), reference: 'LB-0000-0000-0004' },
  };
  const refused = {
    _id: id(8),
    name: 'torn.xml',
    direction: 'in',
    format: '',
    state: 'refused',
    at,
    lines: 0,
    total: 0,
    currency: 'USD',
    exceptions: 0,
    sentBack: 0,
    reason: 'The XML is not well-formed.',
  };
  const other: Record<string, unknown> = {
    'GET rail/exceptions': { ...page, exceptions: [odd], totalExceptions: 1, open: 1 },
    'GET rail/files': { ...page, files: [refused], totalFiles: 1, waiting: 3 },
    [`POST rail/exceptions/${id(9)}/assign`]: odd,
    [`POST rail/exceptions/${id(9)}/resolve`]: odd,
  };
  const { sent } = await enter('operator', '?view=rail', other);
  expect(sidebar().textContent).toContain('Payment rail1 waiting');
  await person.click(
    await button('Assign to me: The amount is not that of the payment, camt054.xml, line 2'),
  );
  await person.click(await button('Resolve: The amount is not that of the payment, camt054.xml, line 2'));
  const asked = await dialog('Resolve this exception?');
  await person.type(within(asked).getByRole('textbox'), 'Called the other bank');
  await person.click(within(asked).getByRole('button', { name: 'Resolve exception' }));
  const call = `POST rail/exceptions/${id(9)}`;
  await waitFor(
    () =>
      expect(sent).toMatchObject([
        { call: `${call}/assign` },
        { call: `${call}/resolve`, body: { note: 'Called the other bank' } },
      ]),
    waitOptions,
  );
  cleanup();
  await enter('viewer', '?view=rail&list=in', other);
  const torn = (await screen.findByText('The XML is not well-formed.')).closest('tr')!;
  // The bank stores neither format nor lines nor total of a refused file.
  expect(within(torn).getAllByText('–')).toHaveLength(3);
  expect(screen.getByText('3 payments and returns wait for the next file.')).toBeTruthy();
  cleanup();
  await enter('viewer', '?view=rail', other);
  expect(await screen.findByText('camt054.xml, line 2')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Resolve/ })).toBeNull();
});

test('an operator retries a line that was not booked, even one that a colleague took, and reads why it failed [RF-40]', async () => {
  const failed = {
    _id: id(9),
    reason: 'failed',
    at,
    file: 'pacs008.xml',
    line: 1,
    kind: 'deposit',
    amount: 10,
    currency: 'USD',
    keys: [],
    accountNumber: '4000000001',
    partyName: 'Payroll',
    code: '',
    text: '',
  };
  const amount = { ...failed, _id: id(8), reason: 'amount', line: 2 };
  const retry = `POST rail/exceptions/${id(9)}/retry`;
  const other: Record<string, unknown> = {
    'GET rail/exceptions': { ...page, exceptions: [failed, amount], totalExceptions: 2, open: 2 },
    [retry]: {
      status: 409,
      code: 'CONFLICT',
      message: 'This is now assigned to Ben.',
      data: { owner: { _id: id(5), name: 'Ben' } },
    },
  };
  const { sent } = await enter('operator', '?view=rail', other);
  await person.click(await button(/^Try again: .*pacs008\.xml/));
  const refused = await dialog('Already assigned');
  const trying = Promise.withResolvers<object>();
  other[retry] = () => trying.promise;
  for (let i = 0; i < 2; i++) await person.click(within(refused).getByRole('button', { name: 'Try again' }));
  trying.resolve({
    status: 409,
    code: 'CONFLICT',
    message: 'Nothing was booked: Another deposit has this ID.',
  });
  expect(await screen.findByText('Nothing was booked: Another deposit has this ID.')).toBeTruthy();
  expect(sent).toMatchObject([{ call: retry }, { call: retry, body: { takenFrom: id(5) } }]);
  expect(screen.getAllByRole('button', { name: /^Try again/, hidden: true })).toHaveLength(1);
});

test('a received file shows its total in its currency, and none if its lines are in several [RF-43]', async () => {
  const mixed = { ...railFile, _id: id(7), name: 'mixed.xml', currency: null };
  const { currency: _, ...former } = { ...railFile, _id: id(6), name: 'dollars.xml', total: 30 };
  await enter('viewer', '?view=rail&list=in', {
    'GET rail/files': { ...page, files: [railFile, mixed, former], totalFiles: 3, waiting: 0 },
  });
  expect(await screen.findByText('25.00 EUR')).toBeTruthy();
  expect(screen.getByText('Several currencies')).toBeTruthy();
  expect(screen.queryByText('$25.00')).toBeNull();
  // A server of version 1.0.0 sends no currency.
  expect(screen.getByText('$30.00')).toBeTruthy();
});

test('support sees which deposits of a file were sent back, with account, sending bank and reason [RF-44]', async () => {
  const back = {
    _id: 'iso:1',
    line: 3,
    at,
    amount: 3,
    accountNumber: jun.accountNumber,
    bankName: 'Harbor Bank',
    reason: 'The account is not open yet',
    customerId: jun._id,
  };
  await enter('support', '?view=rail&list=in', {
    'GET rail/files': { ...page, files: [{ ...railFile, sentBack: 4 }], totalFiles: 1, waiting: 0 },
    [`GET rail/files/${id(8)}/sent-back`]: { ...page, deposits: [back], totalDeposits: 1 },
  });
  await person.click(await button('View 4 sent back: harbor-1.xml'));
  const sheet = within(await dialog('Deposits sent back'));
  expect(await sheet.findByText('The account is not open yet')).toBeTruthy();
  for (const text of ['harbor-1.xml', 'Harbor Bank', 'Line 3', '$3.00'])
    expect(sheet.getByText(text)).toBeTruthy();
  const link = sheet.getByRole<HTMLAnchorElement>('link', { name: jun.accountNumber });
  expect(link.search).toBe(customer);
});

test('staff read that a line that could not be booked was not sent back, and open the customer of its account [RF-38]', async () => {
  await enter('operator', '?view=rail', {
    'GET rail/exceptions': { ...page, exceptions: [railException], totalExceptions: 1, open: 1 },
  });
  const said =
    /^It isn’t booked, it isn’t tried again by itself, and it wasn’t sent back\. .* an operator can try it again\. Don’t credit it by hand/;
  expect(await screen.findByText(said)).toBeTruthy();
  expect(screen.getByText('25.00 EUR')).toBeTruthy();
  const link = screen.getByRole<HTMLAnchorElement>('link', { name: jun.accountNumber });
  expect(link.search).toBe(customer);
  await person.click(await button(/^Resolve: /));
  const asked = within(await dialog('Resolve this exception?'));
  expect(asked.getByText(said)).toBeTruthy();
  expect(asked.getByText(/After that, it can’t be tried again\.$/)).toBeTruthy();
  cleanup();
  // The bank ended it itself, so no one is named.
  const resolved = {
    ...railException,
    assignedTo: { _id: id(5), name: 'Ben' },
    resolvedAt: at,
    note: 'Booked when it was tried again',
  };
  await enter('viewer', '?view=rail&list=resolved', {
    'GET rail/exceptions': { ...page, exceptions: [resolved], totalExceptions: 1, open: 0 },
  });
  expect(await screen.findByText('Booked when it was tried again')).toBeTruthy();
  expect(screen.queryByText(/isn’t booked/)).toBeNull();
  expect(screen.getByText('System')).toBeTruthy();
  expect(screen.queryByText('Ben')).toBeNull();
});

test.each([
  ['currency', 'The currency is not US dollars'],
  ['mismatch', 'Another deposit has this ID'],
])(
  'staff read that a deposit with the exception "%s" was neither booked nor sent back, and that they must not credit it [RF-12]',
  async (reason, said) => {
    const notice = { ...railException, _id: id(8), reason, kind: 'settled' };
    const transaction = { _id: id(4), reference: 'LB-0000-0000-0004' };
    await enter('operator', '?view=rail', {
      'GET rail/exceptions': {
        ...page,
        exceptions: [{ ...railException, reason, ...(reason === 'mismatch' && { transaction }) }, notice],
        totalExceptions: 2,
        open: 2,
      },
    });
    const note =
      'This deposit wasn’t booked and wasn’t sent back. Don’t credit it by hand. Ask the other bank to recall it.';
    expect(await screen.findByText(note)).toBeTruthy();
    expect(screen.getAllByText(said)).toHaveLength(2);
    const link = screen.queryByRole('link', { name: transaction.reference });
    expect(link?.parentElement?.textContent).toBe(
      reason === 'mismatch' ? `The other deposit: ${transaction.reference}` : undefined,
    );
    await person.click((await screen.findAllByRole('button', { name: /^Resolve: / }))[0]!);
    expect(within(await dialog('Resolve this exception?')).getByText(note)).toBeTruthy();
  },
);

test('staff read that another bank sent the earlier deposit with the same ID, and which one to ask for a recall [RF-12]', async () => {
  const transaction = { _id: id(4), reference: 'LB-0000-0000-0004' };
  const senders = { line: '800000022', earlier: '800000035' };
  const row = { ...railException, reason: 'duplicate', transaction, senders };
  const resolved = { ...row, _id: id(8), resolvedAt: at, note: 'Recalled' };
  await enter('operator', '?view=rail', {
    'GET rail/exceptions': { ...page, exceptions: [row, resolved], totalExceptions: 2, open: 1 },
  });
  const note =
    'Bank 800000035 sent another deposit with this ID before. This one is from bank 800000022. It wasn’t booked and wasn’t sent back. Don’t credit it by hand. Ask bank 800000022 to recall it and send it with a new ID.';
  expect(await screen.findAllByText(note)).toHaveLength(1);
  const [link] = screen.getAllByRole('link', { name: transaction.reference });
  expect(link!.parentElement!.textContent).toBe(`The other deposit: ${transaction.reference}`);
});

test('staff read that a repeated deposit was sent back the first time [RF-12]', async () => {
  const row = { ...railException, reason: 'duplicate', kind: 'deposit' };
  await enter('operator', '?view=rail', {
    'GET rail/exceptions': { ...page, exceptions: [row], totalExceptions: 1, open: 1 },
  });
  const note =
    'The first one was sent back, and this one was neither booked nor sent back. Don’t credit it by hand. If it’s a new payment, ask the other bank to recall it and send it with a new ID.';
  expect(await screen.findByText(note)).toBeTruthy();
});

test('staff read what to do about a line that matches no payment [RF-12]', async () => {
  const unknown = { ...railException, reason: 'unknown', kind: 'settled' };
  await enter('operator', '?view=rail', {
    'GET rail/exceptions': { ...page, exceptions: [unknown], totalExceptions: 1, open: 1 },
  });
  expect(await screen.findByText(/^Agree with the other bank on what is due\./)).toBeTruthy();
});

test('once an exception whose resolution got no answer has left the list, the earlier message is gone, and the dialog keeps its name but no button [RF-14]', async () => {
  const other: Record<string, unknown> = {
    'GET rail/exceptions': { ...page, exceptions: [railException], totalExceptions: 1, open: 1 },
    [`POST rail/exceptions/${id(9)}/assign`]: railException,
    [`POST rail/exceptions/${id(9)}/resolve`]: new TypeError('Failed to fetch'),
  };
  await enter('operator', '?view=rail', other);
  await person.click(await button(/^Assign to me: /));
  expect(await screen.findByText('Done')).toBeTruthy();
  await person.click(await button(/^Resolve: /));
  const asked = within(await dialog('Resolve this exception?'));
  await person.type(asked.getByRole('textbox'), 'Called the other bank');
  other['GET rail/exceptions'] = { ...page, exceptions: [], totalExceptions: 0, open: 0 };
  await person.click(asked.getByRole('button', { name: 'Resolve exception' }));
  expect(
    await asked.findByText(
      'It left this list, so it may be resolved already. Look under “Resolved exceptions” before you try again.',
    ),
  ).toBeTruthy();
  expect(asked.queryByRole('button', { name: 'Resolve exception' })).toBeNull();
  expect(asked.getByText(new RegExp(railException.file))).toBeTruthy();
  expect(asked.queryByText(/^The exception leaves the queue/)).toBeNull();
  expect(screen.queryByText('Done')).toBeNull();
});
