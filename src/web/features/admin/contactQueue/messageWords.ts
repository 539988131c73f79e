/** The texts of the contact queue. */
import type { ContactMessage, ListedMessage, MessageList } from '#contract/contactQueue.ts';
import type { StatusProps } from '#web/ui/Status.tsx';

export const messageWords = {
  title: 'Messages',
  show: 'Show',
  loading: 'Loading messages...',
  none: {
    waiting: 'No message is waiting',
    mine: 'You have no messages',
    closed: 'No closed messages',
  } satisfies Record<MessageList, string>,
  noneText: 'Messages from the contact page appear here.',
  subject: 'Subject',
  from: 'From',
  received: 'Received',
  state: 'State',
  closedAt: 'Closed',
  footer: (page: string, pages: string, n: string) =>
    `Page ${page} of ${pages} (${n === '1' ? '1 message' : `${n} messages`})`,

  message: 'Message',
  customer: 'Customer',
  applicant: 'Applicant',
  customerOfEmail: 'Customer with this email',
  loggedIn: 'Sent while logged in',
  notLoggedIn: 'Sent without logging in',
  proven: 'This account was logged in when the message was sent.',
  notProven: 'The sender was not logged in. The form does not prove who wrote the message.',
  theyWrote: 'Their message',
  answers: 'Answers',
  answer: 'Answer',
  answerHint: 'We email your answer, with the message below it.',
  send: 'Send answer',
  sendAndClose: 'Send and close',
  sending: 'Sending...',
  takeAgain: 'Open again',
  close: 'Close without an answer',
  closeAnswered: 'Close message',
  gone: 'Message not found',
  goneText: 'We erase a message after 13 months, or when its sender closes the account.',
} as const;

const states: Record<ListedMessage['state'], { status: StatusProps['status']; children: string }> = {
  open: { status: 'pending', children: 'Open' },
  assigned: { status: 'pending', children: 'Assigned' },
  closed: { status: 'completed', children: 'Closed' },
};

/** The status mark of a message and its text. */
export const stateOf = ({ state }: Pick<ListedMessage | ContactMessage, 'state'>) => states[state];
