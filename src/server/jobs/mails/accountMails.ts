/** The mails about logins and accounts; those with a code are in `codeMails.ts`. */
import { dayAndTime } from '#contract/bankTime.ts';
import { bank, dataCopies, factorTrust, formerEmail, login } from '#contract/constants.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import * as notificationsMessages from '#contract/messages/notifications.ts';
import { alertMails } from './alertMails.ts';
import { factorMails } from './factorMails.ts';
import { freezePiece, ifNotYou, minutes, type Piece, type RenderedMail, renderMail } from './mailLayout.ts';
import { pushMails } from './pushMails.ts';
import { scheduleMails } from './scheduledMails.ts';
import { piecesForStaff, staffAccountMails } from './staffMails.ts';

const ifNotUnfrozenByYou: Piece = {
  notice: `If you didn’t unfreeze it or ask us to, freeze it again, set a new password and call us: ${bank.phone}.`,
};

/** `done`: what happened to the password, and which sessions ended. */
const passwordMail = (done: string) => (publicUrl: string, isApplicant: boolean) => ({
  title: 'Your password was changed',
  pieces: [
    done,
    ...(isApplicant
      ? []
      : [
          'Scheduled transfers continue. If someone else may have used your account, look for any that you didn’t make.',
        ]),
    ifNotYou,
    { link: 'Set a new password', url: `${publicUrl}/forgot-password` },
  ],
});

/**
 * Account mails whose only personal text is the recipient's name, by template name. An applicant, whose account is not approved
 * yet, can neither receive money nor schedule transfers, so some mails leave out the sentences about these.
 */
export const accountMails = {
  'login-locked': (publicUrl, isApplicant) => ({
    title: 'Your login is locked',
    pieces: [
      `There were too many wrong attempts to log in to your account, so we locked your login for ${minutes(login.lockSeconds)}.${isApplicant ? '' : ' Your money is safe.'}`,
      'If that was you, wait and try again. You can still log in on any other device that you have logged in on before.',
      {
        notice: 'If it wasn’t you, another person may be guessing your password. Set a new one.',
      },
      { link: 'Set a new password', url: `${publicUrl}/forgot-password` },
    ],
  }),
  'reset-locked': publicUrl => ({
    title: 'Your password reset is locked',
    pieces: [
      `There were too many wrong codes, so you can’t reset your password for ${minutes(login.lockSeconds)}. Your password hasn’t changed, and you can log in as usual.`,
      'If that was you, wait and ask for a new code.',
      { link: 'Log in', url: `${publicUrl}/login` },
    ],
  }),
  approved: publicUrl => ({
    title: 'Your account is approved',
    pieces: [
      `Welcome to ${bank.name}. You can now send and receive money.`,
      { link: 'Go to your account', url: `${publicUrl}/dashboard` },
    ],
  }),
  'password-changed': passwordMail(
    'Your password was just changed. Every other session has ended, and push notifications were turned off on all devices.',
  ),
  'password-reset': passwordMail(
    'Your password was just reset with an emailed code. Every session has ended, and push notifications were turned off on all devices.',
  ),
  'contact-changed': publicUrl => ({
    title: 'Your contact details were changed',
    pieces: [
      'Your phone number or address was just changed.',
      ifNotYou,
      { link: 'View your details', url: `${publicUrl}/dashboard/settings` },
    ],
  }),
  'payee-added': publicUrl => ({
    title: 'You saved a new payee',
    pieces: [
      'A new payee was just saved to your account.',
      ifNotYou,
      { link: 'View your payees', url: `${publicUrl}/dashboard/transfer?payees` },
    ],
  }),
  'data-copy-ready': publicUrl => ({
    title: 'The copy of your data is ready',
    pieces: [
      `You asked for a copy of everything we hold about you. It is ready. Log in and open Settings to save it. We delete it after ${dataCopies.days} days.`,
      ifNotYou,
      { link: 'Go to Settings', url: `${publicUrl}/dashboard/settings` },
    ],
  }),
  'data-copy-failed': publicUrl => ({
    title: 'We couldn’t make the copy of your data',
    pieces: [
      'You asked for a copy of everything we hold about you. Something went wrong on our side, and we couldn’t make it.',
      `Please ask for it again. If that fails too, call us: ${bank.phone}.`,
      { link: 'Go to Settings', url: `${publicUrl}/dashboard/settings` },
    ],
  }),
  'data-saved': publicUrl => ({
    title: 'A copy of your data was saved',
    pieces: [
      'A copy of everything we hold about you was just saved from your account.',
      ifNotYou,
      { link: 'Go to your account', url: `${publicUrl}/dashboard` },
    ],
  }),
  ...factorMails,
  ...pushMails,
  ...scheduleMails,
  'name-changed': publicUrl => ({
    title: 'Your name was changed',
    pieces: [
      'We changed the name on your account. If your ID document was verified, we’ll check it again; there is nothing you need to do.',
      `If you didn’t ask for this, call us: ${bank.phone}.`,
      { link: 'View your details', url: `${publicUrl}/dashboard/settings` },
    ],
  }),
  'email-changed': publicUrl => ({
    title: 'This is now the email of your account',
    pieces: [
      'We changed the email of your account to this address, logged you out everywhere and turned push notifications off on all devices. Log in with this email and your password as before.',
      `For the next ${factorTrust.waitHours} hours, a code that we email you can’t confirm transfers or changes. If you already use an authenticator app or a passkey, confirm with that.`,
      `If you didn’t ask for this, call us: ${bank.phone}.`,
      { link: 'Log in', url: `${publicUrl}/login` },
    ],
  }),
  'id-received': publicUrl => ({
    title: 'We received your ID document',
    pieces: [
      'An ID document was just uploaded to your account. We’ll email you when we have checked it.',
      ifNotYou,
      { link: 'Go to your account', url: `${publicUrl}/dashboard` },
    ],
  }),
  'id-verified': (publicUrl, isApplicant) => ({
    title: 'Your ID document is verified',
    pieces: [
      notificationsMessages.kinds['id-verified'],
      isApplicant
        ? 'We’re still reviewing your application. We’ll email you when your account is approved.'
        : 'There is nothing you need to do.',
      { link: 'Go to your account', url: `${publicUrl}/dashboard` },
    ],
  }),
  ...staffAccountMails,
  'sessions-ended': publicUrl => ({
    title: 'Your sessions were ended',
    pieces: [
      'We logged you out on one or more of your devices. You can log in again at any time. If you use push notifications, check in your settings that they are still on.',
      `If you didn’t ask for this, call us: ${bank.phone}.`,
      { link: 'Log in', url: `${publicUrl}/login` },
    ],
  }),
  frozen: (publicUrl, isApplicant) => ({
    title: 'Your account is frozen',
    pieces: [
      errorMessages.accountFrozen,
      isApplicant
        ? 'Your application stays open. While your account is frozen, you can’t change your details or add pictures.'
        : 'Your money is safe. You can still receive money, but you can’t send any until you have talked to us. Payments to other banks that we haven’t sent yet are on hold.',
      {
        facts: [
          ['Phone', bank.phone],
          ['Email', bank.supportEmail],
        ],
      },
      { link: 'Write to the Help Desk', url: `${publicUrl}/contact` },
    ],
  }),
  'own-frozen': (publicUrl, isApplicant) => ({
    title: 'You froze your account',
    pieces: [
      isApplicant
        ? 'Your account is frozen at your request. While it is frozen, you can’t change your details or add pictures.'
        : 'Your account is frozen at your request. No money can leave it, and payments that we haven’t sent yet are on hold. Money can still arrive.',
      `To ${isApplicant ? 'unfreeze it' : 'send money again'}, log in and choose Unfreeze. You’ll have to confirm that it’s you. For ${factorTrust.waitHours} hours after you reset your password by email, or after we change your email address, you can’t do that with an emailed code.`,
      'If you froze it with the link in an email, every session has ended, and push notifications were turned off on all devices.',
      `If you think another person has used your account, set a new password before you unfreeze it. You may then have to wait ${factorTrust.waitHours} hours to unfreeze it. If you can’t log in, call us: ${bank.phone}.`,
      { link: 'Set a new password', url: `${publicUrl}/forgot-password` },
    ],
  }),
  'limits-raised': publicUrl => ({
    title: 'Your limits were raised',
    pieces: [
      'A limit on money that leaves your account was just raised or removed.',
      ifNotYou,
      { link: 'View your limits', url: `${publicUrl}/dashboard/settings?tab=security` },
    ],
  }),
  'preferences-changed': publicUrl => ({
    title: 'Your notification settings were changed',
    pieces: [
      'The settings for your emails and notifications were just changed. We always send emails about security and about large transfers.',
      ifNotYou,
      { link: 'View your settings', url: `${publicUrl}/dashboard/settings?tab=notifications` },
    ],
  }),
  'statement-ready': publicUrl => ({
    title: 'Your monthly statement is ready',
    pieces: [
      'You can now view your new statement.',
      'You can turn these emails off in your settings.',
      { link: 'View your statements', url: `${publicUrl}/dashboard/transactions?statements` },
    ],
  }),
  ...alertMails,
  unfrozen: (publicUrl, isApplicant) =>
    isApplicant
      ? {
          title: 'Your account is no longer frozen',
          pieces: [
            'You can change your details and add pictures again. We’ll email you when your account is approved.',
            ifNotUnfrozenByYou,
            { link: 'Check your application', url: `${publicUrl}/login` },
          ],
        }
      : {
          title: 'Your account is active again',
          pieces: [
            notificationsMessages.kinds.unfrozen,
            'You can use it as you did before the freeze. Your scheduled transfers continue: check that you made all of them.',
            ifNotUnfrozenByYou,
            { link: 'View your scheduled transfers', url: `${publicUrl}/dashboard/scheduled` },
          ],
        },
} satisfies Record<string, (publicUrl: string, isApplicant: boolean) => { title: string; pieces: Piece[] }>;

export type AccountMail = keyof typeof accountMails;

/** Mails about an act that a thief would do: they have a link that freezes the account. */
export const freezeMails: ReadonlySet<string> = new Set<AccountMail>([
  'password-changed',
  'password-reset',
  'contact-changed',
  'payee-added',
  'unfrozen',
  'data-copy-ready',
  'limits-raised',
  'preferences-changed',
  'data-saved',
  ...(Object.keys(alertMails) as (keyof typeof alertMails)[]),
  ...(Object.keys(factorMails) as (keyof typeof factorMails)[]),
  ...(Object.keys(pushMails) as (keyof typeof pushMails)[]),
  ...(Object.keys(scheduleMails) as (keyof typeof scheduleMails)[]),
]);

/**
 * `freezeUrl`: the link that freezes the account; undefined for an administrator, who has no account. `isCopy`: the mail goes
 * to a former email.
 */
export type Recipient = {
  name: string;
  freezeUrl?: string | undefined;
  isStaff?: boolean;
  isApplicant?: boolean;
  isCopy?: boolean;
};

/** `details`: shown after the first sentence. */
export function renderAccountMail(
  mail: AccountMail,
  { name, freezeUrl, isStaff = false, isApplicant = false, isCopy = false }: Recipient,
  publicUrl: string,
  details: Piece[] = [],
): RenderedMail {
  const staffMail = `staff-${mail}`;
  const hasStaffText = isStaff && staffMail in accountMails;
  const { title, pieces: fixed } = accountMails[hasStaffText ? (staffMail as AccountMail) : mail](
    publicUrl,
    isApplicant,
  );
  const pieces = [...fixed.slice(0, 1), ...details, ...fixed.slice(1)];
  const isShared = isStaff && !hasStaffText && pieces.includes(ifNotYou);
  return renderMail({
    title,
    name,
    pieces: isShared
      ? piecesForStaff(pieces, publicUrl)
      : withFreeze(
          isCopy ? piecesOfCopy(pieces, publicUrl) : pieces,
          freezeMails.has(mail) ? freezeUrl : undefined,
        ),
  });
}

const whyCopied = 'You get this because your account had this email until recently.';

/** For a reader who cannot set a new password. */
const freezeIfNotYou: Piece = {
  notice: `If that wasn’t you, freeze your account right away and call us: ${bank.phone}.`,
};

/** The pieces for a former email. It gets no code with which to set a new password. */
const piecesOfCopy = (pieces: Piece[], publicUrl: string): Piece[] => [
  `${whyCopied} To set a new password, you need the new email.`,
  ...pieces
    .filter(
      piece =>
        typeof piece === 'string' || !('link' in piece) || piece.url !== `${publicUrl}/forgot-password`,
    )
    .map(piece => (piece === ifNotYou ? freezeIfNotYou : piece)),
];

const withFreeze = (pieces: Piece[], freezeUrl: string | undefined) =>
  freezeUrl === undefined ? pieces : [...pieces, freezePiece(freezeUrl)];

/** Renders the mail about a login from a new device or network. */
export function renderNewLoginMail(
  {
    name,
    device,
    address,
    at,
    freezeUrl,
    isStaff = false,
    isCopy = false,
  }: Recipient & { device: string; address: string; at: Date },
  publicUrl: string,
): RenderedMail {
  const pieces: Piece[] = [
    'Your account was just used to log in from a device or network that we don’t recognize. If that was you, there is nothing you need to do.',
    {
      facts: [
        ['Device', device],
        ['Network address', address],
        ['When', dayAndTime(at)],
      ],
    },
    ifNotYou,
    { link: 'Set a new password', url: `${publicUrl}/forgot-password` },
  ];
  return renderMail({
    title: 'New login to your account',
    name,
    preview: `${device}. If that was you, there is nothing you need to do.`,
    pieces: isStaff
      ? piecesForStaff(pieces, publicUrl)
      : withFreeze(isCopy ? piecesOfCopy(pieces, publicUrl) : pieces, freezeUrl),
  });
}

/** Renders the mail to the former address after the email of an account was changed. It does not name the new address. */
export function renderEmailReplacedMail({
  name,
  freezeUrl,
}: {
  name: string;
  freezeUrl: string;
}): RenderedMail {
  return renderMail({
    title: 'The email of your account was changed',
    name,
    pieces: [
      `We changed the email of your account, so this address no longer works to log in. Every session has ended. For ${formerEmail.days} days, security emails still come here, too.`,
      { notice: `If you didn’t ask for this, freeze your account right away and call us: ${bank.phone}.` },
      freezePiece(freezeUrl),
    ],
  });
}

/**
 * Renders the mail to a former address that was never proven. It may be a stranger's, so it says nothing about the customer.
 */
export function renderEmailRemovedMail(): RenderedMail {
  return renderMail({
    title: 'This address was removed from an account',
    pieces: [
      'Someone entered this address for an account at our bank, and it was never confirmed. We replaced it, so we won’t email you about that account again.',
      `If it’s your account and you didn’t ask for this, call us right away: ${bank.phone}. Otherwise, there is nothing you need to do.`,
    ],
  });
}

/** Renders the last mail, to a person who has been erased. `retentionYears`: how long identification data is kept. */
export function renderAccountClosedMail({
  name,
  retentionYears = 0,
  isCopy = false,
}: Recipient & { retentionYears?: number | undefined }): RenderedMail {
  return renderMail({
    title: 'Your account is closed',
    name,
    pieces: [
      ...(isCopy ? [whyCopied] : []),
      retentionYears === 0
        ? 'Your account was just closed, and we erased your personal details and pictures. This is the last email about it.'
        : `Your account was just closed. The law requires us to keep what identifies you for ${retentionYears === 1 ? 'a year' : `${retentionYears} years`}. We keep it locked for that time and then erase it. We erased everything else about you. This is the last email about it.`,
      `If you didn’t expect this, or there was still money in your account, call us: ${bank.phone}.`,
    ],
  });
}
