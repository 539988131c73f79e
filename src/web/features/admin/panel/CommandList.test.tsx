/** The list of commands: how it opens, and what it finds for each role. */
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { at, customer, dialog, enter, page, person, sidebar } from '../../../../../tests/adminDesk.tsx';
import { waitOptions } from '../../../../../tests/waiting.ts';

// First in this file: once a test has opened the list, it opens at once in all later ones.
test('the list of commands opens at once even the first time, so that no letter typed after Ctrl+K is lost [SD-19]', async () => {
  await enter('operator', '?view=users');
  // In `act`, React mounts a loaded component without delay. The first `act` loads the list, the second one mounts it.
  for (let i = 0; i < 2; i++) await act(() => import('./CommandList.tsx'));
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  expect(screen.getByRole('dialog', { name: 'Go to' })).toBeTruthy();
});

describe('the list of commands', () => {
  test('opens with Ctrl+K, is narrowed by typing, and Enter opens a view or a customer [SD-19]', async () => {
    const { address } = await enter('operator', '?view=users');
    await person.keyboard('{Control>}k{/Control}');
    const list = await dialog('Go to');
    const field = within(list).getByRole('combobox');
    await waitFor(() => expect(document.activeElement).toBe(field), waitOptions);
    const options = () =>
      within(list)
        .getAllByRole('option')
        .map(({ textContent }) => textContent);
    expect(options()).toEqual(expect.arrayContaining(['Transactions', 'Credit a customer', 'Logout']));
    expect(options()).not.toContain('Staff');
    await person.type(field, 'transa{Enter}');
    await waitFor(() => expect(address.search).toBe('?view=transactions'), waitOptions);
    await person.keyboard('{Control>}k{/Control}');
    await person.type(within(await dialog('Go to')).getByRole('combobox'), 'Jun');
    await screen.findByRole('option', { name: /Jun Takeda/ });
    await person.keyboard('{Enter}');
    await waitFor(() => expect(address.search).toBe(customer), waitOptions);
    await person.keyboard('{Meta>}k{/Meta}');
    await dialog('Go to');
    await person.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), waitOptions);
  });

  test('does not find a view by the number of those who wait in it [SD-19]', async () => {
    await enter('operator', '?view=users');
    await waitFor(() => expect(sidebar().textContent).toContain('Requests1'), waitOptions);
    await person.keyboard('{Control>}k{/Control}');
    const list = await dialog('Go to');
    await person.type(within(list).getByRole('combobox'), '1');
    expect(within(list).getAllByRole('option')).toHaveLength(1);
  });

  test.each([
    ['sanction', ['View sanctions matches'], 'viewer'],
    ['prove', ['Prove the books'], 'auditor'],
    ['export', ['Export users', 'Export transactions', 'Export the audit log'], 'auditor'],
    ['export', [], 'viewer'],
  ] as const)('finds %s as %j for the role %s [SD-19]', async (text, expected, role) => {
    await enter(role, '?view=users', {
      'GET screening': {
        ...page,
        hits: [],
        totalHits: 0,
        open: 0,
        list: { importedAt: at, entries: 3, screened: 12, finishedAt: at },
      },
    });
    await waitFor(() => expect(sidebar().textContent).toContain('Screening'), waitOptions);
    await person.keyboard('{Control>}k{/Control}');
    const list = await dialog('Go to');
    await person.type(within(list).getByRole('combobox'), text);
    const options = within(list).getAllByRole('option');
    // The last option searches the transactions.
    expect(options.slice(0, -1).map(({ textContent }) => textContent)).toEqual(expected);
  });
});
