/**
 * The contact form's call: a message to the Help Desk. It needs no login, but a customer's login proves who sent the message.
 */
import * as z from 'zod/mini';
import { maxLength } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { email, paragraph, requiredLine } from './fields.ts';
import * as contactMessages from './messages/contact.ts';
import * as errorMessages from './messages/errors.ts';

export const contactApi = {
  sendMessage: endpoint({
    method: 'POST',
    path: '/api/v1/contact',
    access: 'none',
    recognizesCustomer: true,
    addressQuota: 'contact',
    body: z.strictObject({
      name: requiredLine(maxLength.name, errorMessages.required),
      email,
      subject: requiredLine(maxLength.subject, errorMessages.required),
      message: paragraph(maxLength.message, errorMessages.required),
    }),
    status: 201,
    message: contactMessages.sent,
    summary: 'Store a message and mail it to support',
  }),
};
