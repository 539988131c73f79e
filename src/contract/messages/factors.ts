/** Texts of authenticator apps, recovery codes and passkeys. */
export const app = 'Authenticator app';
export const appExists = 'You already have an authenticator app. Remove it before you add another one.';
export const appNotStarted = 'Start again: this setup has expired.';
export const appMissing = 'You have no authenticator app';
export const passkeys = 'Passkeys';
export const passkeyOptions = 'Continue with your device';
export const passkeyNameMissing = 'Please name this passkey';
export const passkeyInvalid = 'This passkey could not be used. Please try again.';
export const passkeyRefused =
  'We couldn’t log you in with this passkey. It may have been removed. Log in with your password instead.';
export const passkeyKnown = 'This passkey is already saved';
export const tooManyPasskeys = 'You can save up to {max} passkeys. Remove one to save another.';
export const confirmChange = 'Confirm this change with your password and a second factor';
export const secondFactor = 'Enter a code from your authenticator app, or use a passkey';
export const mustEnroll =
  'Set up an authenticator app or a passkey first. Until then you can’t use anything else.';
export const resetStarted =
  'The second factors will be removed in {hours} hours. That is canceled if the customer first logs in with one of them, if you freeze the account, or if it is frozen with the link in our emails. A password reset or a new email delays it.';
/** `cancelResetByLogin` in `factorResets.ts` decides which factors stop the removal. */
export const stopRemoval =
  'To stop it, log in with a passkey, or with your authenticator app or one of its recovery codes. An app or a passkey that was too new to confirm transfers when we received the request doesn’t stop it.';
export const resetTooEarly =
  'The customer’s email or password was changed in the last 24 hours. Request the removal after that.';
export const resetExists = 'The removal was already requested.';
export const resetMissing = 'No removal is waiting.';
export const noFactors = 'This customer has no authenticator app and no passkey';
