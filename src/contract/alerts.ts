/** Calls of the alerts area: the staff's queue of what looks like fraud. The rules are in `alertRules.ts`. */
import * as z from 'zod/mini';
import { alertRuleNames } from './alertRules.ts';
import { maxLength } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { id, moment, money, pageQuery, pages, paragraph, takenFrom, takeOver } from './fields.ts';
import * as alertsMessages from './messages/alerts.ts';
import * as errorMessages from './messages/errors.ts';
import { everyRole, supporters } from './roles.ts';

export const alertStates = ['open', 'assigned', 'closed'] as const;
export type AlertState = (typeof alertStates)[number];

const Member = z.object({ _id: z.string(), name: z.string() });

/** The rule decides which of the optional figures an alert has. */
export const Alert = z.object({
  _id: z.string(),
  rule: z.enum(alertRuleNames),
  status: z.enum(alertStates),
  at: moment,
  /** Absent for guessed logins, which concern many customers. */
  customer: z.optional(z.object({ _id: z.string(), name: z.string(), accountNumber: z.string() })),
  network: z.optional(z.string()),
  device: z.optional(z.string()),
  transactionId: z.optional(z.string()),
  amount: z.optional(money),
  /** The balance before the payment. */
  balance: z.optional(money),
  /** How many payments left the account within the rule's minutes. */
  payments: z.optional(z.number()),
  /** How many new receivers were paid within the rule's minutes. */
  receivers: z.optional(z.number()),
  /** How many logins were guessed, and how many of them belong to customers who were notified. */
  logins: z.optional(z.number()),
  notified: z.optional(z.number()),
  assignedTo: z.optional(Member),
  closedBy: z.optional(Member),
  closedAt: z.optional(moment),
  /** The findings of the person who closed the alert. */
  note: z.optional(z.string()),
});
export type Alert = z.input<typeof Alert>;
export type DecodedAlert = z.output<typeof Alert>;

const path = '/api/v1/admin/alerts';
const act = {
  method: 'POST',
  access: 'admin',
  roles: supporters,
  params: z.strictObject({ id }),
  data: Alert,
  refusals: ['NOT_FOUND', 'CONFLICT'],
} as const;

export const alertsApi = {
  alerts: endpoint({
    method: 'GET',
    path,
    access: 'admin',
    roles: everyRole,
    query: z.strictObject({
      ...pageQuery(),
      status: z.optional(z.enum(alertStates, { error: errorMessages.validation })),
      /** Only the alerts about this customer. */
      customer: z.optional(id),
    }),
    data: z.object({
      alerts: z.array(Alert),
      ...pages,
      totalAlerts: z.number(),
      /** How many alerts are open; the filter does not change it. */
      open: z.number(),
    }),
    message: alertsMessages.alerts,
    summary: 'Alerts about customers and networks, newest first',
  }),
  assignAlert: endpoint({
    ...act,
    path: `${path}/{id}/assign`,
    body: takeOver,
    message: alertsMessages.assigned,
    summary: 'Take an alert that is not closed, also from the colleague `takenFrom`',
  }),
  closeAlert: endpoint({
    ...act,
    path: `${path}/{id}/close`,
    body: z.strictObject({ note: paragraph(maxLength.reason, 'Enter what you found'), takenFrom }),
    message: alertsMessages.closed,
    summary:
      'Close an alert with a note that says what was found. `takenFrom`: the colleague who has it, if any',
  }),
};
