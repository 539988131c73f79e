/** Texts of the second factors' screens, for customers and administrators. One export per text. */
import { recoveryCodes, totp } from '#contract/constants.ts';

export const appNote = 'With an app, you log in with its code instead of one from your email.';
export const appNoteAdmin = 'After your password, you enter a code from the app.';
export const appOff = 'Not set up. We email you a code when you log in.';
export const appOffAdmin = 'Not set up. You log in with your password alone.';
export const appOffPasskey = 'Not set up. You log in with a passkey; you can also enter your password first.';
export const appOn = 'On since {day}';
export const confirmsFrom = 'Can confirm payments from {time}';
export const setUp = 'Set up app';
export const newCodes = 'New recovery codes';
export const codesLeft = `{n} of {count} recovery codes left. To get new ones, press “${newCodes}.”`;
export const allCodesLeft = `{n} of {count} recovery codes left. If you didn’t save them, press “${newCodes}.”`;
export const removeApp = 'Remove app';
export const loading = 'Loading...';
export const loadFailed = 'We couldn’t load your security settings.';

export const setUpTitle = 'Set up your authenticator app';
export const setUpText = 'Scan this QR code with your app, then enter the six-digit code that it shows.';
export const qrCode = 'QR code for your authenticator app';
export const typeInstead = 'Can’t scan it? Enter this key in your app:';
export const copyKey = 'Copy key';
export const keyCopied = 'Key copied';
export const code = 'Six-digit code';
export const codeFromApp = 'Code from your app';
export const codeIncomplete = `Enter all ${totp.digits} digits.`;
export const appOrRecovery = 'Code from your app, or a recovery code';
export const turnOn = 'Turn on';
export const turningOn = 'Checking...';

export const codesUnseen = `Your authenticator app is on, but we couldn’t show you its recovery codes. To get some, press “${newCodes}.”`;
export const codesTitle = 'Save your recovery codes';
export const codesText = `Each of these ${recoveryCodes.count} codes logs you in once if you don’t have your phone. We show them only once.`;
export const copyCodes = 'Copy';
export const codesCopied = 'Recovery codes copied';
export const copyFailed = 'Your browser did not allow copying';
export const saveCodes = 'Save as file';
export const codesFile = 'larkspur-recovery-codes.txt';
export const fileHead = '{bank}: recovery codes. Each one works once.';
export const printCodes = 'Print';
export const savedThem = 'I saved them';

export const renewTitle = 'Get new recovery codes?';
export const renewText = 'Your old codes stop working right away.';
export const renewUnknown =
  'We didn’t get an answer. Your old recovery codes may have stopped working. Try again with another code.';
export const removeAppTitle = 'Remove your authenticator app?';
export const removeAppText = 'Your app’s codes and your recovery codes stop working.';
export const password = 'Password';

export const passkeys = 'Passkeys';
export const passkeyNote = 'Log in with your fingerprint, your face or your screen lock.';
export const noPasskeys = 'No passkeys yet. A passkey replaces both your password and the code.';
export const addPasskey = 'Add passkey';
export const addTitle = 'Add a passkey';
export const addText = 'Name it so that you recognize it later. Then your device asks you to confirm.';
export const passkeyName = 'Name';
export const nameExample = 'For example, My phone';
export const add = 'Continue';
export const adding = 'Waiting for your device...';
export const added = 'Added {day}';
export const lastUsed = 'Last used {when}';
export const neverUsed = 'Not used yet';
export const remove = 'Remove';
export const removeNamed = 'Remove {name}';
export const removing = 'Removing...';
export const removeTitle = 'Remove “{name}”?';
export const removeText = 'You won’t be able to log in with it. Also delete it from your device.';
export const removalTitle = 'We will remove your authenticator app and passkeys on {time}.';
export const removalNotYou = 'If you didn’t ask for this, stop it now or call us: {phone}.';
export const removalEnds =
  'Your other devices will be logged out, and push notifications will be turned off on all your devices.';
export const removalEndsAdmin = 'Your other devices will be logged out.';
export const unsupported = 'This browser can’t use passkeys.';
export const ceremonyFailed = 'Your device didn’t finish. Please try again.';

export const confirmTitle = 'Confirm that it’s you';
export const confirmText = 'Enter your password and confirm with a second factor that you already have.';

export const actTexts = {
  stopped: ceremonyFailed,
  passkeyExists: 'This device already has a passkey for this account.',
  removesApp: 'Remove the authenticator app',
  removesPasskey: (name: string) => `Remove the passkey “${name}”`,
};

export const logInWithPasskey = 'Log in with a passkey';
export const usePasskey = 'Use a passkey';
export const confirmWithPasskey = 'Confirm with your passkey that it’s you.';
export const enterCodeTitle = 'Enter your code';
export const enterCode = `Open your authenticator app and enter the code for Larkspur Bank. It changes every ${totp.stepSeconds} seconds.`;
export const useRecovery = 'Use a recovery code';
export const useApp = 'Use my app’s code';
export const recoveryTitle = 'Enter a recovery code';
export const recoveryText = 'Enter one of the codes that you saved. Each one works once.';
export const recoveryCode = 'Recovery code';
export const lostAll = 'Lost your phone and your codes?';
export const lostAllAdmin =
  'Lost your phone and your codes? The person who runs the bank’s server can reset your second factors.';
export const lostAllSubject = 'I lost my phone and my codes';
export const wrongAppCode = 'Check the time on your phone, wait for the next code and try again.';
export const usedRecoveryCode =
  'Your earlier press may have used this code. Log in again with another recovery code.';
export const wrongRecoveryCode = 'Each recovery code works once, and only those in your newest list work.';
export const mustEnroll = 'Set up an authenticator app or a passkey to continue';
