/** Creates and uses passkeys in this browser. The WebAuthn library is loaded by the first use. */
import type { CeremonyOptions, Credential } from '#contract/webAuthn.ts';

const loadLibrary = () => import('@simplewebauthn/browser');

export const canUsePasskeys = () => typeof PublicKeyCredential === 'function';

/** Creates a passkey. `exists` if this device has one of this account; undefined if the person or the device stopped it. */
export async function createPasskey(options: CeremonyOptions): Promise<Credential | 'exists' | undefined> {
  const { startRegistration } = await loadLibrary();
  return await startRegistration({ optionsJSON: options as never }).then(
    created => created as unknown as Credential,
    (error: Error) => (error.name === 'InvalidStateError' ? 'exists' : undefined),
  );
}

/**
 * Asks for a passkey, in a dialog of the browser or, with `offers: 'autofill'`, among the suggestions of a field whose
 * `autocomplete` ends with `webauthn`. Resolves to undefined if the person, the device or a later call stopped it.
 */
export async function askForPasskey(
  options: CeremonyOptions,
  { offers }: { offers: 'dialog' | 'autofill' },
): Promise<Credential | undefined> {
  const { startAuthentication } = await loadLibrary();
  const asked = { optionsJSON: options as never, useBrowserAutofill: offers === 'autofill' };
  return await startAuthentication(asked).then(
    used => used as unknown as Credential,
    () => undefined,
  );
}

/** Whether the browser can offer passkeys among a field's suggestions. */
export async function canOfferPasskeys(): Promise<boolean> {
  if (!canUsePasskeys()) return false;
  return (await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false;
}

/** Ends a ceremony that waits for the person. */
export async function stopCeremony(): Promise<void> {
  (await loadLibrary()).WebAuthnAbortService.cancelCeremony();
}
