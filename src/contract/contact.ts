/** The contact form's call: a message from anybody to the Help Desk. */
import * as z from 'zod/mini';
import { maxLength } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { email, paragraph, requiredLine } from './fields.ts';
import { messages } from './messages.ts';

export const contactApi = {
  sendMessage: endpoint({
    method: 'POST',
    path: '/api/v1/contact',
    access: 'none',
    body: z.strictObject({
      name: requiredLine(maxLength.name, messages.admin.required),
      email,
      subject: requiredLine(maxLength.subject, messages.admin.required),
      message: paragraph(maxLength.message, messages.admin.required),
    }),
    status: 201,
    message: messages.contact.sent,
    summary: 'Store a message and mail it to support',
  }),
};
