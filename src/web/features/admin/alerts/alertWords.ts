/** The texts of alerts: the labels of their view, and the figures of an alert in one line. */
import { type AlertRule, alertRules } from '#contract/alertRules.ts';
import type { Alert, AlertState } from '#contract/alerts.ts';
import { formatCount } from '#contract/count.ts';
import { dollarsToCents, formatCents } from '#contract/money.ts';
import type { StatusProps } from '#web/ui/Status.tsx';

export const alertWords = {
  loading: 'Loading alerts...',
  filter: 'Show',
  all: 'All alerts',
  viewAssigned: 'View assigned alerts',
  what: 'Alert',
  customer: 'Customer',
  many: 'Many customers',
  noneOpen: 'No alert is open',
  none: 'No alerts',
  noneText: 'Unusual logins and payments appear here.',
  noneOpenText: 'Unusual logins and payments appear here. Alerts that were already taken are under Assigned.',
  noneOfCustomer: 'There are no alerts about this customer.',
  close: 'Close',
  closeConfirm: 'Close alert',
  closeTitle: 'Close this alert?',
  closeText: 'It leaves the queue. Your reason stays with it.',
  closeHint: 'What you found and did. Only staff read this.',
  left: 'It left this list, so it may be closed already. Look under “All alerts” before you try again.',
  failed: 'The alert wasn’t changed',
  footer: (page: string, pages: string, n: string) =>
    `Page ${page} of ${pages} (${n === '1' ? '1 alert' : `${n} alerts`})`,
} as const;

const count = (n: number, one: string) => `${formatCount(n)} ${one}${n === 1 ? '' : 's'}`;
const money = (dollars: number) => formatCents(dollarsToCents(dollars)!);

/** Returns the figures of an alert in one line, by its rule. */
const figures: Record<AlertRule, (alert: Alert) => string> = {
  'new-login': ({ device = '', network = '' }) => `${device} from ${network}`,
  'large-first-payment': ({ amount = 0, balance = 0 }) => `${money(amount)} of ${money(balance)}`,
  'many-payments': ({ payments = 0, receivers = 0 }) => {
    const { minutes, receiverMinutes, receivers: limit } = alertRules['many-payments'];
    const parts = [`${count(payments, 'payment')} within ${minutes} minutes`];
    if (receivers >= limit)
      parts.unshift(`${count(receivers, 'new receiver')} within ${receiverMinutes} minutes`);
    return parts.join(', ');
  },
  'guessed-logins': ({ logins = 0, network = '', notified = 0 }) =>
    `Wrong passwords for ${count(logins, 'login')}, from ${network}. We notified ${notified === 0 ? 'no customers' : count(notified, 'customer')}.`,
};
export const figuresOf = (alert: Alert) => figures[alert.rule](alert);

export const statuses: Record<AlertState, StatusProps['status']> = {
  open: 'pending',
  assigned: 'active',
  closed: 'completed',
};
