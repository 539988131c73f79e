/** Texts of the contact form. */
export const name = 'Name';
export const email = 'Email';
export const subject = 'Subject';
export const message = 'Message';
export const send = 'Send Message';
export const sending = 'Sending...';
export const sent = 'Message sent successfully!';

export const queue = 'Messages';
/** The names of the lists. */
export const lists = { waiting: 'Waiting', mine: 'Mine', closed: 'Closed' } as const;
export const answerRequired = 'Enter an answer';
export const closed = 'Message closed';
export const closedBefore = 'This message is closed. Open it again before you answer.';
export const answeredBefore = 'Another answer was sent first. Read it before you send yours.';
/** Said of a message with an email that is not the proven one of the person who was logged in. */
export const otherLoggedIn =
  'The {kind} {name} was logged in. The name and email above may be someone else’s.';
export const customer = 'customer';
export const applicant = 'applicant';
export const noSuchMessage =
  'This message does not exist. It was erased with its sender, or after 13 months.';
