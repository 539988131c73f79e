/** The form of the customer's own limits. */
import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { Limits, LimitsAndRule } from '#contract/limits.ts';
import { api } from '#web/base/api.ts';
import { customerLoggedIn } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { renderWith } from '../../../../tests/renderWith.tsx';
import { wren } from '../../../../tests/sessions.ts';
import { LimitsForm } from './LimitsForm.tsx';

/** Opens the form at a bank where these limits are set. */
async function open(limits: Limits & Partial<LimitsAndRule>, isFrozen = false) {
  const sent: unknown[] = [];
  let saved: LimitsAndRule = { bankStepUpFrom: 25_000, ...limits };
  vi.stubGlobal('fetch', async (_: string, { method, body }: RequestInit) => {
    if (method === 'PUT') {
      const changed = JSON.parse(body as string);
      saved = { ...saved, ...changed };
      sent.push(changed);
    }
    return new Response(JSON.stringify({ success: true, message: 'Your limits are saved.', data: saved }));
  });
  const store = makeStore();
  store.dispatch(customerLoggedIn({ ...wren, isFrozen }));
  const onEdited = vi.fn();
  renderWith(store, <LimitsForm onEdited={onEdited} />);
  await screen.findByLabelText('Daily limit');
  const changeElsewhere = (changed: Limits) => {
    saved = { ...saved, ...changed };
    store.dispatch(api.util.invalidateTags(['Profile']));
  };
  return { sent, onEdited, changeElsewhere };
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));

test('a customer reads from which amount the bank always asks for a confirmation, or that it never asks on its own [BR-61]', async () => {
  await open({ dailyOut: null, stepUpFrom: null });
  expect(screen.getByText(/ For \$25,000\.00 or more, we always ask\.$/)).toBeTruthy();
  cleanup();
  await open({ dailyOut: null, stepUpFrom: null, bankStepUpFrom: null });
  expect(screen.getByText(/ If you leave it empty, we don’t ask\.$/)).toBeTruthy();
});

test('limits show as money, and an empty field means no limit [BR-61]', async () => {
  const { sent, onEdited } = await open({ dailyOut: 1500, stepUpFrom: null });
  expect(field('Daily limit').value).toBe('1,500.00');
  expect(field('Confirm transfers from').value).toBe('');
  expect(onEdited).not.toHaveBeenCalledWith('limits', true);
  await userEvent.clear(field('Daily limit'));
  await userEvent.type(field('Confirm transfers from'), '250');
  expect(onEdited).toHaveBeenLastCalledWith('limits', true);
  await save();
  await waitFor(() => expect(sent).toEqual([{ dailyOut: null, stepUpFrom: 250 }]));
});

test('saved limits show as money, and the focus stays on the button [BR-61]', async () => {
  const { onEdited } = await open({ dailyOut: 500, stepUpFrom: null });
  await userEvent.clear(field('Daily limit'));
  await userEvent.type(field('Daily limit'), '400');
  await save();
  await waitFor(() => expect(onEdited).toHaveBeenLastCalledWith('limits', false));
  expect(field('Daily limit').value).toBe('400.00');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Save Changes' }));
});

test('a limit that is zero or not a number is not sent, each field says why, and the first gets the focus [BR-61, V-33]', async () => {
  const { sent } = await open({ dailyOut: null, stepUpFrom: null });
  await userEvent.type(field('Daily limit'), '0');
  await userEvent.type(field('Confirm transfers from'), 'lots');
  await save();
  expect(screen.getByText('Please enter a valid amount. Enter more than $0.00.')).toBeTruthy();
  expect(screen.getByText('Please enter a valid amount. Use only digits, like 1,250.00.')).toBeTruthy();
  expect(document.activeElement).toBe(field('Daily limit'));
  expect(sent).toEqual([]);
});

test('limits that were changed elsewhere replace an invalid entry and its error [BR-61]', async () => {
  const { changeElsewhere } = await open({ dailyOut: 500, stepUpFrom: null });
  await userEvent.clear(field('Daily limit'));
  await userEvent.type(field('Daily limit'), '0');
  await save();
  expect(screen.getByText(/Enter more than \$0\.00/)).toBeTruthy();
  changeElsewhere({ dailyOut: 300, stepUpFrom: null });
  await waitFor(() => expect(field('Daily limit').value).toBe('300.00'));
  expect(screen.queryByText(/Enter more than \$0\.00/)).toBeNull();
});

test('after a canceled confirmation, a typed limit stays, and an emptied one returns [BR-61]', async () => {
  await open({ dailyOut: 500, stepUpFrom: 100 });
  vi.stubGlobal('fetch', async () =>
    Response.json({ success: false, code: 'STEP_UP_REQUIRED', message: '' }, { status: 403 }),
  );
  await userEvent.clear(field('Daily limit'));
  await userEvent.type(field('Daily limit'), '900');
  await userEvent.clear(field('Confirm transfers from'));
  await save();
  await waitFor(() => expect(field('Confirm transfers from').value).toBe('100.00'));
  expect(field('Daily limit').value).toBe('900.00');
});

test('a frozen customer reads the limits and cannot change them [BR-61]', async () => {
  await open({ dailyOut: 500, stepUpFrom: 100 }, true);
  expect(field('Daily limit').disabled).toBe(true);
  expect(screen.queryByRole('button', { name: 'Save Changes' })).toBeNull();
});
