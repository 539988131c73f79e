/** Exporting the listed transactions: the chosen format, the current filters, and what a failure says. */
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { type Filters, noFilters } from '#web/bank/transactionFilters.ts';
import { customerLoggedIn } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { renderWith } from '../../../../tests/renderWith.tsx';
import { wren } from '../../../../tests/sessions.ts';
import { submitButtonOf } from '../../../../tests/submitButtonOf.ts';
import { waitOptions } from '../../../../tests/waiting.ts';
import { ExportDialog } from './ExportDialog.tsx';

const filters = {
  search: '',
  type: 'transfer',
  status: '',
  startDate: '2026-01-01',
  endDate: '2026-11-22',
} satisfies Filters;

/** Opens the dialog at a bank that answers an export with `answer`. Returns what was requested and what was saved. */
function open(answer: () => Response, shown: Filters = filters) {
  const requested: string[] = [];
  const saved: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    requested.push(url);
    return answer();
  });
  URL.createObjectURL = () => 'blob:export';
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  const store = makeStore();
  store.dispatch(customerLoggedIn(wren));
  renderWith(store, <ExportDialog open onClose={() => {}} filters={shown} filtered={shown === filters} />);
  return { requested, saved };
}

test('an export has the chosen format, the current filters and the name that the bank gave it [RX-13]', async () => {
  const { requested, saved } = open(
    () => new Response('OFX', { headers: { 'content-disposition': 'attachment; filename="larkspur.ofx"' } }),
  );
  expect(screen.getByRole('dialog').textContent).toContain(
    'The transactions that match your filters, Jan 1 – Nov 22, 2026, oldest first.',
  );
  await userEvent.click(screen.getByRole('radio', { name: /^OFX/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Export' }));
  await waitFor(() => expect(saved).toEqual(['larkspur.ofx']), waitOptions);
  expect(requested).toEqual([
    '/api/v1/user/transactions/export?format=ofx&type=transfer&startDate=2026-01-01&endDate=2026-11-22',
  ]);
});

test('without filters, the dialog says that the export contains all transactions [RX-13]', () => {
  open(() => new Response(), noFilters);
  expect(screen.getByText('All your transactions, oldest first.')).toBeDefined();
});

test('an export that fails says why, and saves nothing [RX-13]', async () => {
  const refusal = { success: false, message: 'That was too often.', code: 'TOO_MANY' };
  const { saved } = open(() => new Response(JSON.stringify(refusal), { status: 429 }));
  await userEvent.click(screen.getByRole('button', { name: 'Export' }));
  expect(await screen.findByText('That was too often.')).toBeDefined();
  expect(saved).toEqual([]);
});

test('Enter on a format exports, as the button does [RX-13]', async () => {
  const { requested } = open(() => new Response('QIF'));
  await userEvent.click(screen.getByRole('radio', { name: /^QIF/ }));
  await userEvent.click(submitButtonOf(screen.getByRole('radio', { name: /^QIF/ })));
  await waitFor(() => expect(requested).toEqual([expect.stringContaining('format=qif')]), waitOptions);
});
