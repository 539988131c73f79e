/** What the lists of the back office have in common: saved filters, keys, filters in the URL and in print, and exports. */
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
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
  transfer,
} from '../../../../../tests/adminDesk.tsx';
import { ida } from '../../../../../tests/sessions.ts';
import { waitOptions } from '../../../../../tests/waiting.ts';

test.each([
  [
    'transactions&type=transfer&search=rent&startDate=2026-11-03',
    'Type: Transfer',
    'Search: rent',
    'From Nov 3, 2026',
  ],
  ['users&state=frozen&document=review', 'State: Frozen', 'ID document: Under review'],
  ['audit&actorKind=admin&endDate=2026-11-03', 'Kind of actor: Administrator', 'To Nov 3, 2026'],
  ['requests&state=declined', 'Show: Declined'],
  ['messages&list=closed', 'Show: Closed'],
  ['unclaimed&list=paid', 'Show: Paid out'],
])('the printed list ?view=%s names its filters [X-21]', async (view, ...texts) => {
  await enter('owner', `?view=${view}`, { 'GET unclaimed': { ...page, balances: [], unclaimed: 0 } });
  for (const text of texts) expect(await screen.findByText(text)).toBeTruthy();
});

describe('the lists', () => {
  test('are shown although the saved filters in the browser are damaged [SD-20]', async () => {
    for (const stored of [
      'null',
      '5',
      JSON.stringify({ [ida._id]: [null, { name: {} }] }),
      JSON.stringify({ [ida._id]: 'x' }),
    ]) {
      localStorage.setItem('adminFilters', stored);
      await enter('operator', '?view=transactions&type=transfer');
      expect(await button('Save these filters')).toBeDefined();
      cleanup();
    }
    localStorage.clear();
  });

  test('keep filters under a name, without the search text [SD-20]', async () => {
    const { address } = await enter('operator', '?view=transactions&type=transfer&search=jun');
    await person.click(await button('Save these filters'));
    await person.type(screen.getByRole('textbox', { name: 'Name' }), 'Transfers{Enter}');
    const saved = await screen.findByRole('link', { name: 'Transfers' });
    await waitFor(() => expect(document.activeElement).toBe(saved), waitOptions);
    expect(localStorage.getItem('adminFilters')).not.toContain('jun');
    await person.click(saved);
    await waitFor(() => expect(address.search).toBe('?view=transactions&type=transfer'), waitOptions);
    await person.click(await button('Remove the saved filter Transfers'));
    expect(screen.queryByRole('link', { name: 'Transfers' })).toBeNull();
    expect(document.activeElement).toBe(await button('Save these filters'));
    await person.click(await button('Save these filters'));
    await person.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), waitOptions);
    expect(document.activeElement).toBe(await button('Save these filters'));
    localStorage.clear();
  });

  test('keep up to twenty saved filters each [SD-20]', async () => {
    const saved = Array.from({ length: 20 }, (_, n) => ({
      name: `Users ${n}`,
      search: `view=users&state=${n}`,
    }));
    localStorage.setItem('adminFilters', JSON.stringify({ [ida._id]: saved }));
    await enter('operator', '?view=users&state=frozen');
    await screen.findByRole('link', { name: 'Users 19' });
    expect(screen.queryByRole('button', { name: 'Save these filters' })).toBeNull();
    cleanup();
    await enter('operator', '?view=transactions&type=transfer');
    await button('Save these filters');
    localStorage.clear();
  });

  test('a name that an administrator uses in two lists opens the filters of each, and removing one keeps the other [SD-20]', async () => {
    for (const search of ['?view=transactions&type=transfer', '?view=users&state=frozen']) {
      await enter('operator', search);
      await person.click(await button('Save these filters'));
      await person.type(screen.getByRole('textbox', { name: 'Name' }), 'Mine{Enter}');
      await screen.findByRole('link', { name: 'Mine' });
      cleanup();
    }
    const { address } = await enter('operator', '?view=users&state=frozen');
    const find = async () => {
      await person.keyboard('{Control>}k{/Control}');
      await person.type(within(await dialog('Go to')).getByRole('combobox'), 'mine');
      return screen.getAllByRole('option', { name: /^Mine/ }).map(({ textContent }) => textContent);
    };
    expect(await find()).toEqual(['MineTransactions', 'MineUsers']);
    await person.keyboard('{Escape}');
    await person.click(await button('Remove the saved filter Mine'));
    expect(screen.queryByRole('link', { name: 'Mine' })).toBeNull();
    expect(await find()).toEqual(['MineTransactions']);
    await person.keyboard('{Enter}');
    await waitFor(() => expect(address.search).toBe('?view=transactions&type=transfer'), waitOptions);
    localStorage.clear();
  });

  test('/ moves to the search, the arrow keys move between rows, and Enter opens one [SD-10]', async () => {
    const second = {
      ...jun,
      _id: id(9),
      firstName: 'Noor',
      lastName: 'Haddad',
      profileImage: '',
      createdAt: at,
    };
    await enter('operator', '?view=users', {
      'GET users': {
        ...page,
        users: [{ ...jun, profileImage: '', createdAt: at }, second],
        totalUsers: 2,
      },
    });
    await button('View Jun Takeda');
    await person.keyboard('/');
    expect(document.activeElement).toBe(screen.getByRole('searchbox'));
    expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('');
    await person.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(await button('View Jun Takeda'));
    await person.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(await button('View Noor Haddad'));
    await person.keyboard('{ArrowUp}{ArrowUp}');
    expect(document.activeElement).toBe(screen.getByRole('searchbox'));
    screen.getByRole('switch', { name: /Noor Haddad/ }).focus();
    await person.keyboard('{ArrowUp}');
    expect(document.activeElement).toBe(screen.getByRole('switch', { name: /Jun Takeda/ }));
    (await button('View Jun Takeda')).focus();
    await person.keyboard('{Enter}');
    const details = await dialog('User Details');
    await waitFor(
      () => expect(document.activeElement).toBe(within(details).getByRole('button', { name: 'Close' })),
      waitOptions,
    );
  });

  test('of transactions keep the opened transaction open when a debounced search or a new filter takes effect [SD-10]', async () => {
    for (const search of ['?view=transactions', `${customer}&tab=transactions`]) {
      const { address } = await enter('operator', search);
      const link = await screen.findByRole('link', { name: transfer.reference });
      // The search is debounced. The list of one customer has no search, so a filter is changed there instead.
      if (search === '?view=transactions') await person.type(screen.getByRole('searchbox'), 'noor');
      await person.click(link);
      const sheet = await dialog('Transaction');
      if (search !== '?view=transactions')
        fireEvent.change(screen.getByLabelText('Type', { exact: true }), { target: { value: 'transfer' } });
      const changed = search === '?view=transactions' ? 'search=noor' : 'type=transfer';
      await waitFor(() => expect(address.search).toContain(changed), waitOptions);
      expect(address.search).toContain(`transaction=${transfer._id}`);
      expect(sheet.isConnected).toBe(true);
      await person.keyboard('{Escape}');
      await waitFor(() => expect(address.search).not.toContain('transaction='), waitOptions);
      expect(address.search).toContain(changed);
      cleanup();
    }
  });

  test('of users keep the state and the order in the URL [SD-11]', async () => {
    const { address } = await enter('operator', '?view=users&state=frozen');
    expect(await screen.findByText('Jun Takeda')).toBeTruthy();
    await person.selectOptions(screen.getByRole('combobox', { name: 'Sort by' }), 'balance-down');
    await waitFor(
      () => expect(address.search).toBe('?view=users&state=frozen&sort=balance-down'),
      waitOptions,
    );
  });

  test('are saved as CSV with the current filters, by the roles that may export [SD-11]', async () => {
    const saved: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    URL.createObjectURL = () => 'blob:export';
    const { requested } = await enter('auditor', '?view=users&state=frozen&document=review&sort=balance-up', {
      'GET customers/export': new Response('csv', {
        headers: { 'content-disposition': 'attachment; filename="customers.csv"' },
      }),
    });
    await person.click(await button('Export CSV'));
    await waitFor(() => expect(saved).toEqual(['customers.csv']), waitOptions);
    expect(requested).toContain(
      '/api/v1/admin/customers/export?state=frozen&document=review&sort=balance&direction=up',
    );
    vi.restoreAllMocks();
    cleanup();
    await enter('support', '?view=users');
    await button('View Jun Takeda');
    expect(screen.queryByRole('button', { name: 'Export CSV' })).toBeNull();
  });

  test('of the audit log are saved with every filter, but not while there is a search text [SD-11]', async () => {
    const { requested } = await enter('auditor', '?view=audit&actorKind=admin');
    await person.click(await button('Export CSV'));
    await waitFor(
      () => expect(requested).toContain('/api/v1/admin/audit/export?actorKind=admin'),
      waitOptions,
    );
    await person.type(screen.getByRole('searchbox'), 'margit');
    expect(await screen.findByText('Clear the search to export this list.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Export CSV' })).toBeNull();
  });
});
