/** A transaction in its sheet: how it is reversed, or returned if it is held, also if a colleague is faster. */
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import * as limitsMessages from '#contract/messages/limits.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import {
  answers,
  assigned,
  at,
  button,
  dialog,
  enter,
  id,
  jun,
  person,
  transfer,
} from '../../../../../tests/adminDesk.tsx';
import { waitOptions } from '../../../../../tests/waiting.ts';

describe('a transaction', () => {
  const opened = `?view=transactions&transaction=${id(4)}`;
  const reverse = `POST transactions/${id(4)}/reverse`;

  async function press(reason: string) {
    const asked = await dialog('Reverse this transaction?');
    const field = within(asked).getByRole('textbox', { name: /^Reason/ });
    await person.clear(field);
    await person.type(field, reason);
    await person.click(within(asked).getByRole('button', { name: 'Reverse' }));
    return asked;
  }

  test('that credited an unclaimed balance says before it is reversed that the money goes back to the unclaimed balances [SD-24]', async () => {
    await enter('operator', opened, { [`GET transactions/${id(4)}`]: assigned });
    const sheet = await dialog('Transaction');
    expect(await within(sheet).findByText('Unclaimed balances')).toBeTruthy();
    await person.click(await button('Reverse'));
    const asked = await dialog('Reverse this transaction?');
    expect(asked.textContent).toContain('$75.00 goes back from Jun Takeda to Unclaimed balances');
  });

  test('whose reversal would pay a customer on the sanctions list says so before it is reversed [SX-14]', async () => {
    const { accountNumber: senderAccountNumber } = jun;
    const holder = answers['GET accounts/482109375527'] as object;
    await enter('operator', opened, {
      [`GET transactions/${id(4)}`]: { ...transfer, senderAccountNumber, timeline: [{ step: 'posted', at }] },
      'GET accounts/482109375527': { ...holder, screening: 'match' },
    });
    await person.click(await button('Reverse'));
    const asked = await dialog('Reverse this transaction?');
    expect(await within(asked).findByText('Confirmed match on the sanctions list')).toBeTruthy();
  });

  test('is reversed with a reason; a retry after a lost answer has the same key [SD-06]', async () => {
    const other: Record<string, unknown> = { [reverse]: new TypeError('Failed to fetch') };
    const { sent } = await enter('operator', opened, other);
    await person.click(await button('Reverse'));
    const asked = await press('Wrong account.');
    expect(await within(asked).findByText(/^We don’t know yet whether/)).toBeTruthy();
    other[reverse] = { ...transfer, _id: id(5), type: 'reversal' };
    await person.click(within(asked).getByRole('button', { name: 'Reverse' }));
    expect(await dialog('Success')).toBeTruthy();
    expect(sent.map(({ body }) => body)).toEqual([
      { reason: 'Wrong account.' },
      { reason: 'Wrong account.' },
    ]);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
    expect(sent[0]?.key).toMatch(/^.{8,128}$/);
  });

  const held = {
    ...transfer,
    type: 'external-transfer',
    status: 'pending',
    receiver: undefined,
    externalBankDetails: { bankName: 'Citibank', accountName: 'N. Haddad', accountNumber: '7760918264' },
    timeline: [{ step: 'posted', at }],
    expectedBy: '2026-11-27',
  };
  const giveBack = `POST transactions/${id(4)}/return`;

  test('that is held by a freeze says so, and an operator returns it, even after a first refusal [SD-13]', async () => {
    const other: Record<string, unknown> = { [`GET transactions/${id(4)}`]: { ...held, isHeld: true } };
    other[giveBack] = { status: 409, code: 'CONFLICT', message: 'This payment isn’t being held.' };
    const { sent } = await enter('operator', opened, other);
    expect(await screen.findByText('This payment is held')).toBeTruthy();
    expect(within(await dialog('Transaction')).getByText('Held', { selector: '.Status' })).toBeTruthy();
    expect(screen.queryByText(/^Expected by/)).toBeNull();
    await person.click(await button('Return payment'));
    const asked = await dialog('Return this payment?');
    expect(asked.textContent).toContain('$75.00 goes back to Noor Haddad.');
    await person.click(within(asked).getByRole('button', { name: 'Return payment' }));
    expect(await within(asked).findByText('This payment isn’t being held.')).toBeTruthy();
    other[giveBack] = undefined;
    other[`GET transactions/${id(4)}`] = { ...held, status: 'failed' };
    await person.click(within(asked).getByRole('button', { name: 'Return payment' }));
    expect(await dialog('Success')).toBeTruthy();
    expect(sent.map(({ call }) => call)).toEqual([giveBack, giveBack]);
    await waitFor(() => expect(screen.queryByText('This payment is held')).toBeNull(), waitOptions);
  });

  test('that a colleague has just returned says so in the open dialog, without the button [A-67]', async () => {
    const other: Record<string, unknown> = { [`GET transactions/${id(4)}`]: { ...held, isHeld: true } };
    other[giveBack] = { status: 409, code: 'CONFLICT', message: limitsMessages.notHeld };
    await enter('operator', opened, other);
    await person.click(await button('Return payment'));
    const asked = await dialog('Return this payment?');
    other[`GET transactions/${id(4)}`] = { ...held, status: 'failed' };
    await person.click(within(asked).getByRole('button', { name: 'Return payment' }));
    expect(await within(asked).findByText(/^This payment was already returned or canceled/)).toBeTruthy();
    expect(asked.textContent).not.toContain('goes back to');
    expect(within(asked).queryByRole('button', { name: 'Return payment' })).toBeNull();
  });

  test('that is not held by a freeze, or that support opens, has no button that returns it [SD-13]', async () => {
    await enter('operator', opened, { [`GET transactions/${id(4)}`]: held });
    expect(await screen.findByText(/^Expected by/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Return payment' })).toBeNull();
    cleanup();
    await enter('support', opened, { [`GET transactions/${id(4)}`]: { ...held, isHeld: true } });
    expect(await screen.findByText('This payment is held')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Return payment' })).toBeNull();
  });

  test('of a large amount says before it is reversed that a second person must approve [SD-03]', async () => {
    await enter('operator', opened, {
      [`GET transactions/${id(4)}`]: { ...transfer, amount: 150_000, timeline: [{ step: 'posted', at }] },
    });
    await person.click(await button('Reverse'));
    const asked = await dialog('Reverse this transaction?');
    expect(await within(asked).findByText(/^This waits until a second operator/)).toBeTruthy();
  });

  test('that the bank refuses to reverse says that no money moved, and the next press has a new key [SD-06]', async () => {
    const refusal = { status: 400, code: 'INSUFFICIENT_BALANCE', message: staffMessages.reversalBalance };
    const { sent } = await enter('operator', opened, { [reverse]: refusal });
    await person.click(await button('Reverse'));
    const asked = await press('Wrong account.');
    expect(await within(asked).findByText(`${staffMessages.reversalBalance} No money moved.`)).toBeTruthy();
    await press('Wrong amount.');
    await waitFor(() => expect(new Set(sent.map(({ key }) => key)).size).toBe(2), waitOptions);
  });

  test('that a colleague has just reversed says so, does not claim that no money moved, and loses its button [A-67]', async () => {
    const other: Record<string, unknown> = {
      [reverse]: { status: 409, code: 'CONFLICT', message: staffMessages.reversedBefore },
    };
    await enter('operator', opened, other);
    await person.click(await button('Reverse'));
    other[`GET transactions/${id(4)}`] = {
      ...transfer,
      timeline: [{ step: 'posted', at }],
      reversedBy: id(5),
    };
    const asked = await press('Wrong account.');
    expect(await within(asked).findByText(staffMessages.reversedBefore)).toBeTruthy();
    expect(asked.textContent).not.toContain('No money moved');
    await waitFor(
      () => expect(within(asked).queryByRole('button', { name: 'Reverse' })).toBeNull(),
      waitOptions,
    );
    expect(within(asked).getByRole('button', { name: 'Close' })).toBeTruthy();
  });

  test('that was reversed by a press whose answer was lost says that it is reversed, not that someone was faster [A-67]', async () => {
    const read = `GET transactions/${id(4)}`;
    const other: Record<string, unknown> = { [reverse]: new TypeError('Failed to fetch') };
    await enter('operator', opened, other);
    await person.click(await button('Reverse'));
    other[read] = { ...transfer, timeline: [{ step: 'posted', at }], reversedBy: id(5) };
    const asked = await press('Wrong account.');
    expect(await within(asked).findByText('The transaction is reversed.')).toBeTruthy();
  });

  test('with a closed account says that it can’t be reversed, instead of offering it [SD-06]', async () => {
    const sender = { ...transfer.sender, firstName: 'Closed account', lastName: '' };
    await enter('operator', opened, {
      [`GET transactions/${id(4)}`]: { ...transfer, sender, timeline: [{ step: 'posted', at }] },
    });
    expect(await within(await dialog('Transaction')).findByText(staffMessages.reversalClosed)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Reverse' })).toBeNull();
  });

  test.each(['operator', 'viewer'] as const)(
    'whose reversal waits for a second person links the role %s to the request, and cannot be reversed again [SD-06]',
    async role => {
      await enter(role, opened, {
        [`GET transactions/${id(4)}`]: {
          ...transfer,
          timeline: [{ step: 'posted', at }],
          reversalRequestId: id(6),
        },
      });
      const link = await screen.findByRole('link', { name: 'Waiting for a second person' });
      expect(link.getAttribute('href')).toBe(`/admin/dashboard?view=requests&request=${id(6)}`);
      expect(screen.queryByRole('button', { name: 'Reverse' })).toBeNull();
    },
  );

  test('that was reversed links to its reversal and cannot be reversed again [SD-06]', async () => {
    await enter('operator', opened, {
      [`GET transactions/${id(4)}`]: { ...transfer, timeline: [{ step: 'posted', at }], reversedBy: id(5) },
    });
    const link = await screen.findByRole('link', { name: 'View transaction' });
    expect(link.getAttribute('href')).toContain(id(5));
    expect(screen.queryByRole('button', { name: 'Reverse' })).toBeNull();
  });
});
