/** The loans screen without loans, with active loans, and with repaid loans. */
import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { RouterProvider } from '#web/router/RouterProvider.tsx';
import { createMemoryRouter } from '../../../../tests/memoryRouter.tsx';
import { LoanHistory } from './LoanHistory.tsx';
import { loanOn } from './loanOn.ts';
import { sampleLoans } from './sampleLoans.ts';

function show(day: string, terms = sampleLoans): void {
  const loans = terms.map(one => loanOn(one, day));
  const router = createMemoryRouter([{ path: '/', element: <LoanHistory loans={loans} today={day} /> }]);
  render(<RouterProvider router={router} />);
}
const figure = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent;
const loanCard = (name: string) => within(screen.getByRole('article', { name }));

test('a customer without loans reads that there are none, and can apply for one [LN-11]', async () => {
  show('2026-11-21', []);
  expect(screen.getByRole('heading', { name: 'No loan history found' })).toBeDefined();
  expect(screen.queryByText('Total Borrowed')).toBeNull();
  await userEvent.click(screen.getAllByRole('button', { name: 'Apply for Loan' })[1]!);
  expect(await screen.findByRole('dialog', { name: 'Apply for Loan' })).toBeDefined();
});

test('the summary shows what was borrowed, what is active and what is due next [LN-03]', () => {
  show('2026-11-21');
  expect(figure('Total Borrowed')).toBe('$15,000.00in 2 sample loans');
  expect(figure('Active Loans')).toBe('1$3,066.52 left to repay (sample)');
  expect(figure('Next Payment Due')).toBe('$236.54Dec 15, 2026 (sample)');
});

test('a payment that falls due today says so', () => {
  show('2026-12-15');
  expect(figure('Next Payment Due')).toBe('$236.54today, Dec 15, 2026 (sample)');
});

test('only an active loan shows what remains and offers a payment [LN-04, LN-05]', () => {
  show('2026-11-21');
  const personal = loanCard('Personal loan');
  for (const text of ['Active', '$5,000.00', '12.5% a year', 'Jan 15, 2026', 'Jan 15, 2028', '$3,066.52'])
    expect(personal.getAllByText(text).length, text).toBeGreaterThan(0);
  expect(personal.getByText('$1,933.48 of the sample’s $5,000.00 is repaid.')).toBeDefined();
  expect(personal.getByText('10 of 24 payments made')).toBeDefined();
  expect(personal.getByText('Make Payment')).toBeDefined();
  expect(personal.getByText('View Details')).toBeDefined();

  const business = loanCard('Business loan');
  expect(business.getByText('Completed')).toBeDefined();
  expect(business.queryByText('Remaining amount')).toBeNull();
  expect(business.queryByText('Make Payment')).toBeNull();
});

test('every loan card says that the loan is a sample and not owed, and every total that it is a sample [LN-13]', () => {
  show('2026-11-21');
  for (const card of screen.getAllByRole('article'))
    expect(within(card).getByText('Sample loan – you don’t owe this')).toBeDefined();
  for (const name of ['Total Borrowed', 'Active Loans', 'Next Payment Due'])
    expect(figure(name)).toContain('sample');
});

test('nothing is due once every loan is repaid', () => {
  show('2028-02-01');
  expect(figure('Active Loans')).toBe('0all repaid');
  expect(figure('Next Payment Due')).toBe('Nonenothing due');
});
