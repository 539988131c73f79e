/** The card of a savings goal: deleting it, and what it shows while amounts are hidden. */
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Provider } from 'react-redux';
import { expect, test } from 'vitest';
import type { Goal } from '#contract/goals.ts';
import { makeStore } from '#web/base/store.ts';
import { piano } from '../../../../tests/goals.ts';
import { GoalCard } from './GoalCard.tsx';

const goal: Goal = {
  ...piano,
  rule: { amount: 25, frequency: 'weekly', startDate: '2099-12-01', nextDate: '2099-12-01' },
};

const open = (hidden: boolean, changed: Partial<Goal> = {}, isFrozen = false) =>
  render(
    <Provider store={makeStore()}>
      <GoalCard
        goal={{ ...goal, ...changed }}
        goals={{ refetch: async () => ({ isError: true }) }}
        hidden={hidden}
        isFrozen={isFrozen}
        onChange={() => {}}
        onMove={() => {}}
        page={{ current: null }}
      />
    </Provider>,
  );
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

test('keeping a goal returns the focus to its Delete button [GO-13]', async () => {
  open(false);
  await press('Delete');
  expect(
    screen.getByRole('group', { name: 'Delete this goal? Its $40.00 returns to your balance.' }),
  ).toBeDefined();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Keep' }));
  await press('Keep');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Delete' }));
});

test('while amounts are hidden, the card and the question before deleting show none [O-07]', async () => {
  const { container } = open(true);
  expect(container.textContent).toContain('Saves every Tuesday, next on Dec 1, 2099');
  await press('Delete');
  expect(
    screen.getByRole('group', { name: 'Delete this goal? Its money returns to your balance.' }),
  ).toBeDefined();
  expect(container.textContent).not.toContain('$');
});

test('a frozen customer reads the rule of a goal without a next date, because nothing is saved then [GO-07]', () => {
  const { container } = open(false, {}, true);
  expect(container.textContent).toContain('$25.00 every Tuesday');
  expect(container.textContent).not.toContain('next on');
});

test('a customer reads when the rule reaches the target, but only if that is later than the goal’s date [GO-12]', () => {
  // The 19th weekly deposit of $25.00 completes the $460.00 that are missing.
  const slow = open(false, { targetDate: '2100-03-01' });
  expect(slow.container.textContent).toContain(
    'At this pace, you’ll reach your goal on Apr 6, 2100, later than your date, Mar 1, 2100.',
  );
  cleanup();
  const centuries = open(false, { target: 1_000_000, targetDate: '2100-03-01' });
  expect(centuries.container.textContent).toContain(
    'At this pace, you won’t reach your goal by Mar 1, 2100.',
  );
  cleanup();
  const { container } = open(false, { targetDate: '2100-12-01' });
  expect(container.textContent).not.toContain('At this pace');
});
