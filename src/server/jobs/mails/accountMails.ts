/** The mails about a login and an account. A code stands in the body only: subjects show on locked screens. */
import { dayAndTime } from '#contract/bankTime.ts';
import { bank, code, login, registration } from '#contract/constants.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import * as notificationsMessages from '#contract/messages/notifications.ts';
import * as registerMessages from '#contract/messages/register.ts';
import { asWords, drawLetter, type Letter, type Piece } from './letter.ts';

const ifNotYou: Piece = {
  notice: `If that was not you, set a new password at once and call us: ${bank.phone}.`,
};
const minutes = (seconds: number) => `${Math.round(seconds / 60)} minutes`;

/** The code of the second login step, or of setting a new password. */
export function drawCodeMail(
  purpose: 'login-code' | 'reset-code',
  { name, digits }: { name: string; digits: string },
): Letter {
  const isLogin = purpose === 'login-code';
  const pieces: Piece[] = [
    isLogin ? 'Your code to log in is' : 'Your code to set a new password is',
    { figure: digits, tone: 'code' },
    `It is valid for ${minutes(code.lifeSeconds)} and can be used once. Only type it in where you just asked for it.`,
    {
      notice: isLogin
        ? 'If you did not try to log in, somebody knows your password. Please set a new one now.'
        : 'If you did not ask for this, nothing has changed, and you can ignore this mail.',
    },
  ];
  return drawLetter({
    title: isLogin ? 'Your login code' : 'Your code for a new password',
    name,
    glance: `Open this mail to see it. It is valid for ${minutes(code.lifeSeconds)}.`,
    pieces,
  });
}

/** Mails to a person about the own account that hold nothing but a name; each is a template of its name. */
export const accountMails = {
  'login-locked': publicUrl => ({
    title: 'Your login is locked',
    pieces: [
      `There were too many wrong attempts to log in to your account, so we locked the login for ${minutes(login.lockSeconds)}. Your money is safe.`,
      'If that was you, please wait and try again.',
      {
        notice: 'If it was not you, somebody may be guessing. A new password keeps them out.',
      },
      { link: 'Set a new password', url: `${publicUrl}/forgot-password` },
    ],
  }),
  registered: publicUrl => ({
    title: `Welcome to ${bank.name}`,
    pieces: [
      registerMessages.done,
      `We look at every registration ourselves, usually within ${registration.approvalHours} hours, and mail you once your account is open.`,
      { link: 'Log in and see how far we are', url: `${publicUrl}/login` },
    ],
  }),
  approved: publicUrl => ({
    title: 'Your account is approved',
    pieces: [
      notificationsMessages.kinds.approved,
      'You can now send and receive money.',
      { link: 'Go to your account', url: `${publicUrl}/dashboard` },
    ],
  }),
  'password-changed': publicUrl => ({
    title: 'Your password was changed',
    pieces: [
      'The password of your account was changed just now, and every other session has ended.',
      ifNotYou,
      { link: 'Set a new password', url: `${publicUrl}/forgot-password` },
    ],
  }),
  'contact-changed': publicUrl => ({
    title: 'Your contact details were changed',
    pieces: [
      'The phone number or address of your account was changed just now.',
      ifNotYou,
      { link: 'See your details', url: `${publicUrl}/dashboard` },
    ],
  }),
  'id-received': publicUrl => ({
    title: 'Your ID arrived',
    pieces: [
      'An ID document was handed in for your account just now. We will look at it and tell you once it is checked.',
      ifNotYou,
      { link: 'Go to your account', url: `${publicUrl}/dashboard` },
    ],
  }),
  'id-verified': publicUrl => ({
    title: 'Your ID was checked',
    pieces: [
      notificationsMessages.kinds['id-verified'],
      'There is nothing left for you to do.',
      { link: 'Go to your account', url: `${publicUrl}/dashboard` },
    ],
  }),
  frozen: publicUrl => ({
    title: 'Your account is frozen',
    pieces: [
      errorMessages.accountFrozen,
      'Your money is safe. It can still arrive, but none can leave until we have spoken to each other.',
      {
        facts: [
          ['Phone', bank.phone],
          ['Email', bank.supportEmail],
        ],
      },
      { link: 'Write to the Help Desk', url: `${publicUrl}/contact` },
    ],
  }),
  unfrozen: publicUrl => ({
    title: 'Your account is open again',
    pieces: [
      notificationsMessages.kinds.unfrozen,
      'You can send money as before.',
      { link: 'Go to your account', url: `${publicUrl}/dashboard` },
    ],
  }),
} satisfies Record<string, (publicUrl: string) => { title: string; pieces: Piece[] }>;

export type AccountMail = keyof typeof accountMails;

export function drawAccountMail(mail: AccountMail, { name }: { name: string }, publicUrl: string): Letter {
  return drawLetter({ ...accountMails[mail](publicUrl), name });
}

/** Tells of a login from where this person has not been seen before. */
export function drawNewLoginMail(
  { name, device, address, at }: { name: string; device: string; address: string; at: Date },
  publicUrl: string,
): Letter {
  return drawLetter({
    title: 'A new device logged in',
    name,
    glance: `${device}. If that was you, there is nothing to do.`,
    pieces: [
      'Somebody logged in to your account from a device or a place that we had not seen before. If that was you, there is nothing to do.',
      {
        facts: [
          ['Device', device],
          ['Address', address],
          ['When', dayAndTime(at)],
        ],
      },
      ifNotYou,
      { link: 'Set a new password', url: `${publicUrl}/forgot-password` },
    ],
  });
}

/** The last mail of all, to a person who is erased by then. */
export function drawAccountClosedMail({ name }: { name: string }): Letter {
  return drawLetter({
    title: 'Your account is closed',
    name,
    pieces: [
      'Your account was closed just now, and your personal details and pictures were erased. This is the last mail we send you about it.',
      `If you did not expect this, or money of yours was left in the account, please call us: ${bank.phone}.`,
    ],
  });
}

/** What somebody wrote on the contact page. */
export type ContactMessage = { name: string; email: string; subject: string; message: string };

/** A message of the contact form, for the people at the Help Desk: what a stranger wrote is told from what the bank says. */
export function drawHelpDeskMail(from: ContactMessage): Letter {
  return drawLetter({
    title: 'A message from the contact page',
    subject: `Help Desk: ${from.subject}`,
    glance: asWords(from.message.slice(0, 140)),
    pieces: [
      {
        facts: [
          ['From', asWords(from.name)],
          ['Email', from.email],
          ['Subject', asWords(from.subject)],
        ],
      },
      'They wrote:',
      asWords(from.message),
    ],
  });
}
