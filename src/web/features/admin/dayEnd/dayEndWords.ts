/** The texts of the day-end view. */
import type { Proof } from '#contract/dayEnd.ts';
import type { StatusProps } from '#web/ui/Status.tsx';

export const dayEndWords = {
  title: 'Day end',
  loading: 'Loading balances...',
  balances: 'Balances now',
  asOf: (when: string) => `As of ${when}. The total must be $0.00.`,
  allCustomers: 'Customers',
  accounts: (n: string) => `Customers (${n === '1' ? '1 account' : `${n} accounts`})`,
  sum: 'Total',
  notZero: 'The total is not $0.00',
  notZeroText: 'A balance is wrong. Prove the books to find out which one.',
  onTheWay: 'Payments to other banks',
  pending: 'Not settled yet',
  held: 'Of these, held by a freeze',
  overdue: 'Of these, overdue',
  payments: (what: string, n: string) => `${what} (${n === '1' ? '1 payment' : `${n} payments`})`,

  proof: 'Proof of the books',
  proofText:
    'A proof compares the transactions with the balances and the audit log. The nightly job starts from the last sealed balances. If you start a proof, it starts from the first record.',
  noProof: 'No proof has run yet. One runs every night.',
  start: 'Prove the books',
  progress: 'Proving the books',
  startedAt: 'Started',
  took: 'Took',
  /** `seconds`: a whole number. */
  duration: (seconds: number) =>
    seconds < 60 ? `${Math.max(1, seconds)} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`,
  askedBy: 'Started by',
  nightly: 'The nightly job',
  result: 'Result',
  checked: 'Checked',
  checkedText: (records: string, transactions: string) =>
    `${transactions} transactions in ${records} audit records`,
  scope: 'From',
  whole: 'The first record',
  sinceLast: 'The last sealed balances',
  faults: (n: number) => (n === 1 ? '1 row is not as it should be' : `${n} rows are not as they should be`),
  unfinishedText: 'The proof ended without a result. Start it again.',

  days: 'Proven balances by day',
  noDays: 'No proven balances yet',
  noDaysText: 'The first proof adds a day here.',
  day: 'Proven on',
  unended: 'Payments',
  counted: {
    pending: (n: string) => `${n} not settled`,
    held: (n: string) => `${n} of them held`,
    overdue: (n: string) => `${n} of them overdue`,
  },
} as const;

const states: Record<Proof['state'], { status: StatusProps['status']; children: string }> = {
  running: { status: 'pending', children: 'Running' },
  passed: { status: 'completed', children: 'The books are true' },
  faults: { status: 'fault', children: 'Faults found' },
  unfinished: { status: 'fault', children: 'Not finished' },
};

/** The status mark of a proof and its text. */
export const stateOf = ({ state }: Pick<Proof, 'state'>) => states[state];
