/** What a customer sees when a call must be confirmed: the panel, or at once why nothing can confirm it. */
import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { StepUpChallenge } from '#contract/stepUp.ts';
import { askForProof } from '#web/base/stepUp.ts';
import { makeStore } from '#web/base/store.ts';
import { renderWith } from '../../../../tests/renderWith.tsx';
import { StepUpHost } from './StepUpHost.tsx';

function ask(challenge: Partial<StepUpChallenge>, withoutApp?: boolean) {
  renderWith(makeStore(), <StepUpHost />);
  const expiresAt = '2026-11-23T12:00:00Z';
  return askForProof({
    challenge: { _id: 'c1', methods: [], expiresAt, hasWaitingFactor: false, ...challenge },
    confirms: 'Confirm $30,000.00 to Amara Lindqvist',
    withoutApp,
  });
}

test('a customer who removes a lost app with a recovery code is not asked for the app’s code first [SF-05]', async () => {
  void ask({ methods: ['totp', 'email'] }, true);
  expect(await screen.findByRole('button', { name: 'Use my authenticator app instead' })).toBeTruthy();
});

test('in a browser without passkeys a customer is offered another way; if there is none, the customer reads why nothing can confirm [BR-60]', async () => {
  const asked = ask({ methods: ['passkey', 'totp'] });
  await screen.findByLabelText('Digit 1 of 6');
  expect(screen.queryByRole('button', { name: /passkey/ })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(await asked).toBeUndefined();
  cleanup();
  expect(await ask({ methods: ['passkey'] })).toEqual({
    reason: expect.stringContaining('this browser can’t use passkeys'),
  });
});

test('a customer whose password was reset by email reads once, and without a panel, until when an email can’t confirm [BR-60]', async () => {
  const end = await ask({ emailFrom: '2099-11-24T17:00:00Z' });
  expect(end).toEqual({
    reason: expect.stringMatching(
      /reset by email, or we changed your email address\. .* we can’t confirm this by email until Nov 24, 2099, 12:00 PM\./,
    ),
  });
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a customer who unfreezes the account after a reset reads when an email can confirm, and that a new app waits until after the freeze [BR-60]', async () => {
  const end = await ask({ hasWaitingFactor: true, emailFrom: '2099-11-24T17:00:00Z' });
  const { reason } = end as { reason: string };
  expect(reason).toContain('we can’t confirm this by email until Nov 24, 2099, 12:00 PM.');
  expect(reason).toContain(
    'Your new authenticator app or passkey can’t confirm this while your account is frozen.',
  );
  expect(reason).toContain('Its wait of at least 24 hours starts when the account is unfrozen.');
});

test('a customer with a new app after a reset reads when an email and when the app can confirm, and no other time [BR-60]', async () => {
  const end = await ask({
    hasWaitingFactor: true,
    emailFrom: '2099-11-24T17:00:00Z',
    factorFrom: '2099-11-25T18:00:00Z',
  });
  expect(end).toEqual({
    reason:
      'Your password was recently reset by email, or we changed your email address. To keep your money safe, we can’t confirm this by email until Nov 24, 2099, 12:00 PM. Your new authenticator app or passkey can’t confirm this until Nov 25, 2099, 1:00 PM. Nothing was sent or changed.',
  });
});
