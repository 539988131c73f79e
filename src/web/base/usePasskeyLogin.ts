/**
 * Logging in with a passkey: by a button, or by a suggestion of the email field. The bank is asked for the options only after
 * the button is pressed or the field has the focus. The options of a suggestion expire, so they are requested again while the
 * page is open.
 */
import { useEffect, useRef, useState } from 'react';
import { passkeys } from '#contract/constants.ts';
import type { CeremonyOptions, Credential } from '#contract/webAuthn.ts';
import { askForPasskey, canOfferPasskeys, stopCeremony } from './passkeys.ts';

type Answer<T> = Promise<{ data?: { data: T } | undefined; error?: unknown }>;

export type PasskeyLogin<Person> = {
  getOptions: () => Answer<CeremonyOptions>;
  logIn: (call: { body: { credential: Credential } }) => Answer<Person>;
  onEnter: (person: Person) => void;
  onRefused: (error: unknown) => void;
};

/** Renew the options of a suggestion well before the server stops accepting them. */
const renewMs = (passkeys.challengeSeconds - 60) * 1000;

export function usePasskeyLogin<Person>(login: PasskeyLogin<Person>) {
  const [busy, setBusy] = useState(false);
  const latest = useRef(login);
  latest.current = login;
  const suggesting = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const run = async (offers: 'dialog' | 'autofill'): Promise<void> => {
    const options = await latest.current.getOptions();
    if (!options.data) {
      if (offers === 'dialog') latest.current.onRefused(options.error);
      return;
    }
    // A person who opened the dialog or left the page does not expect a login by suggestion anymore. Starting a suggestion
    // would also close the dialog.
    const isUnwanted = () => offers === 'autofill' && !suggesting.current;
    if (isUnwanted()) return;
    const credential = await askForPasskey(options.data.data, { offers });
    if (!credential || isUnwanted()) return;
    const entered = await latest.current.logIn({ body: { credential } });
    if (entered.data) latest.current.onEnter(entered.data.data);
    else latest.current.onRefused(entered.error);
  };

  const offerSuggestion = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => suggesting.current && offerSuggestion(), renewMs);
    void run('autofill');
  };

  const suggest = async () => {
    if (suggesting.current) return;
    suggesting.current = true;
    // If the page was left in the meantime, do not start the timer: it would request options for hours.
    if ((await canOfferPasskeys()) && suggesting.current) offerSuggestion();
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: counts only a field that had the focus before hydration
  useEffect(() => {
    if (document.activeElement?.matches('[autocomplete~=webauthn]')) void suggest();
    return () => {
      clearTimeout(timer.current);
      if (suggesting.current) void stopCeremony();
      suggesting.current = false;
    };
  }, []);

  return {
    busy,
    /** Offers passkeys among the suggestions of the email field. */
    suggest,
    /** Asks for a passkey in the browser's dialog. */
    async ask() {
      clearTimeout(timer.current);
      suggesting.current = false;
      setBusy(true);
      await run('dialog');
      setBusy(false);
    },
  };
}
