/** The texts of the step-up panel. */
export const words = {
  title: 'Confirm this',
  sending: 'We’re emailing you a code...',
  sent: 'We emailed a 6-digit code to {email}. The email says what you’re confirming.',
  app: 'Enter the 6-digit code from your authenticator app.',
  none: 'You reset your password by email in the last 24 hours. To keep your money safe, we can’t confirm this by email until then. Nothing was changed.',
  code: 'Code',
  digit: 'Digit {place} of {length}',
  incomplete: 'Enter all 6 digits.',
  resend: 'Send a new code',
  confirm: 'Confirm',
  confirming: 'Confirming...',
  failed: 'We couldn’t confirm this. Please try again.',
  byEmail: 'Email me a code instead',
  byApp: 'Use my authenticator app instead',
} as const;
