/**
 * When the bank alerts: each rule has fixed limits. An alert goes to the customer, as a notification and a mail, and into a
 * queue of the staff. Each rule alerts at most once a day about a customer or a network. `docs/security.md` has a table.
 */

/**
 * A receiver is new if none of the customer's last `payments` payments went to them. Payments of the last `hours` do not count,
 * because a thief could send a small payment before the large one.
 */
export const newReceiver = { payments: 1_000, hours: 24 } as const;

export const alertRules = {
  'new-login': {
    sentence: 'A customer logs in from a device or a network that they have not used before.',
  },
  'large-first-payment': {
    fromDollars: 1_000,
    fromPercent: 50,
    sentence: 'A new receiver gets at least half of the balance, and at least $1,000.',
  },
  'many-payments': {
    payments: 10,
    minutes: 10,
    receivers: 5,
    receiverMinutes: 60,
    /**
     * A scheduled payment counts if it was scheduled less than this many hours ago. Otherwise, a thief would schedule payments
     * instead of sending them.
     */
    scheduledHours: 24,
    sentence:
      'A customer sends more than 10 payments within 10 minutes, or pays 5 new receivers within an hour. Payments that were scheduled more than 24 hours earlier do not count.',
  },
  'guessed-logins': {
    logins: 20,
    minutes: 60,
    sentence: 'One network tries wrong passwords at 20 or more different logins within an hour.',
  },
} as const;

export type AlertRule = keyof typeof alertRules;
export const alertRuleNames = Object.keys(alertRules) as AlertRule[];
