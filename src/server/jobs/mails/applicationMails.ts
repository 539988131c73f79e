/** The mails about an application: after the registration, when the bank needs an ID document, and after the end. */
import { bank, registration } from '#contract/constants.ts';
import * as registerMessages from '#contract/messages/register.ts';
import * as removalMessages from '#contract/messages/removal.ts';
import { breakLinks, type Piece, type RenderedMail, renderMail } from './mailLayout.ts';

/**
 * The link to a page that removes the registration, because anyone can register any email. `removalToken` is in the link's
 * fragment, which no server receives and no log contains. `until`: how long the link works.
 */
export const removalPieces = (publicUrl: string, removalToken: string, until: string): Piece[] => [
  { notice: `Didn’t register? Then another person used your email address. ${until}` },
  { quietLink: 'This wasn’t me', url: `${publicUrl}/not-me#${removalToken}` },
];

/** Renders the mail after a registration. */
export function renderRegisteredMail(
  { name, removalToken }: { name: string; removalToken: string },
  publicUrl: string,
): RenderedMail {
  return renderMail({
    title: `Welcome to ${bank.name}`,
    name,
    pieces: [
      registerMessages.done,
      'A person reviews every application. We’ll email you when your account is open.',
      `Log in once within ${registration.provenInDays} days to confirm your email. Otherwise we may remove your registration.`,
      { link: 'Log in', url: `${publicUrl}/login` },
      ...removalPieces(publicUrl, removalToken, removalMessages.removable),
    ],
  });
}

/** Renders the mail to a person whose registration was removed because it was never used. */
export function renderRegistrationExpiredMail(): RenderedMail {
  return renderMail({
    title: 'Your registration has expired',
    pieces: [
      `You registered ${registration.provenInDays} days ago and haven’t logged in, so we removed the registration with all details and pictures.`,
      'If you still want an account, you can register again at any time.',
    ],
  });
}

/** Renders the mail to an applicant who was rejected and has been erased. */
export function renderRejectedMail(
  { name, reason }: { name: string; reason: string },
  publicUrl: string,
): RenderedMail {
  return renderMail({
    title: 'We can’t open your account',
    name,
    pieces: [
      'We reviewed your application and can’t open an account for you. We erased your personal details and pictures.',
      { facts: [['Reason', breakLinks(reason)]] },
      'If the reason no longer applies, you can apply again at any time, with the same email address.',
      { quietLink: 'Open an account', url: `${publicUrl}/register` },
      `If you have a question, call us: ${bank.phone}.`,
    ],
  });
}

/** Renders the mail that asks for an ID document, or for a better one. `hasDocument`: one was uploaded. */
export function renderDocumentRequestMail(
  { name, reason, hasDocument }: { name: string; reason: string; hasDocument: boolean },
  publicUrl: string,
): RenderedMail {
  return renderMail({
    title: hasDocument ? 'We need a better ID document' : 'We need your ID document',
    name,
    pieces: [
      hasDocument
        ? 'Please upload a new picture of your ID document.'
        : 'Please upload a picture of your ID document.',
      { facts: [['Reason', breakLinks(reason)]] },
      {
        link: hasDocument ? 'Upload a new ID' : 'Upload your ID',
        url: `${publicUrl}/dashboard/settings#id-document`,
      },
    ],
  });
}
