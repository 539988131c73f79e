/** The texts of requests for a second approval: what is asked for, and its status. */
import { formatAccountNumber } from '#contract/accountNumber.ts';
import type { Approval, RequestState } from '#contract/fourEyes.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import { formatDollars } from '#contract/money.ts';
import type { StatusProps } from '#web/ui/Status.tsx';

/** What the person who decided a request did. */
const decisions: Partial<Record<RequestState, string>> = {
  done: 'already approved this request.',
  declined: 'already declined this request.',
  withdrawn: 'withdrew this request.',
  failed: 'already approved this request, but it couldn’t be carried out.',
};

export const requestWords = {
  loading: 'Loading requests...',
  none: 'No requests',
  noneWaiting: 'No request is waiting',
  noneText: 'Requests that need a second operator or owner appear here.',
  filter: 'Show',
  all: 'All requests',
  what: 'Request',
  askedBy: 'Asked by',
  askedAt: 'Asked on',
  reason: 'Reason',
  reasonOrDescription: 'Reason or description',
  expires: 'Expires',
  expired: 'Expired on',
  expiredText: 'It was not decided in time, so nothing was changed. Ask again if it is still needed.',
  decidedBy: 'Decided by',
  decidedAt: 'Decided on',
  withdrawnAt: 'Withdrawn on',
  outcome: 'Answer',
  whyFailed: 'Why it failed',
  footer: (page: string, pages: string, n: string) =>
    `Page ${page} of ${pages} (${n === '1' ? '1 request' : `${n} requests`})`,

  beforeAndAfter: 'Before and after',
  before: 'Before',
  after: 'After',
  balanceOf: (name: string) => `Balance of ${name}`,
  email: 'Email',
  newEmail: 'New email',
  balanceAtRequest: 'Balance when asked',
  account: 'Account',
  open: 'Open',
  closed: 'Closed, personal data erased, except what the law requires us to keep',
  role: 'Role',
  formerRole: 'Role before',
  access: 'Access',
  noAccess: 'None',
  limit: 'Second person from',
  never: 'Never',
  changesBy: 'Changes by',
  asBooked: 'As booked',
  reversed: 'Reversed',

  changedSince: 'The customer’s name or email was changed after this was asked',
  changedBy: (by: string, when: string, field: string, former: string) =>
    `${field} changed by ${by} on ${when}; before: ${former || 'empty'}`,
  viewOther: 'View the other request',
  sameCredit: 'The same credit was requested twice',
  sameCreditWaits: 'A request for the same credit is waiting',
  sameCreditWaitsText: 'If both are made, the customer is paid twice.',
  sameRequestMaybeOwn:
    'It may be yours, because we didn’t get the answer to your press. If it’s yours, another press does nothing. If it isn’t and both credits are made, the customer is paid twice.',
  sameCreditMade: 'The same credit was already made',
  approve: 'Approve',
  approving: 'Approving...',
  decline: 'Decline',
  declineTitle: 'Decline this request?',
  alreadyDecided: 'No longer waiting',
  /** The text if a colleague decided while this person wrote a reason, or before this person repeated the act. */
  decidedFirst: ({ status, decidedBy }: Pick<Approval, 'status' | 'decidedBy'>) =>
    decidedBy && decisions[status]
      ? `${decidedBy.name} ${decisions[status]}`
      : status === 'expired'
        ? staffMessages.requestExpired
        : staffMessages.requestDecided,
  unknown: 'We don’t know yet whether this was requested. Check in Requests before you try again.',
  declineText: 'Nothing is changed. The person who asked gets an email with your reason.',
  declineHint: 'The person who asked reads this.',
  withdraw: 'Withdraw',
  ownRequest: 'You made this request. Another operator or owner must decide it.',
  roleCannot: 'Only an operator or an owner can decide this request.',
  willFail: 'Approving this request will fail',
  askerGone: (name: string) => `${name} can no longer ask for this. Decline the request.`,
  moreMoney: (amount: string) =>
    `The customer had ${amount} when this was asked and has more now. Decline the request and ask again.`,
  tooLittle: (name: string, balance: string, amount: string) =>
    `${name} has ${balance} available, less than ${amount}. Money in savings goals doesn’t count. Wait for more money, or decline the request.`,
  customerPage: 'Customer',
  deletedCustomer: (number: string) => `Deleted customer, account ${number}`,
  originalTransaction: 'Transaction to reverse',
  unclaimedTransaction: 'Where the money came from',
  closedAccount: 'Closed account',
  payTo: 'Pay to',
  postedTransaction: 'Transaction that was booked',
  gone: 'Request not found',
  goneText: 'The link may be wrong.',
} as const;

/** The customer of a request by name, or by account number once the name was erased. */
export const customerOf = ({ name, accountNumber }: NonNullable<Approval['customer']>) =>
  name || requestWords.deletedCustomer(formatAccountNumber(accountNumber));

/** The smallest amount that needs a second person; null: none does. */
export const limitText = (dollars: number | null) =>
  dollars === null ? requestWords.never : formatDollars(dollars);

/** What a request asks for, in one line. */
export function summaryOf({ kind, customer: about, member, role, reference }: Approval): string {
  const customer = about && (about.name || `account ${formatAccountNumber(about.accountNumber)}`);
  switch (kind) {
    case 'credit':
      return `Credit ${customer ?? ''}`.trim();
    case 'reversal':
      return reference
        ? `Reverse ${reference}${customer ? `, paid to ${customer}` : ''}`
        : 'Reverse a transaction';
    case 'deletion':
      return `Delete ${customer ?? 'a customer'}`;
    case 'role':
      return `Change the role of ${member?.name ?? 'an administrator'}${role ? ` to ${staffMessages.roleNames[role]}` : ''}`;
    case 'invitation':
      return `Invite ${member?.name ?? 'an administrator'}${role ? ` as ${staffMessages.roleNames[role]}` : ''}`;
    case 'limit':
      return 'Change the amount that needs a second person';
    case 'email':
      return `Change the email of ${customer ?? 'a customer'}`;
    case 'unclaimed':
      return 'Pay out an unclaimed balance';
  }
}

const statuses: Record<RequestState, StatusProps['status']> = {
  pending: 'pending',
  done: 'completed',
  declined: 'refused',
  withdrawn: 'refused',
  expired: 'refused',
  failed: 'refused',
};

/** The status mark of a request and its text. */
export const statusOf = ({ status }: Approval) => ({
  status: statuses[status],
  children: staffMessages.requestStates[status],
});
