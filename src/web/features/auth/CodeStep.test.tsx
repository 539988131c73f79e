/**
 * The code step advises what to do about a refused code, and about one that an earlier press may have used. It also links to
 * the Help Desk.
 */
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import * as authMessages from '#contract/messages/auth.ts';
import { makeStore } from '#web/base/store.ts';
import { renderWith } from '../../../../tests/renderWith.tsx';
import { waitOptions } from '../../../../tests/waiting.ts';
import { CodeStep } from './CodeStep.tsx';

const minutesAgo = (minutes: number) => Date.now() - minutes * 60_000;

/** Opens the step and returns its mocks. `answers`: what the bank answers, in order; undefined loses the answer. */
function open({
  usesApp = false,
  begunAtMs = minutesAgo(1),
  sentAtMs = 0,
  answers = [] as (Response | undefined)[],
} = {}) {
  const onRefused = vi.fn();
  const onBack = vi.fn();
  const sent: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    sent.push(url.split('/').at(-1)!);
    const answer = answers.shift();
    if (!answer) throw new TypeError('Failed to fetch');
    return answer;
  });
  function Step() {
    const [isUnheard, setIsUnheard] = useState(false);
    return (
      <CodeStep
        email="wren@larkspur.example"
        begunAtMs={begunAtMs}
        sentAtMs={sentAtMs}
        usesApp={usesApp}
        isUnheard={isUnheard}
        onUnheard={() => setIsUnheard(true)}
        onResent={() => {}}
        onEnter={() => {}}
        onRefused={onRefused}
        onBack={onBack}
      />
    );
  }
  renderWith(makeStore(), <Step />);
  return { onRefused, onBack, sent };
}

const message = authMessages.badCode;
const refusal = (status: number, code: string) =>
  new Response(JSON.stringify({ success: false, code, message }), { status });
const enter = async (code: string) => {
  await userEvent.click(screen.getAllByRole('textbox')[0]!);
  await userEvent.keyboard(code);
  await userEvent.click(screen.getByRole('button', { name: authMessages.verifyOtp }));
};
const resendButton = () => screen.queryByRole('button', { name: 'Resend OTP' });
const mayBeUsed = 'Your code may already have been used. If it doesn’t work, log in again.';

test.each([
  [401, 'BAD_CODE', false, 'Check the code in the newest email, or request another one.'],
  [401, 'BAD_CODE', true, 'Check the time on your phone, wait for the next code and try again.'],
  [429, 'TOO_MANY', false, undefined],
  [503, 'BUSY', false, undefined],
  [500, 'FAULT', false, undefined],
])('a customer whose code is answered with %s %s (app: %s) gets the advice: %s', async (...row) => {
  const [status, code, usesApp, advice] = row;
  const { onRefused } = open({ usesApp, answers: [refusal(status, code)] });
  await enter('480213');
  await vi.waitFor(() => expect(onRefused).toHaveBeenCalled(), waitOptions);
  expect(onRefused.mock.lastCall?.[0]).toBe(message);
  expect(onRefused.mock.lastCall?.[1]).toBe(advice);
});

test('a customer whose recovery code is wrong reads that each works once, and only those of the newest list [SF-06]', async () => {
  const { onRefused } = open({ usesApp: true, answers: [refusal(401, 'BAD_CODE')] });
  await userEvent.click(screen.getByRole('button', { name: 'Use a recovery code' }));
  await enter('abcd-efgh-ijkl');
  await vi.waitFor(
    () =>
      expect(onRefused).toHaveBeenCalledWith(
        message,
        'Each recovery code works once, and only those in your newest list work.',
      ),
    waitOptions,
  );
});

test.each([
  ['a mailed code', false],
  ['the app’s code', true],
])(
  'a customer who enters %s and gets no answer is not offered another code, and after a second try is told to log in again [L-24]',
  async (_, usesApp) => {
    const { onRefused, onBack } = open({ usesApp, answers: [undefined, refusal(401, 'BAD_CODE')] });
    await enter('480213');
    await screen.findByText(mayBeUsed, {}, waitOptions);
    expect(onRefused).toHaveBeenLastCalledWith(
      expect.stringMatching(/^Network error/),
      undefined,
      'Something went wrong',
    );
    expect(resendButton()).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: authMessages.verifyOtp }));
    const advice = 'Your earlier press may have used this code. Log in again.';
    await vi.waitFor(() => expect(onRefused).toHaveBeenLastCalledWith(message, advice), waitOptions);
    await userEvent.click(screen.getByRole('button', { name: 'Log in again' }));
    expect(onBack).toHaveBeenCalledOnce();
  },
);

test('a customer whose recovery code may already be used, because a press got no answer, is told to use another one [L-24]', async () => {
  const { onRefused } = open({ usesApp: true, answers: [undefined, refusal(401, 'BAD_CODE')] });
  await userEvent.click(screen.getByRole('button', { name: 'Use a recovery code' }));
  await enter('abcd-efgh-ijkl');
  await screen.findByText(mayBeUsed, {}, waitOptions);
  await userEvent.click(screen.getByRole('button', { name: authMessages.verifyOtp }));
  const advice = 'Your earlier press may have used this code. Log in again with another recovery code.';
  await vi.waitFor(() => expect(onRefused).toHaveBeenLastCalledWith(message, advice), waitOptions);
});

test.each([
  ['a mailed code', 15, false],
  ['the app’s code', 5, true],
])(
  'a customer who enters %s %s minutes after the password is not offered another code, but told to log in again [L-24]',
  async (_, minutes, usesApp) => {
    const { onRefused, sent } = open({
      usesApp,
      begunAtMs: minutesAgo(minutes),
      answers: [refusal(401, 'BAD_CODE')],
    });
    expect(resendButton()).toBeNull();
    expect(
      screen.getByText(
        'It’s been a while since you entered your password. If your code doesn’t work, log in again.',
      ),
    ).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Log in again' })).toBeTruthy();
    await enter('480213');
    const advice = 'You entered your password too long ago. Log in again.';
    await vi.waitFor(() => expect(onRefused).toHaveBeenLastCalledWith(message, advice), waitOptions);
    expect(sent).toEqual(['verify-otp']);
  },
);

test('a customer who mistypes a code that was resent late is not told that the password is too old [L-24]', async () => {
  const { onRefused } = open({
    begunAtMs: minutesAgo(15),
    sentAtMs: minutesAgo(1),
    answers: [refusal(401, 'BAD_CODE')],
  });
  await enter('480213');
  const advice =
    'It’s been a while since you entered your password. If your code doesn’t work, log in again.';
  await vi.waitFor(() => expect(onRefused).toHaveBeenLastCalledWith(message, advice), waitOptions);
});

test('a customer who entered the password less than 14 minutes ago can request another code [L-13]', () => {
  open({ begunAtMs: minutesAgo(14) });
  expect(resendButton()).toBeTruthy();
});

test('a customer who lost the phone and the codes is led to the Help Desk [SF-13]', () => {
  open({ usesApp: true });
  expect(screen.getByRole('link', { name: 'Ask the Help Desk' }).getAttribute('href')).toBe(
    '/contact?subject=I+lost+my+phone+and+my+codes',
  );
});
