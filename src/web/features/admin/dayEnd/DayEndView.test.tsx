/** The day end: balances, held payments, and the progress of a proof of the books. */
import { cleanup, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { at, button, enter, id, person } from '../../../../../tests/adminDesk.tsx';
import { waitOptions } from '../../../../../tests/waiting.ts';
import { words } from '../words.ts';

const proof = {
  _id: id(8),
  startedAt: at,
  isWhole: true,
  state: 'running',
  records: 50,
  allRecords: 200,
  transactions: 90,
  faults: [],
};
const none = { count: 0, amount: 0 };
const dayEnd = {
  at,
  accounts: 2,
  balances: { customers: 90, treasury: -100, clearing: 10, unclaimed: 0 },
  onTheWay: { pending: { count: 1, amount: 10 }, held: { count: 1, amount: 10 }, overdue: none },
  days: [],
};

test('the day end shows balances and held payments, and a started proof shows its progress [SD-26, SD-27]', async () => {
  const other: Record<string, unknown> = {
    'GET day-end': dayEnd,
    [`GET proofs/${id(8)}`]: proof,
    'POST proofs': proof,
  };
  await enter('operator', '?view=day-end', other);
  const balances = await screen.findByRole('region', { name: 'Balances now' });
  expect(balances.textContent).toContain('Total$0.00');
  expect(screen.getByRole('region', { name: 'Payments to other banks' }).textContent).toContain(
    'Of these, held by a freeze (1 payment)$10.00',
  );
  other['GET day-end'] = { ...dayEnd, proof };
  await person.click(await button('Prove the books'));
  expect(await screen.findByText('25%', { selector: '.Progress-percent' })).toBeTruthy();
  expect(screen.queryByText('The total is not $0.00')).toBeNull();
  cleanup();
  other['GET day-end'] = { ...dayEnd, balances: { ...dayEnd.balances, clearing: 9.99 } };
  await enter('operator', '?view=day-end', other);
  expect(await screen.findByText('The total is not $0.00')).toBeTruthy();
});

test('a person whose start of a proof got no answer reads so only until the proof is shown [A-66, SD-27]', async () => {
  const earlier = { ...proof, _id: id(7), state: 'passed', finishedAt: at };
  const other: Record<string, unknown> = {
    [`GET proofs/${id(8)}`]: proof,
    'POST proofs': new TypeError('Failed to fetch'),
    'GET day-end': { ...dayEnd, proof: earlier },
  };
  await enter('operator', '?view=day-end', other);
  await person.click(await button('Prove the books'));
  expect(await screen.findByText(words.actUnknown)).toBeTruthy();
  other['GET day-end'] = { ...dayEnd, proof };
  await person.click(await button('Prove the books'));
  expect(await screen.findByText('25%', { selector: '.Progress-percent' }, waitOptions)).toBeTruthy();
  expect(screen.queryByText(words.actUnknown)).toBeNull();
});
