/** The list of savings goals: where the focus goes after a change, and what it says about today's deposit. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { calendarDay } from '#contract/bankTime.ts';
import type { Goal } from '#contract/goals.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import * as goalsMessages from '#contract/messages/goals.ts';
import { api } from '#web/base/api.ts';
import { piano } from '../../../../tests/goals.ts';
import { renderLoggedIn, success } from '../../../../tests/renderWith.tsx';
import { waitOptions } from '../../../../tests/waiting.ts';
import { GoalsScreen } from './GoalsScreen.tsx';

const empty: Goal = { ...piano, saved: 0 };
const weekly = { amount: 25, frequency: 'weekly', startDate: '2099-12-01', nextDate: '2099-12-01' } as const;
const ruled: Goal = { ...piano, rule: weekly };

test('after adding the first goal and after deleting it, the focus is on the heading [GO-13]', async () => {
  let goals: Goal[] = [];
  vi.stubGlobal('fetch', async (_url: string, { method }: RequestInit) => {
    if (method === 'POST') goals = [empty];
    if (method === 'DELETE') goals = [];
    return success({ goals, saved: 0 });
  });
  renderLoggedIn(<GoalsScreen />);
  const heading = screen.getByRole('heading', { level: 1 });

  await userEvent.click(await screen.findByRole('button', { name: 'Add a goal' }, waitOptions));
  const form = within(await screen.findByRole('dialog', {}, waitOptions));
  await userEvent.type(form.getByLabelText('What for'), 'Piano');
  await userEvent.type(form.getByLabelText('Target'), '500');
  await userEvent.click(form.getByRole('button', { name: 'Add a goal' }));
  await screen.findByRole('heading', { name: 'Piano' }, waitOptions);
  await waitFor(() => expect(document.activeElement).toBe(heading), waitOptions);

  await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
  await screen.findByText('What are you saving for?', {}, waitOptions);
  expect(document.activeElement).toBe(heading);
});

test('after the answer to deleting a goal was lost, the focus is on the heading [ER-18]', async () => {
  let goals = [empty];
  vi.stubGlobal('fetch', async (_url: string, { method }: RequestInit) => {
    if (method === 'DELETE') {
      goals = [];
      throw new TypeError('Failed to fetch');
    }
    return success({ goals, saved: 0 });
  });
  renderLoggedIn(<GoalsScreen />);
  await userEvent.click(await screen.findByRole('button', { name: 'Delete' }, waitOptions));
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
  await screen.findByText('What are you saving for?', {}, waitOptions);
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
});

test('after all money is taken out of a goal, the focus is on the name of the goal [GO-14]', async () => {
  let goal = piano;
  vi.stubGlobal('fetch', async (url: string) => {
    if (url.endsWith('/move')) goal = empty;
    const data = url.endsWith('/goals') ? { goals: [goal], saved: goal.saved } : { ...goal, balance: 90 };
    return success(data);
  });
  renderLoggedIn(<GoalsScreen />);
  await userEvent.click(await screen.findByRole('button', { name: 'Take money out' }, waitOptions));
  const form = within(await screen.findByRole('dialog', {}, waitOptions));
  await userEvent.click(form.getByRole('button', { name: 'All of it' }));
  await userEvent.click(form.getByRole('button', { name: 'Take money out' }));
  await waitFor(
    () => expect(screen.queryByRole('button', { name: 'Take money out' })).toBeNull(),
    waitOptions,
  );
  await waitFor(
    () => expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Piano' })),
    waitOptions,
  );
});

test.each([
  ['says that the goal is gone', true],
  ['can be canceled', false],
])(
  'when another tab deletes the goal whose form is open, the form stays, %s, and gives the focus to the heading [GO-13]',
  async (_, sends) => {
    let goals: Goal[] = [piano];
    vi.stubGlobal('fetch', async (url: string) =>
      url.endsWith('/move')
        ? Response.json({ success: false, message: 'Not found', code: 'NOT_FOUND' }, { status: 404 })
        : success({ goals, saved: 0, balance: 90 }),
    );
    const store = renderLoggedIn(<GoalsScreen />);
    await userEvent.click(await screen.findByRole('button', { name: 'Add money' }, waitOptions));
    const form = within(await screen.findByRole('dialog', {}, waitOptions));
    await userEvent.type(form.getByLabelText('Amount'), '5');
    goals = [];
    store.dispatch(api.util.invalidateTags(['Goals']));
    await screen.findByText('What are you saving for?', {}, waitOptions);
    if (sends) {
      await userEvent.click(form.getByRole('button', { name: 'Add money' }));
      expect(await form.findByText(/^This goal was deleted/, {}, waitOptions)).toBeDefined();
    }
    await userEvent.click(form.getByRole('button', { name: 'Cancel' }));
    const title = screen.getByRole('heading', { level: 1, hidden: true });
    await waitFor(() => expect(document.activeElement).toBe(title), waitOptions);
  },
);

test('a customer whose balance is too small for today’s deposit reads within seconds when the bank tries again [GO-09]', async () => {
  const today = calendarDay(new Date());
  const rule = { amount: 25, frequency: 'weekly', startDate: today, nextDate: today } as const;
  const retriesAt = new Date(Date.now() + 3_600_000).toISOString();
  let calls = 0;
  vi.stubGlobal('fetch', async () => {
    const goals = [{ ...piano, rule: calls++ === 0 ? rule : { ...rule, retriesAt } }];
    return success({ goals, saved: 0 });
  });
  renderLoggedIn(<GoalsScreen />);
  await screen.findByText(/^Your balance was too small on .* We’ll try again at /, {}, waitOptions);
});

test.each([
  ['before the bank is asked', '2026-01-02', ['GET']],
  ['by the bank', '2099-12-01', ['GET', 'PUT']],
])(
  'the error of a date that is refused %s shows once, at the field of the date, which has the focus [GO-16]',
  async (_, date, methods) => {
    const asked = new Set<string>();
    const message = 'Choose a day after today';
    vi.stubGlobal('fetch', async (_url: string, { method = '' }: RequestInit) => {
      asked.add(method);
      const errors = [{ field: 'targetDate', message }];
      if (method === 'PUT')
        return Response.json({ success: false, code: 'BAD_REQUEST', message, errors }, { status: 400 });
      return success({ goals: [empty], saved: 0 });
    });
    renderLoggedIn(<GoalsScreen />);
    await userEvent.click(await screen.findByRole('button', { name: 'Change' }, waitOptions));
    const form = within(await screen.findByRole('dialog', {}, waitOptions));
    const field = form.getByLabelText(/^By when/);
    fireEvent.change(field, { target: { value: date } });
    await userEvent.click(form.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(form.getAllByText(message)).toHaveLength(1), waitOptions);
    await waitFor(() => expect(document.activeElement).toBe(field), waitOptions);
    expect([...asked]).toEqual(methods);
  },
);

test('a customer who empties the first date of automatic saving reads to choose a date [GO-16]', async () => {
  vi.stubGlobal('fetch', async () => success({ goals: [], saved: 0 }));
  renderLoggedIn(<GoalsScreen />);
  await userEvent.click(await screen.findByRole('button', { name: 'Add a goal' }, waitOptions));
  const form = within(await screen.findByRole('dialog', {}, waitOptions));
  await userEvent.selectOptions(form.getByLabelText('Save automatically'), 'Every week');
  fireEvent.change(form.getByLabelText('First date'), { target: { value: '' } });
  await userEvent.click(form.getByRole('button', { name: 'Add a goal' }));
  form.getByText('Choose a date');
  expect(form.queryByText('Choose today or a later day')).toBeNull();
});

/** Opens the form of the goal, and types another target. The bank answers a change with `answer`. */
async function retarget(answer: () => Response, goals: () => Goal[]) {
  vi.stubGlobal('fetch', async (_url: string, { method }: RequestInit) =>
    method === 'PUT' ? answer() : success({ goals: goals(), saved: 0 }),
  );
  renderLoggedIn(<GoalsScreen />);
  await userEvent.click(await screen.findByRole('button', { name: 'Change' }, waitOptions));
  const form = within(await screen.findByRole('dialog', {}, waitOptions));
  await userEvent.clear(form.getByLabelText('Target'));
  await userEvent.type(form.getByLabelText('Target'), '700');
  return form;
}

test.each([
  ['that it worked, because the form closes', true],
  ['in the form that nothing has changed so far', false],
])('after the answer to the change of a goal was lost, the customer sees %s [ER-18]', async (_, arrives) => {
  let goal = empty;
  const lose = () => {
    if (arrives) goal = { ...goal, target: 700 };
    throw new TypeError('Failed to fetch');
  };
  const form = await retarget(lose, () => [goal]);
  await userEvent.click(form.getByRole('button', { name: 'Save' }));
  if (arrives) await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), waitOptions);
  else await form.findByText(errorMessages.actUndone, {}, waitOptions);
  expect(screen.queryByText(/Network error/)).toBeNull();
});

test.each([
  [
    'nothing has changed so far, though the rule has saved money since then',
    [{ ...ruled, saved: 65, rule: { ...weekly, nextDate: '2099-12-08' } }],
    errorMessages.actUndone,
  ],
  ['the goal no longer exists', [], goalsMessages.gone],
])(
  'after the answer to a change of a goal was lost, the customer reads in the form that %s [ER-18]',
  async (_, after, text) => {
    let goals: Goal[] = [ruled];
    const lose = () => {
      goals = after;
      throw new TypeError('Failed to fetch');
    };
    const form = await retarget(lose, () => goals);
    await userEvent.click(form.getByRole('button', { name: 'Save' }));
    await form.findByText(text, {}, waitOptions);
  },
);

test('Esc asks a customer who has changed a goal before it discards the change, and closes an unchanged form [GO-16]', async () => {
  const form = await retarget(
    () => Response.error(),
    () => [empty],
  );
  await userEvent.keyboard('{Escape}');
  await userEvent.click(await screen.findByRole('button', { name: 'Stay' }, waitOptions));
  await userEvent.clear(form.getByLabelText('Target'));
  await userEvent.type(form.getByLabelText('Target'), `${empty.target}.00`);
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), waitOptions);
});
