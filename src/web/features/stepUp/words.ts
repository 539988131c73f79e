/** The texts of the step-up panel. */
import { minuteAfter } from '#contract/bankTime.ts';
import { fill } from '#contract/messages/fill.ts';
import * as stepUpMessages from '#contract/messages/stepUp.ts';
import type { StepUpChallenge } from '#contract/stepUp.ts';

export const words = {
  sending: 'We’re emailing you a code...',
  sent: 'We emailed a six-digit code to {email}. The email says what you’re confirming.',
  unsent: 'We haven’t emailed you a code for this yet. You can request one below.',
  unsentNew: 'We haven’t emailed you a new code for this yet. You can request one below.',
  perhapsSent: 'We may have emailed you a code. To enter it, press “Send a new code.”',
  app: 'Enter the six-digit code from your authenticator app.',
  waitingFactor: 'Your new authenticator app or passkey can’t confirm this until {time}.',
  whyWaiting: 'To keep your money safe, a new one has to wait.',
  waitingWhileFrozen:
    'Your new authenticator app or passkey can’t confirm this while your account is frozen. Its wait of at least 24 hours starts when the account is unfrozen.',
  passkey: 'Use your fingerprint, your face or your screen lock.',
  afterReset:
    'Your password was recently reset by email, or we changed your email address. To keep your money safe, we can’t confirm this by email until {time}.',
  afterHours: '24 hours after that',
  unsupported: 'You can only confirm this with your passkey, and this browser can’t use passkeys.',
  code: 'Code',
  digit: 'Digit {place} of {length}',
  incomplete: 'Enter all 6 digits.',
  resend: 'Send a new code',
  again: 'Start again',
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

const unsentAfter: Record<string, string> = {
  [stepUpMessages.codeUsed]: words.unsentNew,
  [stepUpMessages.codeForOther]: words.unsent,
};

/** Why there is no code to type. `refusal` answered the last request for one, `perhapsSent`: an answer was lost. */
export const describeUnsent = (refusal: string, perhapsSent: boolean): string =>
  unsentAfter[refusal] ?? (perhapsSent ? words.perhapsSent : words.unsent);

/** Until when a new app or passkey cannot confirm. */
const describeWait = ({ factorFrom }: StepUpChallenge) =>
  factorFrom === undefined
    ? words.waitingWhileFrozen
    : fill(words.waitingFactor, { time: minuteAfter(factorFrom) });

/** Why and until when a new app or passkey cannot confirm. */
export const describeWaitingFactor = (challenge: StepUpChallenge) =>
  [describeWait(challenge), ...(challenge.factorFrom ? [words.whyWaiting] : [])].join(' ');

/** Why and until when a mailed code cannot confirm. */
const describeNoEmail = ({ emailFrom }: StepUpChallenge) =>
  fill(words.afterReset, { time: emailFrom === undefined ? words.afterHours : minuteAfter(emailFrom) });

/** Why a customer has no way to confirm. */
export const describeNoWay = (challenge: StepUpChallenge): string =>
  [
    challenge.methods.length > 0 ? words.unsupported : describeNoEmail(challenge),
    ...(challenge.hasWaitingFactor ? [describeWait(challenge)] : []),
    stepUpMessages.nothingDone,
  ].join(' ');
