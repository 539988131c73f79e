/** The mails that only administrators get: about their logins and access, and about requests for a second approval. */
import { dayAndTime } from '#contract/bankTime.ts';
import { bank, login, staff } from '#contract/constants.ts';
import type { DecodedApproval } from '#contract/fourEyes.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import { formatCents } from '#contract/money.ts';
import type { Role } from '#contract/roles.ts';
import { breakLinks, ifNotYou, minutes, type Piece, type RenderedMail, renderMail } from './mailLayout.ts';

const ifUnexpected: Piece = {
  notice: 'If you didn’t expect this, tell an owner of the back office right away.',
};

const staffIfNotYou: Piece = {
  notice: 'If that wasn’t you, change your password in the back office right away and tell an owner.',
};

/**
 * Adapts the pieces of a customer's mail for an administrator, who has no account and changes the password in the back office.
 */
export const piecesForStaff = (pieces: readonly Piece[], publicUrl: string): Piece[] => [
  ...pieces
    .filter(piece => typeof piece === 'string' || !('link' in piece))
    .map(piece => (piece === ifNotYou ? staffIfNotYou : piece)),
  { link: 'Go to the back office', url: `${publicUrl}/admin` },
];

/**
 * The mails to administrators about their logins, by template name. Their only personal text is a name. If customers get a mail
 * `<name>`, administrators get `staff-<name>` instead.
 */
export const staffAccountMails = {
  'staff-login-locked': publicUrl => ({
    title: 'Your login is locked',
    pieces: [
      `There were too many wrong attempts to log in to the back office as you, so we locked your login for ${minutes(login.lockSeconds)}.`,
      'If that was you, wait and try again. You can still log in on any other device that you have logged in on before.',
      {
        notice:
          'If it wasn’t you, another person may be guessing your password. Tell an owner of the back office right away.',
      },
      { link: 'Log in', url: `${publicUrl}/admin` },
    ],
  }),
  'staff-app-added': publicUrl => ({
    title: 'Authenticator app added',
    pieces: [
      'An authenticator app was just added to your access to the back office. From now on you log in with your password and its code.',
      'Keep your recovery codes in a safe place. Each one logs you in once if you lose your phone.',
      staffIfNotYou,
      { link: 'Go to the back office', url: `${publicUrl}/admin` },
    ],
  }),
  'staff-factors-reset': publicUrl => ({
    title: 'Your authenticator app and passkeys were removed',
    pieces: [
      'Your authenticator app, recovery codes and passkeys were removed, and you were logged out everywhere. You now log in with your password alone, so set up an authenticator app again.',
      staffIfNotYou,
      { link: 'Go to the back office', url: `${publicUrl}/admin` },
    ],
  }),
  'staff-recovery-changed': publicUrl => ({
    title: 'A recovery code was used',
    pieces: [
      'One of your recovery codes was just used to change your second factors or your recovery codes. It won’t work again.',
      staffIfNotYou,
      { link: 'Go to the back office', url: `${publicUrl}/admin` },
    ],
  }),
  'staff-recovery-used': publicUrl => ({
    title: 'Someone logged in with a recovery code',
    pieces: [
      'One of your recovery codes was just used to log in to your account. It won’t work again. You can get new codes in the back office, under Your account.',
      staffIfNotYou,
      { link: 'Go to the back office', url: `${publicUrl}/admin` },
    ],
  }),
  'staff-enabled': publicUrl => ({
    title: 'Your access to the back office is back',
    pieces: [
      'An owner enabled your access to the back office. To log in, set a password with the link in our other email. A password that you had before no longer works.',
      { link: 'Go to the back office', url: `${publicUrl}/admin` },
    ],
  }),
  'staff-sessions-ended': publicUrl => ({
    title: 'Your back office sessions were ended',
    pieces: [
      'An owner ended all of your sessions in the back office. You can log in again at any time. Any requests of yours that were waiting for a second person ended, too.',
      { link: 'Log in', url: `${publicUrl}/admin` },
    ],
  }),
  'staff-password-set': publicUrl => ({
    title: 'Your back office password was set',
    pieces: [
      'A new password was just set for your access to the back office, and your other sessions have ended.',
      { notice: 'If that wasn’t you, tell an owner of the back office right away.' },
      { link: 'Log in', url: `${publicUrl}/admin` },
    ],
  }),
} satisfies Record<string, (publicUrl: string) => { title: string; pieces: Piece[] }>;

/** Renders the mail with the one-time link to set a password. The token is in the fragment, which no server receives. */
export function renderLinkMail(
  kind: 'staff-invited' | 'staff-reset',
  { name, role, token }: { name: string; role: Role; token: string },
  publicUrl: string,
): RenderedMail {
  const isInvited = kind === 'staff-invited';
  return renderMail({
    title: isInvited ? `Your access to ${bank.name}’s back office` : 'Set a new password for the back office',
    name,
    preview: 'Open this email to set your password.',
    pieces: [
      isInvited
        ? `You were invited to the back office. Your role is ${staffMessages.roleNames[role]}. Set a password to log in for the first time.`
        : 'An owner asked us to send you a link to set a new password. If you can log in now, your password works until you set a new one.',
      { link: 'Set a password', url: `${publicUrl}/admin/set-password#${token}` },
      `The link works once, for ${staff.linkHours} hours.`,
      ifUnexpected,
    ],
  });
}

export function renderRoleMail(
  { name, role }: { name: string; role: Role },
  publicUrl: string,
): RenderedMail {
  return renderMail({
    title: 'Your role in the back office changed',
    name,
    pieces: [
      `Your role is now ${staffMessages.roleNames[role]}. ${staffMessages.roleDescriptions[role]}`,
      { link: 'Go to the back office', url: `${publicUrl}/admin` },
      ifUnexpected,
    ],
  });
}

export function renderDisabledMail({ name }: { name: string }): RenderedMail {
  return renderMail({
    title: 'Your access to the back office ended',
    name,
    // Mentions the link to set a password, because the person may not have accepted the invitation yet.
    pieces: [
      'Your access to the back office was disabled. Any open session has ended, and a link to set a password no longer works.',
      ifUnexpected,
    ],
  });
}

/** What a request asks for, as label and value. It names no customer. */
function describeRequest(request: DecodedApproval): [label: string, value: string][] {
  const { kind, amount, member, role, from, askedBy, askedAt, reason } = request;
  const facts: [string, string][] = [
    ['Request', staffMessages.requestKinds[kind]],
    ['Asked by', breakLinks(askedBy.name)],
    ['When', dayAndTime(askedAt)],
  ];
  if (amount !== undefined) facts.push(['Amount', formatCents(amount)]);
  if (member) facts.push(['Administrator', breakLinks(member.name)]);
  if (role) facts.push(['Role', staffMessages.roleNames[role]]);
  if (from !== undefined) facts.push(['Second person from', from === null ? 'Never' : formatCents(from)]);
  if (reason !== undefined) facts.push(['Reason', breakLinks(reason)]);
  return facts;
}

const link = (publicUrl: string, { _id: id }: DecodedApproval): Piece => ({
  link: 'View the request',
  url: `${publicUrl}/admin/dashboard?view=requests&request=${id}`,
});

/** Renders the mail to an administrator who can decide a waiting request. */
export function renderWaitingRequestMail(
  { name, request }: { name: string; request: DecodedApproval },
  publicUrl: string,
): RenderedMail {
  return renderMail({
    title: 'A request needs a second person',
    name,
    pieces: [
      'A colleague asked for something that needs a second person. You can approve or decline it.',
      { facts: describeRequest(request) },
      `It expires on ${dayAndTime(request.expiresAt)}.`,
      link(publicUrl, request),
    ],
  });
}

const endings = {
  pending: 'The request is waiting.',
  done: 'The request was approved and carried out.',
  declined: 'The request was declined. Nothing was changed.',
  withdrawn: 'The request was withdrawn. Nothing was changed.',
  expired: 'The request expired, because no second person approved it in time. Nothing was changed.',
  failed: 'The request can no longer be carried out. Nothing was changed.',
} as const;

export function renderEndedRequestMail(
  { name, request }: { name: string; request: DecodedApproval },
  publicUrl: string,
): RenderedMail {
  const { status, decidedBy, outcome } = request;
  const facts = describeRequest(request);
  if (decidedBy) facts.push(['Decided by', breakLinks(decidedBy.name)]);
  if (outcome !== undefined)
    facts.push([status === 'failed' ? 'Why it failed' : 'Answer', breakLinks(outcome)]);
  return renderMail({
    title: `Request: ${staffMessages.requestStates[status]}`,
    name,
    pieces: [endings[status], { facts }, link(publicUrl, request)],
  });
}
