/** The mails with a code. The code is only in the body, because subjects appear on lock screens. */
import { bank, code } from '#contract/constants.ts';
import { formatCents } from '#contract/money.ts';
import type { StepUpAct } from '#contract/stepUp.ts';
import { breakLinks, minutes, type Piece, type RenderedMail, renderMail } from './mailLayout.ts';

/** Renders the mail with the code for the second login step or for a new password. */
export function renderCodeMail(
  purpose: 'login-code' | 'reset-code',
  { name, digits }: { name: string; digits: string },
  publicUrl: string,
): RenderedMail {
  const isLogin = purpose === 'login-code';
  const pieces: Piece[] = [
    isLogin ? 'Your code to log in is' : 'Your code to set a new password is',
    { figure: digits, tone: 'code' },
    `It is valid for ${minutes(code.lifeSeconds)} and works once. Only enter it on the page where you requested it.`,
    {
      notice: isLogin
        ? 'If you didn’t try to log in, another person knows your password. Set a new one now.'
        : 'If you didn’t request this, nothing has changed, and you can ignore this email.',
    },
    ...(isLogin ? [{ quietLink: 'Set a new password', url: `${publicUrl}/forgot-password` }] : []),
  ];
  return renderMail({
    title: isLogin ? 'Your login code' : 'Your code for a new password',
    name,
    preview: `Open this email to see it. It is valid for ${minutes(code.lifeSeconds)}.`,
    pieces,
  });
}

const stepUpTitles: Readonly<Record<StepUpAct, string>> = {
  transfer: 'Send money',
  'external-transfer': 'Send money to another bank',
  'scheduled-transfer': 'Schedule a transfer',
  'change-scheduled-transfer': 'Change a scheduled transfer',
  'remove-factor': 'Remove a way to log in',
  'raise-limits': 'Raise your limits',
  unfreeze: 'Unfreeze your account',
};

/** The label of the field `receiver`, for acts that use the field for something else. */
const receiverLabels: Partial<Record<StepUpAct, string>> = {
  'raise-limits': 'New limits',
  'remove-factor': 'Which',
};

/**
 * Renders the mail with the code that confirms one act. It says what the code confirms, so that the customer notices a trick.
 */
export function renderStepUpMail({
  name,
  digits,
  act,
  amountCents,
  receiver,
}: {
  name: string;
  digits: string;
  act: StepUpAct;
  amountCents: bigint | null;
  receiver: string;
}): RenderedMail {
  return renderMail({
    title: 'Your code to confirm',
    name,
    preview: `Open this email to see it. It is valid for ${minutes(code.lifeSeconds)}.`,
    pieces: [
      'This code confirms only this:',
      {
        facts: [
          ['What', stepUpTitles[act]],
          ...(amountCents === null ? [] : [['Amount', formatCents(amountCents)] as const]),
          ...(receiver === '' ? [] : [[receiverLabels[act] ?? 'To', breakLinks(receiver)] as const]),
        ],
      },
      'Your code is',
      { figure: digits, tone: 'code' },
      `It is valid for ${minutes(code.lifeSeconds)} and works once. We will never ask you for it on the phone.`,
      {
        notice: `If you didn’t ask for this, don’t enter the code anywhere. Another person may be using your account: call us at ${bank.phone}.`,
      },
    ],
  });
}
