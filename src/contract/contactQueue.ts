/** Calls of the contact queue area: the messages of the contact form, who answers them, and the answers. */
import * as z from 'zod/mini';
import { maxLength } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { id, moment, pageQuery, pages, paragraph, takenFrom, takeOver } from './fields.ts';
import * as contactMessages from './messages/contact.ts';
import * as errorMessages from './messages/errors.ts';
import { fill } from './messages/fill.ts';
import { everyRole, supporters } from './roles.ts';

/** `assigned`: an administrator has taken the message to answer it. */
const messageStates = ['open', 'assigned', 'closed'] as const;
/** `mine`: the messages that are assigned to this administrator. */
export const messageLists = ['waiting', 'mine', 'closed'] as const;
export type MessageList = (typeof messageLists)[number];

const Person = z.object({ _id: z.string(), name: z.string() });

/** A message in the list. */
export const ListedMessage = z.object({
  _id: z.string(),
  at: moment,
  name: z.string(),
  email: z.string(),
  subject: z.string(),
  state: z.enum(messageStates),
  owner: z.optional(Person),
  closedAt: z.optional(moment),
  /** How many answers were mailed. */
  answers: z.number(),
  /** The sender was logged in as `customer`. */
  isLoggedIn: z.boolean(),
  /** `customer` was logged in, and has this email and has proven it. Otherwise the typed name and email prove nothing. */
  isOwnEmail: z.boolean(),
  /**
   * The customer or applicant who was logged in. If none was, the customer who has or had this email: this does not prove who
   * wrote the message.
   */
  customer: z.optional(z.extend(Person, { isApproved: z.boolean() })),
});
export type ListedMessage = z.input<typeof ListedMessage>;

/** Says who was logged in if the message does not have this person's own, proven email. */
export function otherLoggedIn({
  isLoggedIn,
  isOwnEmail,
  customer,
}: Pick<ListedMessage, 'isLoggedIn' | 'isOwnEmail' | 'customer'>): string | undefined {
  if (!isLoggedIn || isOwnEmail || !customer) return undefined;
  const kind = customer.isApproved ? contactMessages.customer : contactMessages.applicant;
  return fill(contactMessages.otherLoggedIn, { kind, name: customer.name });
}

export const ContactMessage = z.extend(z.omit(ListedMessage, { answers: true }), {
  message: z.string(),
  answers: z.array(z.object({ _id: z.string(), at: moment, authorName: z.string(), text: z.string() })),
});
export type ContactMessage = z.input<typeof ContactMessage>;

const path = '/api/v1/admin/messages';
const one = z.strictObject({ id });
const act = {
  method: 'POST',
  access: 'admin',
  roles: supporters,
  params: one,
  data: ContactMessage,
  refusals: ['NOT_FOUND', 'CONFLICT'],
} as const;

export const contactQueueApi = {
  messages: endpoint({
    method: 'GET',
    path,
    access: 'admin',
    roles: everyRole,
    query: z.strictObject({
      ...pageQuery(),
      list: z._default(z.enum(messageLists, { error: errorMessages.validation }), 'waiting'),
    }),
    data: z.object({
      messages: z.array(ListedMessage),
      ...pages,
      totalMessages: z.number(),
      /**
       * How many messages wait for this administrator: their own and those without an owner. 0 for roles that cannot answer.
       */
      forYou: z.number(),
    }),
    message: contactMessages.queue,
    summary:
      'Messages of the contact form: all that wait, or yours, first those sent while logged in, then the longest wait; or the closed ones, newest first',
  }),
  contactMessage: endpoint({
    method: 'GET',
    path: `${path}/{id}`,
    access: 'admin',
    roles: everyRole,
    params: one,
    data: ContactMessage,
    message: contactMessages.queue,
    refusals: ['NOT_FOUND'],
    summary: 'One message with its answers; every view is audited',
  }),
  assignMessage: endpoint({
    ...act,
    path: `${path}/{id}/assign`,
    body: takeOver,
    message: 'The message is assigned to you.',
    summary: 'Take a message to answer it, also from the colleague `takenFrom`; a closed message is reopened',
  }),
  answerMessage: endpoint({
    ...act,
    path: `${path}/{id}/answer`,
    body: z.strictObject({
      text: paragraph(maxLength.message, contactMessages.answerRequired),
      isDone: z.optional(z.boolean({ error: errorMessages.validation })),
      /** How many answers the screen shows. If another one has been sent since, this answer is refused. */
      answersSeen: z.optional(z.int(errorMessages.validation)),
      takenFrom,
    }),
    message: 'Answer sent',
    summary:
      'Mail an answer that quotes the message, and with `isDone` close the message; the same text is mailed once. `takenFrom`: the colleague who has the message, if any',
  }),
  closeMessage: endpoint({
    ...act,
    path: `${path}/{id}/close`,
    body: takeOver,
    message: contactMessages.closed,
    summary: 'Close a message without an answer or after one. `takenFrom`: the colleague who has it, if any',
  }),
};
