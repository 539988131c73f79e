/** The actions on second factors, built from the calls of a customer or an administrator. */

import { totp } from '#contract/constants.ts';
import type { RefusalCode } from '#contract/errors.ts';
import type { App, FactorConfirmation, Passkey } from '#contract/factors.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import type { CeremonyOptions, Credential } from '#contract/webAuthn.ts';
import { type CallError, errorMessage, isOutOfDate, mayBeMade } from './callError.ts';
import { createPasskey } from './passkeys.ts';
import { type ActedOn, readSince } from './useActs.ts';

type Answer<T> = Promise<{ data?: { data: T } | undefined; error?: unknown }>;

type Outcome<R> = { data: R } | { error: string; code?: RefusalCode | undefined; isUnknown?: boolean };

type Confirmed = { confirmation?: FactorConfirmation };

/** The triggers of the mutations. */
export type FactorCalls = {
  startApp: () => Answer<{ secret: string; uri: string }>;
  confirmApp: (call: { body: { code: string } & Confirmed }) => Answer<{ recoveryCodes: string[] }>;
  renewCodes: (call: { body: { code: string } }) => Answer<{ recoveryCodes: string[] }>;
  removeApp: (call: {
    body: { password: string; code: string };
    confirms: string;
    withoutApp: boolean;
  }) => Answer<unknown>;
  passkeyOptions: () => Answer<CeremonyOptions>;
  addPasskey: (call: { body: { credential: Credential; name: string } & Confirmed }) => Answer<unknown>;
  removePasskey: (call: { params: { id: string }; body?: Confirmed; confirms: string }) => Answer<unknown>;
};

async function outcomeOf<T, R>(answer: Answer<T>, read: (data: T) => R): Promise<Outcome<R>> {
  const { data, error } = await answer;
  if (data) return { data: read(data.data) };
  const failed = error as CallError;
  return {
    error: errorMessage(failed, errorMessages.fault),
    code: failed.code,
    isUnknown: mayBeMade(failed),
  };
}

/** The outcome of a removal. After a lost answer, or if the removal was made before, the state says whether it worked. */
async function removal<State>(
  answer: Answer<unknown>,
  { refetch }: ActedOn<State>,
  isUndone: (now: State) => boolean,
): Promise<Outcome<undefined>> {
  const outcome = await outcomeOf(answer, nothing);
  if ('data' in outcome || !(outcome.isUnknown || isOutOfDate(outcome))) return outcome;
  const now = await readSince(Date.now(), refetch);
  if (now && !isUndone(now)) return { data: undefined };
  if (!outcome.isUnknown) return outcome;
  return { ...outcome, error: now ? errorMessages.actUndone : errorMessages.actUnknown };
}

const nothing = () => undefined;

/** Texts that do not come from the server. */
type FactorTexts = {
  /** The message when the person or the device did not finish. */
  stopped: string;
  passkeyExists: string;
  /** The titles of the step-up panel for a removal. */
  removesApp: string;
  removesPasskey: (name: string) => string;
};

/**
 * `confirm` is for administrators, who confirm a change with a factor that they have. It resolves to the confirmation (empty if
 * they have no factor), or to undefined if they cancel.
 */
export function factorActs(
  calls: FactorCalls,
  state: { app: ActedOn<App>; passkeys: ActedOn<Passkey[]> },
  { stopped, passkeyExists, removesApp, removesPasskey }: FactorTexts,
  confirm?: () => Promise<Confirmed | undefined>,
) {
  /** Runs `change` with the confirmation, unless the administrator cancels. */
  async function confirmed<R>(change: (given: Confirmed) => Promise<Outcome<R>>) {
    const given = confirm ? await confirm() : {};
    return given ? await change(given) : { error: stopped };
  }
  return {
    readApp: () => readSince(Date.now(), state.app.refetch),
    readPasskeys: () => readSince(Date.now(), state.passkeys.refetch),
    startApp: () => outcomeOf(calls.startApp(), data => data),
    confirmApp: (code: string) =>
      confirmed(given =>
        outcomeOf(calls.confirmApp({ body: { code, ...given } }), data => data.recoveryCodes),
      ),
    renewCodes: (code: string) => outcomeOf(calls.renewCodes({ body: { code } }), data => data.recoveryCodes),
    removeApp: (password: string, code: string) =>
      removal(
        calls.removeApp({
          body: { password, code },
          confirms: removesApp,
          withoutApp: code.length !== totp.digits,
        }),
        state.app,
        now => now.isEnabled,
      ),
    addPasskey: (name: string) =>
      confirmed(async given => {
        const options = await outcomeOf(calls.passkeyOptions(), data => data);
        if ('error' in options) return options;
        const credential = await createPasskey(options.data);
        if (!credential) return { error: stopped };
        if (credential === 'exists') return { error: passkeyExists };
        return await outcomeOf(calls.addPasskey({ body: { credential, name, ...given } }), nothing);
      }),
    removePasskey: ({ _id: id, name }: { _id: string; name: string }) =>
      confirmed(given =>
        removal(
          calls.removePasskey({
            params: { id },
            ...(given.confirmation && { body: given }),
            confirms: removesPasskey(name),
          }),
          state.passkeys,
          now => now.some(({ _id }) => _id === id),
        ),
      ),
  };
}
