/** The unclaimed balances and their payouts, also if the answer to a payout is lost. */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import * as staffMessages from '#contract/messages/staff.ts';
import * as unclaimedMessages from '#contract/messages/unclaimed.ts';
import {
  answers,
  at,
  button,
  dialog,
  enter,
  id,
  jun,
  page,
  person,
  transfer,
} from '../../../../../tests/adminDesk.tsx';
import { waitOptions } from '../../../../../tests/waiting.ts';

const unclaimed = { _id: id(4), reference: 'LB-1', amount: 40, at, origin: 'closing' };
const unclaimedPage = { ...page, balances: [unclaimed], totalBalances: 1, unclaimed: 40 };
const payOutCall = `POST unclaimed/${id(4)}/pay-out`;

/** Opens the form that pays out `unclaimed`. */
async function openPayout(more: Record<string, unknown> = {}) {
  const other: Record<string, unknown> = { 'GET unclaimed': unclaimedPage, ...more };
  const entered = await enter('operator', '?view=unclaimed', other);
  await person.click(await button('Pay out $40.00, LB-1'));
  const form = await dialog('Pay out $40.00');
  const pay = () => person.click(within(form).getByRole('button', { name: 'Pay out' }));
  return { ...entered, other, form, pay };
}

async function fillPayout(form: HTMLElement) {
  await person.type(within(form).getByLabelText(/^Bank name/), 'First Harbor');
  await person.type(within(form).getByLabelText(/^Name of the account holder/), 'Ines Caldeira');
  await person.type(within(form).getByLabelText(/^Account number/), '1234 5678');
  await person.type(within(form).getByLabelText(/^Reason/), 'Letter of Nov 20');
}

test('a payout whose answer was lost is sent again with the same key [SD-23]', async () => {
  const { sent, other, form, pay } = await openPayout({ [payOutCall]: new TypeError('connection lost') });
  await pay();
  expect(await within(form).findByText('Enter a reason')).toBeTruthy();
  expect(sent).toEqual([]);
  await fillPayout(form);
  await pay();
  expect(await within(form).findByText(/^We don’t know yet whether this balance was paid out/)).toBeTruthy();
  other[payOutCall] = transfer;
  await pay();
  expect(await dialog('Success')).toBeTruthy();
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
  expect(sent.at(-1)!.body).toEqual({
    bankName: 'First Harbor',
    accountName: 'Ines Caldeira',
    accountNumber: '12345678',
    reason: 'Letter of Nov 20',
  });
});

test('a payout of a balance that a colleague has just paid out says so, and does not claim that no money moved [A-67]', async () => {
  const message = 'This balance was already paid out.';
  const { form, pay } = await openPayout({ [payOutCall]: { status: 409, code: 'CONFLICT', message } });
  await fillPayout(form);
  await pay();
  expect(await within(form).findByText(message)).toBeTruthy();
  expect(form.textContent).not.toContain('No money moved');
  expect(within(form).queryByRole('button', { name: 'Pay out' })).toBeNull();
  expect(document.activeElement).toBe(within(form).getByRole('button', { name: 'Close' }));
});

describe('an operator whose payout got no answer', () => {
  const none = { ...page, balances: [], totalBalances: 0, unclaimed: 0 };

  /** Presses "Pay out" in the completed form, without an answer. */
  async function loseAnswer() {
    const opened = await openPayout({ [payOutCall]: new TypeError('connection lost') });
    await fillPayout(opened.form);
    return opened;
  }

  const expectOver = async (form: HTMLElement, text: string) => {
    expect(await within(form).findByText(text)).toBeTruthy();
    expect(within(form).queryByText(/^We don’t know yet/)).toBeNull();
    expect(within(form).queryByRole('button', { name: 'Pay out' })).toBeNull();
    expect(document.activeElement).toBe(within(form).getByRole('button', { name: 'Close' }));
  };

  test.each([unclaimedMessages.paidBefore, staffMessages.sameRequest])(
    'reads why the bank refuses the repeated press, without a button that repeats it again: %s [A-67]',
    async message => {
      const { other, form, pay } = await loseAnswer();
      await pay();
      expect(await within(form).findByText(/^We don’t know yet/)).toBeTruthy();
      other[payOutCall] = { status: 409, code: 'CONFLICT', message };
      await pay();
      await expectOver(form, message);
    },
  );

  test('reads that the balance was paid out as soon as the list of paid balances has it [A-67]', async () => {
    const { other, form, pay } = await loseAnswer();
    other['GET unclaimed'] = (url: string) => (url.includes('list=paid') ? unclaimedPage : none);
    await pay();
    await expectOver(form, unclaimedMessages.paidBefore);
  });

  test('reads the refusal, not that something waits, if a colleague has requested another payout of the balance [A-67]', async () => {
    const { other, form, pay } = await loseAnswer();
    other[payOutCall] = { status: 409, code: 'CONFLICT', message: staffMessages.sameRequest };
    other['GET unclaimed'] = { ...unclaimedPage, balances: [{ ...unclaimed, requestId: id(2) }] };
    await pay();
    await expectOver(form, staffMessages.sameRequest);
  });

  test('can still repeat it if the balance only moved to another page of the list [A-67]', async () => {
    const { other, form, pay } = await loseAnswer();
    other['GET unclaimed'] = none;
    await pay();
    expect(await within(form).findByText(/^We don’t know yet/)).toBeTruthy();
    expect(within(form).getByRole('button', { name: 'Pay out' })).toBeTruthy();
  });

  test('reads that a request is waiting as soon as the list shows it [A-67]', async () => {
    const { other, form, pay } = await loseAnswer();
    other['GET unclaimed'] = { ...unclaimedPage, balances: [{ ...unclaimed, requestId: id(2) }] };
    await pay();
    await expectOver(form, 'A request to pay out this balance is waiting in Requests.');
  });
});

test('a payout without a bank name says to enter the name, not to choose a bank [SD-23]', async () => {
  const { form, pay } = await openPayout();
  // The first field gets the focus, not the link to the transaction before it.
  await waitFor(
    () => expect(document.activeElement).toBe(within(form).getByRole('radio', { name: 'Another bank' })),
    waitOptions,
  );
  await pay();
  expect(await within(form).findByText('Please enter the bank’s name')).toBeTruthy();
  expect(within(form).queryByText('Please choose a bank')).toBeNull();
});

test('a payout that was reversed is not listed as completed, and links to its reversal [SD-24]', async () => {
  const paid = {
    transactionId: id(4),
    at,
    by: 'Tove Asklund',
    status: 'completed',
    accountNumber: jun.accountNumber,
    reversedBy: id(5),
  };
  await enter('viewer', '?view=unclaimed&list=paid', {
    'GET unclaimed': { ...unclaimedPage, balances: [{ ...unclaimed, paid }] },
  });
  const link = await screen.findByRole<HTMLAnchorElement>('link', { name: 'Reversed' });
  expect(link.search).toContain(`transaction=${id(5)}`);
  expect(screen.queryByText('Completed')).toBeNull();
});

test('before a balance is paid to a customer on the sanctions list, the form says so [SX-14]', async () => {
  const holder = answers['GET accounts/482109375527'] as object;
  const { form } = await openPayout({ 'GET accounts/482109375527': { ...holder, screening: 'match' } });
  await person.click(within(form).getByRole('radio', { name: 'A customer' }));
  await person.type(within(form).getByLabelText(/Account Number/i), jun.accountNumber);
  expect(await within(form).findByText('Confirmed match on the sanctions list')).toBeTruthy();
});

test('an operator who presses Esc in a payout that was started is asked before it is discarded [G-16]', async () => {
  const { form } = await openPayout();
  const reason = within(form).getByLabelText<HTMLTextAreaElement>(/^Reason/);
  await person.type(reason, 'The heir asked.');
  await person.keyboard('{Escape}');
  await person.click(within(await dialog('Leave without saving?')).getByRole('button', { name: 'Stay' }));
  expect(reason.value).toBe('The heir asked.');
  await person.keyboard('{Escape}');
  const asked = await dialog('Leave without saving?');
  await person.click(within(asked).getByRole('button', { name: 'Leave without saving' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), waitOptions);
});

test('the link to the transaction asks before it discards a payout that was started [G-16]', async () => {
  const { address, form } = await openPayout();
  const reason = within(form).getByLabelText<HTMLTextAreaElement>(/^Reason/);
  await person.type(reason, 'The heir asked.');
  const link = within(form).getByRole('link', { name: 'LB-1' });
  await person.click(link);
  await person.click(within(await dialog('Leave without saving?')).getByRole('button', { name: 'Stay' }));
  expect(reason.value).toBe('The heir asked.');
  await person.click(link);
  const asked = await dialog('Leave without saving?');
  await person.click(within(asked).getByRole('button', { name: 'Leave without saving' }));
  await waitFor(() => expect(address.search).toContain(`transaction=${id(4)}`), waitOptions);
  await waitFor(
    () => expect(screen.queryByRole('dialog', { name: 'Pay out $40.00' })).toBeNull(),
    waitOptions,
  );
});

test('the list of unclaimed balances says when it is empty [SD-23]', async () => {
  await enter('viewer', '?view=unclaimed', {
    'GET unclaimed': { ...page, balances: [], totalBalances: 0, unclaimed: 0 },
  });
  expect(await screen.findByText('No money from closed accounts is waiting to be paid out.')).toBeTruthy();
});
