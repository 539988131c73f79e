/** The code step of the password reset when another code is requested. */
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { makeStore } from '#web/base/store.ts';
import { renderWith } from '../../../../tests/renderWith.tsx';
import { waitOptions } from '../../../../tests/waiting.ts';
import { ResetCodeStep } from './ResetCodeStep.tsx';

function Step({ answer }: { answer: { data?: unknown; error?: unknown } }) {
  const [otp, setOtp] = useState('');
  const [sentAtMs, setSentAtMs] = useState(0);
  return (
    <ResetCodeStep
      email="wren@larkspur.example"
      otp={otp}
      onOtp={setOtp}
      refused="Invalid or expired code"
      sentAtMs={sentAtMs}
      onResend={async () => {
        if (answer.data) {
          setOtp('');
          setSentAtMs(Date.now());
        }
        return answer;
      }}
      onProceed={() => {}}
      onBack={() => {}}
    />
  );
}

const box = () => screen.getByLabelText<HTMLInputElement>('Digit 1 of 6');

test('a customer who asks for another code types it at once: the error of the former code is gone, and the first box has the focus [F-02]', async () => {
  renderWith(makeStore(), <Step answer={{ data: {} }} />);
  expect(screen.getByText('Invalid or expired code')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Resend OTP' }));
  await waitFor(() => expect(screen.queryByText('Invalid or expired code')).toBeNull(), waitOptions);
  expect(box().getAttribute('aria-invalid')).not.toBe('true');
  expect(document.activeElement).toBe(box());
});

test('a customer who asks for another code too early keeps a focus, although the button is now disabled [F-02]', async () => {
  const error = { status: 429, code: 'TOO_MANY', message: 'Too many codes', waitTime: 30 };
  renderWith(makeStore(), <Step answer={{ error }} />);
  await userEvent.click(screen.getByRole('button', { name: 'Resend OTP' }));
  await screen.findByText(/^Too many codes/, {}, waitOptions);
  await waitFor(() => expect(document.activeElement).toBe(box()), waitOptions);
  expect(screen.getByText('Invalid or expired code')).toBeTruthy();
});
