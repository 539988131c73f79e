/** The actions on second factors. A real device is tested in a browser. */
import { expect, test, vi } from 'vitest';
import * as texts from '#web/bank/factorTexts.ts';
import { type FactorCalls, factorActs } from './factorActs.ts';

const startRegistration = vi.hoisted(() => vi.fn());
vi.mock('@simplewebauthn/browser', () => ({ startRegistration }));

test.each([
  ['InvalidStateError', 'This device already has a passkey for this account.'],
  ['NotAllowedError', 'Your device didn’t finish. Please try again.'],
])('a person whose device answers %s to a new passkey reads why [SF-07]', async (name, error) => {
  startRegistration.mockRejectedValue(Object.assign(new Error('refused'), { name }));
  const calls = { passkeyOptions: async () => ({ data: { data: {} } }) } as unknown as FactorCalls;
  const state = { app: { refetch: vi.fn() }, passkeys: { refetch: vi.fn() } };
  expect(await factorActs(calls, state, texts.actTexts).addPasskey('My phone')).toEqual({ error });
});

test.each([
  ['a recovery code', 'abcd-efgh-ijkl', true],
  ['the app’s code', '480213', false],
])(
  'removing the app with %s tells the step-up whether the app is at hand [SF-05]',
  async (_, code, withoutApp) => {
    const removeApp = vi.fn(async () => ({ data: { data: {} } }));
    const state = { app: { refetch: vi.fn() }, passkeys: { refetch: vi.fn() } };
    await factorActs({ removeApp } as unknown as FactorCalls, state, texts.actTexts).removeApp('pw', code);
    expect(removeApp).toHaveBeenCalledWith(expect.objectContaining({ withoutApp }));
  },
);
