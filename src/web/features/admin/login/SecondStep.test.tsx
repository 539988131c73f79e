/** The second step of an administrator's login when the answer is lost. */
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { test, vi } from 'vitest';
import * as authMessages from '#contract/messages/auth.ts';
import { makeStore } from '#web/base/store.ts';
import { renderWith } from '../../../../../tests/renderWith.tsx';
import { waitOptions } from '../../../../../tests/waiting.ts';
import { SecondStep } from './SecondStep.tsx';

test('an administrator whose code got no answer, and whose next press is refused, is told to log in again [A-66]', async () => {
  const refusal = { success: false, code: 'BAD_CODE', message: authMessages.badCode };
  const answers = [undefined, Response.json(refusal, { status: 401 })];
  vi.stubGlobal('fetch', async () => {
    const answer = answers.shift();
    if (!answer) throw new TypeError('Failed to fetch');
    return answer;
  });
  const second = { ticket: 't', methods: ['totp' as const] };
  renderWith(makeStore(), <SecondStep second={second} onEnter={() => {}} onBack={() => {}} />);
  await userEvent.type(screen.getByRole('textbox'), '480213');
  await userEvent.click(screen.getByRole('button', { name: authMessages.login }));
  await screen.findByText(/^Network error/, {}, waitOptions);
  await userEvent.click(screen.getByRole('button', { name: authMessages.login }));
  await screen.findByText(
    'Invalid or expired code. Your earlier press may have reached us. Press “Cancel” and log in again.',
    {},
    waitOptions,
  );
});
