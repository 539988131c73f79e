/** The texts of the unclaimed balances. */
import { formatDollars } from '#contract/money.ts';
import type { UnclaimedBalance } from '#contract/unclaimed.ts';

export const unclaimedWords = {
  title: 'Unclaimed balances',
  show: 'Show',
  total: (dollars: number) =>
    dollars === 0
      ? 'No money from closed accounts is waiting to be paid out.'
      : `${formatDollars(dollars)} from closed accounts has not been paid out.`,
  search: 'Search account number or reference',
  loading: 'Loading unclaimed balances...',
  none: { waiting: 'No unclaimed balances', paid: 'Nothing was paid out' },
  noneText: 'Money from closed accounts appears here.',
  noneFound: 'No balance matches this search.',
  account: 'Closed account',
  reference: 'Reference',
  since: 'Since',
  how: 'How',
  origins: {
    closing: 'Account closed',
    return: 'Payment came back',
    reversal: 'Payout reversed',
  } satisfies Record<UnclaimedBalance['origin'], string>,
  amount: 'Amount',
  paidTo: 'Paid to',
  paidAt: 'Paid out',
  by: (name: string) => `by ${name}`,
  reversed: 'Reversed',
  customerAccount: (number: string) => `Account ${number}`,
  payOut: 'Pay out',
  payOutName: (amount: string, reference: string) => `Pay out ${amount}, ${reference}`,
  footer: (page: string, pages: string, n: string) =>
    `Page ${page} of ${pages} (${n === '1' ? '1 balance' : `${n} balances`})`,

  payOutTitle: (amount: string) => `Pay out ${amount}`,
  payOutText:
    'You pay out the whole balance. Before you do, check that the person who asks had this account.',
  to: 'Pay to',
  ways: { bank: 'Another bank', customer: 'A customer' },
  bankName: 'Bank name',
  accountName: 'Name of the account holder',
  accountNumber: 'Account number',
  reasonHint: 'Who asked for it and how you checked. Saved in the audit log.',
  requestWaits: 'A request to pay out this balance is waiting in Requests.',
  unknown:
    'We don’t know yet whether this balance was paid out. Press Pay out again to check. It is never paid twice.',
} as const;
