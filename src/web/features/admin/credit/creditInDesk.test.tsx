/** A credit and the other views: one that waits for a second person, was only started, or whose result is unknown. */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import {
  button,
  credit,
  dialog,
  enter,
  jun,
  person,
  sidebar,
  transfer,
} from '../../../../../tests/adminDesk.tsx';
import { waitOptions } from '../../../../../tests/waiting.ts';

test('after the notice that a credit waits for a second person, the focus is in the empty form [SD-03]', async () => {
  await enter('operator', '?view=credit', { 'POST transactions/admin-credit': { approval: credit } });
  const account = await screen.findByLabelText(/^Account Number/);
  await person.type(account, jun.accountNumber);
  await person.type(screen.getByLabelText(/^Amount/), '150000');
  await person.type(screen.getByLabelText(/^Description/), 'Sale of the house');
  await person.click(await button('Credit User'));
  const waiting = await dialog('Waiting for a second person');
  await person.click(within(waiting).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), waitOptions);
  await waitFor(() => expect(document.activeElement).toBe(account), waitOptions);
});

test('a credit that waits for a second person is reported once [SD-03]', async () => {
  await enter('operator', '?view=credit', { 'POST transactions/admin-credit': { approval: credit } });
  await person.type(await screen.findByLabelText(/^Account Number/), jun.accountNumber);
  await person.type(screen.getByLabelText(/^Amount/), '150000');
  await person.type(screen.getByLabelText(/^Description/), 'Sale of the house');
  await person.click(await button('Credit User'));
  const waiting = await dialog('Waiting for a second person');
  await person.click(within(waiting).getByRole('link', { name: 'View request' }));
  await person.click(within(await dialog('Credit Jun Takeda')).getByRole('button', { name: 'Close' }));
  await person.click(within(sidebar()).getByRole('link', { name: 'Credit User', hidden: true }));
  await screen.findByLabelText(/^Account Number/);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('the sidebar asks before it discards a credit that was started [G-16]', async () => {
  const { address } = await enter('operator', '?view=credit');
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: /^Amount/ });
  await person.type(field, '125');
  await person.click(within(sidebar()).getByRole('link', { name: 'Users' }));
  await person.click(within(await dialog('Leave without saving?')).getByRole('button', { name: 'Stay' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: /^Leave/ })).toBeNull(), waitOptions);
  expect(field.value).toBe('125.00');
  await person.click(within(sidebar()).getByRole('link', { name: 'Users' }));
  await person.click(await button('Leave without saving'));
  await waitFor(() => expect(address.search).toBe('?view=users'), waitOptions);
});

test('the browser asks before it closes any view while the result of a credit is unknown [A-65]', async () => {
  const asksToStay = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  const other: Record<string, unknown> = {
    'POST transactions/admin-credit': new TypeError('Failed to fetch'),
  };
  await enter('operator', '?view=credit', other);
  expect(asksToStay()).toBe(false);
  await person.type(await screen.findByRole('textbox', { name: /^Account Number/ }), jun.accountNumber);
  await person.type(screen.getByRole('textbox', { name: /^Amount/ }), '125');
  await person.type(screen.getByRole('textbox', { name: /^Description/ }), 'Gift');
  await person.click(await button('Credit User'));
  await person.click(within(await dialog('Result unknown')).getByRole('button', { name: 'Close' }));
  await person.click(within(sidebar()).getByRole('link', { name: 'Users' }));
  await screen.findByRole('heading', { name: 'Users' });
  expect(asksToStay()).toBe(true);
  other['POST transactions/admin-credit'] = transfer;
  await person.click(within(sidebar()).getByRole('link', { name: 'Credit User' }));
  await person.click(await button('Credit User'));
  await dialog('Success!');
  expect(asksToStay()).toBe(false);
});
