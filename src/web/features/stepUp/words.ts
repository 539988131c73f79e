/** The texts of the step-up panel. */
export const words = {
  sending: 'We’re emailing you a code...',
  sent: 'We emailed a six-digit code to {email}. The email says what you’re confirming.',
  unsent: 'No new email was sent.',
  app: 'Enter the six-digit code from your authenticator app.',
  waitingFactor:
    'Your new authenticator app or passkey can’t confirm this yet. To keep your money safe, a new one has to wait for at least 24 hours.',
  passkey: 'Use your fingerprint, your face or your screen lock.',
  afterReset:
    'Your password was reset by email, or we changed your email address, in the last 24 hours. To keep your money safe, we can’t confirm this by email until those 24 hours are over. Nothing was sent or changed.',
  unsupported:
    'You can only confirm this with your passkey, and this browser can’t use passkeys. Nothing was sent or changed.',
  code: 'Code',
  digit: 'Digit {place} of {length}',
  incomplete: 'Enter all 6 digits.',
  resend: 'Send a new code',
  resendIn: 'Send a new code in {n}s',
  confirm: 'Confirm',
  confirming: 'Confirming...',
  waiting: 'Waiting for your device...',
  stopped: 'Your device didn’t finish. Please try again.',
  failed: 'We couldn’t confirm this. Please try again.',
  ways: {
    email: 'Email me a code instead',
    totp: 'Use my authenticator app instead',
    passkey: 'Use a passkey instead',
  },
} as const;
