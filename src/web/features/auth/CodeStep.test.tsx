/**
 * The code step advises what to do about a wrong code, but not about a code that the bank did not check. It also links to the
 * Help Desk.
 */
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import * as authMessages from '#contract/messages/auth.ts';
import { makeStore } from '#web/base/store.ts';
import { renderWith } from '../../../../tests/renderWith.tsx';
import { waitOptions } from '../../../../tests/waiting.ts';
import { CodeStep } from './CodeStep.tsx';

/** Opens the step and returns the mock that gets each refusal. */
function open({ usesApp = false } = {}) {
  const onRefused = vi.fn();
  renderWith(
    makeStore(),
    <CodeStep
      email="wren@larkspur.example"
      sentAtMs={0}
      usesApp={usesApp}
      onResent={() => {}}
      onEnter={() => {}}
      onRefused={onRefused}
      onBack={() => {}}
    />,
  );
  return onRefused;
}

test.each([
  [401, 'BAD_CODE', 'Check the code in the newest email, or request another one.'],
  [500, 'FAULT', undefined],
])('a customer whose code is answered with %s %s gets the advice: %s', async (status, code, advice) => {
  const message = authMessages.badCode;
  vi.stubGlobal(
    'fetch',
    async () => new Response(JSON.stringify({ success: false, code, message }), { status }),
  );
  const onRefused = open();
  await userEvent.click(screen.getAllByRole('textbox')[0]!);
  await userEvent.keyboard('480213');
  await userEvent.click(screen.getByRole('button', { name: authMessages.verifyOtp }));
  await vi.waitFor(() => expect(onRefused).toHaveBeenCalledWith(message, advice), waitOptions);
});

test('a customer who lost the phone and the codes is led to the Help Desk [SF-13]', () => {
  open({ usesApp: true });
  expect(screen.getByRole('link', { name: 'Ask the Help Desk' }).getAttribute('href')).toBe(
    '/contact?subject=I+lost+my+phone+and+my+codes',
  );
});
