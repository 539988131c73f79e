/** The mails about messages of the contact form: to the Help Desk, and the answer to the person who wrote. */
import { dayAndTime } from '#contract/bankTime.ts';
import { bank } from '#contract/constants.ts';
import { otherLoggedIn } from '#contract/contactQueue.ts';
import type { ContactAnswer, SentMessage } from '../../people/contactMessages.ts';
import { breakLinks, type RenderedMail, renderMail } from './mailLayout.ts';

/** Renders the mail that forwards a contact message to the Help Desk. It marks which text is the visitor's. */
export function renderHelpDeskMail(from: SentMessage): RenderedMail {
  return renderMail({
    title: 'A message from the contact form',
    subject: `Help Desk: ${from.subject}`,
    preview: breakLinks(from.message.slice(0, 140)),
    pieces: [
      {
        facts: [
          ['From', breakLinks(from.name)],
          ['Email', from.email],
          ['Subject', breakLinks(from.subject)],
          ['Logged in', loggedIn(from)],
        ],
      },
      'They wrote:',
      breakLinks(from.message),
    ],
  });
}

function loggedIn(from: SentMessage): string {
  if (from.isOwnEmail) return 'Yes, as the customer who has this email';
  const { customer } = from;
  return (
    otherLoggedIn({ ...from, customer: customer && { ...customer, name: breakLinks(customer.name) } }) ?? 'No'
  );
}

/**
 * Renders the mail that answers a contact message and quotes it. Anyone can type this email, a name and a subject into the
 * form. Unless a logged-in customer with this proven email wrote it, the writer's words are only in the quote, so that none of
 * them look like the bank's.
 */
export function renderContactAnswerMail({
  firstName,
  subject,
  message,
  askedAt,
  text,
}: Omit<ContactAnswer, 'to'>): RenderedMail {
  const at = dayAndTime(askedAt);
  return renderMail({
    title: 'Our answer to your message',
    ...(firstName !== null && { subject: `Re: ${subject}`, name: firstName }),
    preview: text.slice(0, 140),
    pieces: [
      text,
      'To write back, reply to this email.',
      `Your ${bank.name} Help Desk`,
      firstName !== null
        ? `You wrote on ${at}:`
        : `This is what we received through our contact form on ${at}, from someone who gave this email address. If that wasn’t you, you can ignore this mail.`,
      { quote: breakLinks(firstName !== null ? message : `${subject}\n\n${message}`) },
    ],
  });
}
