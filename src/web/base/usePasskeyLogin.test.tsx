/** Passkeys among the suggestions of the login's email field. The ceremonies themselves are tested in a browser. */
import { act, renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { usePasskeyLogin } from './usePasskeyLogin.ts';

const startAuthentication = vi.hoisted(() => vi.fn(async () => Promise.reject(new Error('Stopped'))));
vi.mock('@simplewebauthn/browser', () => ({
  startAuthentication,
  WebAuthnAbortService: { cancelCeremony: () => undefined },
}));

afterEach(() => {
  vi.unstubAllGlobals();
  startAuthentication.mockClear();
});

/** A login form. The browser says that it can suggest passkeys when `canSuggest` resolves. */
function open(canSuggest: Promise<boolean>, getOptions: () => Promise<{ data?: never }>) {
  const browser = Object.assign(() => undefined, { isConditionalMediationAvailable: () => canSuggest });
  vi.stubGlobal('PublicKeyCredential', browser);
  const login = { getOptions, logIn: vi.fn(), onEnter: vi.fn(), onRefused: vi.fn() };
  return renderHook(() => usePasskeyLogin<unknown>(login));
}

test('a form that is left before the browser answers suggests no passkey [SF-07]', async () => {
  const canSuggest = Promise.withResolvers<boolean>();
  const getOptions = vi.fn(async () => ({}));
  const { result, unmount } = open(canSuggest.promise, getOptions);
  const suggested = result.current.suggest();
  unmount();
  canSuggest.resolve(true);
  await suggested;
  expect(getOptions).not.toHaveBeenCalled();
});

test('a suggestion whose options arrive after the dialog has opened does not close the dialog [SF-07]', async () => {
  const late = Promise.withResolvers<{ data?: never }>();
  const options = { data: { data: {} } } as { data?: never };
  const getOptions = vi
    .fn<() => Promise<{ data?: never }>>(async () => options)
    .mockReturnValueOnce(late.promise);
  const { result } = open(Promise.resolve(true), getOptions);
  await act(() => result.current.suggest());
  await act(() => result.current.ask());
  late.resolve(options);
  await act(() => vi.dynamicImportSettled());
  expect(startAuthentication.mock.calls).toEqual([[{ optionsJSON: {}, useBrowserAutofill: false }]]);
});
