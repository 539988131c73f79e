/** The list of statements: what it shows of each month, and that its buttons save the month's file or say why not. */
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { customerLoggedIn } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { RouterProvider } from '#web/router/RouterProvider.tsx';
import { createMemoryRouter } from '../../../../tests/memoryRouter.tsx';
import { renderWith } from '../../../../tests/renderWith.tsx';
import { wren } from '../../../../tests/sessions.ts';
import { waitOptions } from '../../../../tests/waiting.ts';
import { StatementsDialog } from './StatementsDialog.tsx';
import { TransactionsScreen } from './TransactionsScreen.tsx';

const data = [
  {
    _id: '2026-10',
    from: '2026-10-01',
    to: '2026-10-31',
    openingBalance: 10,
    closingBalance: 1234.5,
    moneyIn: 1300,
    moneyOut: 75.5,
    count: 3,
  },
  {
    _id: '2026-09',
    from: '2026-09-12',
    to: '2026-09-30',
    openingBalance: 10,
    closingBalance: 10,
    moneyIn: 0,
    moneyOut: 0,
    count: 0,
  },
  {
    _id: '2026-08',
    from: '2026-08-12',
    to: '2026-08-31',
    openingBalance: 0,
    closingBalance: 10,
    moneyIn: 10,
    moneyOut: 0,
    count: 1,
  },
];

/** Opens the dialog at a bank that answers a download with `answer`. Returns what was requested and what was saved. */
async function open(answer: () => Response) {
  const requested: string[] = [];
  const saved: string[] = [];
  vi.stubGlobal('fetch', async (asked: string | Request) => {
    const url = typeof asked === 'string' ? asked : asked.url;
    if (url.endsWith('/statements')) return Response.json({ success: true, message: '', data });
    requested.push(url);
    return answer();
  });
  URL.createObjectURL = () => 'blob:statement';
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  const store = makeStore();
  store.dispatch(customerLoggedIn(wren));
  renderWith(store, <StatementsDialog open onClose={() => {}} />);
  await screen.findByText('October 2026', {}, waitOptions);
  return { requested, saved };
}

test('each month shows its days and figures, and its button saves the PDF [RX-30]', async () => {
  const headers = { 'content-disposition': 'attachment; filename="larkspur-statement-2026-10.pdf"' };
  const { requested, saved } = await open(() => new Response('%PDF', { headers }));
  const [october, september, august] = within(screen.getByRole('list', { name: 'Statements' })).getAllByRole(
    'listitem',
  );
  expect(october!.textContent).toContain('Oct 1–31, 2026');
  expect(october!.textContent).toContain('Closing balance $1,234.50');
  expect(september!.textContent).toContain('No transactions');
  expect(august!.textContent).toContain('Money in +$10.00 Money out $0.00');
  await userEvent.click(
    screen.getByRole('button', { name: 'Download the statement for October 2026 (PDF)' }),
  );
  await vi.waitFor(() => expect(saved).toEqual(['larkspur-statement-2026-10.pdf']), waitOptions);
  expect(requested[0]).toContain('/api/v1/user/statements/2026-10/pdf');
});

test('a statement that could not be downloaded says why [RX-30]', async () => {
  const refusal = { success: false, message: 'Too many requests', code: 'TOO_MANY' };
  const { saved } = await open(() => Response.json(refusal, { status: 429 }));
  await userEvent.click(
    screen.getByRole('button', { name: 'Download the statement for October 2026 (PDF)' }),
  );
  await screen.findByText('We couldn’t download your statement', {}, waitOptions);
  expect(screen.getByText('Too many requests')).toBeDefined();
  expect(saved).toEqual([]);
});

async function openScreen(...initialEntries: string[]) {
  vi.stubGlobal('fetch', async (url: string) => {
    const list = { transactions: [], currentPage: 1, totalPages: 0, totalTransactions: 0, months: [] };
    return Response.json({ success: true, message: '', data: url.includes('statements') ? data : list });
  });
  const store = makeStore();
  store.dispatch(customerLoggedIn(wren));
  const routes = ['/', '/earlier'].map(path => ({ path, Component: TransactionsScreen }));
  const router = createMemoryRouter(routes, { initialEntries });
  renderWith(store, <RouterProvider router={router} />);
  return router;
}
const opened = () => screen.findByRole('dialog', { name: 'Statements' }, waitOptions);
const closed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), waitOptions);

test('the link in the mail about a new statement opens the list of statements, and Escape closes it although the URL still asks for it [RX-14]', async () => {
  await openScreen('/?statements');
  await within(await opened()).findByText('October 2026', {}, waitOptions);
  await userEvent.keyboard('{Escape}');
  await closed();
});

test('a list without transactions has no page buttons [X-09]', async () => {
  await openScreen('/?status=pending');
  await screen.findByText('0 found');
  expect(screen.queryByRole('navigation')).toBeNull();
});

test('Back closes the list of statements and keeps the filters; after Close, Back leaves the screen [RX-14]', async () => {
  const router = await openScreen('/earlier', '/?status=pending');
  const back = () => act(() => router.navigate(-1));
  const press = async () =>
    await userEvent.click(await screen.findByRole('button', { name: 'Statements', hidden: true }));
  await press();
  await opened();
  await back();
  await closed();
  expect(router.state.location).toMatchObject({ pathname: '/', search: '?status=pending' });
  await press();
  await userEvent.click(within(await opened()).getByRole('button', { name: 'Close' }));
  await closed();
  expect(router.state.location).toMatchObject({ pathname: '/', search: '?status=pending' });
  await back();
  expect(router.state.location.pathname).toBe('/earlier');
});
