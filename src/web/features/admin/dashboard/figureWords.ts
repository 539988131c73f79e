/** The texts of the dashboard's charts: titles, findings, labels and table heads. */
export const figureWords = {
  loading: 'Loading figures...',

  daysTitle: 'Money moved by day',
  daysFinding: '{amount} moved in the last {n} days.',
  daysNothing: 'No money moved in the last {n} days.',
  daysNothingText: 'Volume, transactions, and success rate of each day will appear here.',
  daysDescription:
    '{title}. {amount} moved by {completed} completed of {count} transactions in the last {n} days; the most on {best}.',
  volume: 'Volume',
  count: 'Transactions',
  rate: 'Success by week, without pending',
  scale: 'Scale of the volume',
  scales: { typical: 'Typical days', full: 'Full scale' },
  scaleTypical: (end: string, cut: number) =>
    `The volume axis ends at ${end}, to show typical days. ${cut === 1 ? '1 larger bar is' : `${cut} larger bars are`} cut off.`,
  scaleFull: 'The volume axis ends at the largest day.',
  peak: '{day}, {amount}',
  spanVolume: '{span}: {amount}',
  spanCount: '{span}: {count} transactions',
  spanRate: '{span}: {rate}% completed, without pending',
  day: 'Day',
  completed: 'Completed',
  ofAll: '{completed} of {count}',
  ofAllPending: '{completed} of {count}, {pending} pending',
  successRate: 'Success',
  noRate: '-',

  typesTitle: 'All time by type',
  typesFinding: '{type}: {percent}% of all volume.',
  typesNothing: 'No money has moved yet.',
  typeDetail: '{completed} of {count} completed',
  type: 'Type',

  accountsTitle: 'The bank’s own accounts',
  accountsFinding: 'Customers hold {amount}.',
  accountsText:
    'All money comes from the treasury, so its balance is negative: it offsets what customers hold, what is on its way to other banks (external clearing), and unclaimed balances.',
  account: 'Account',
  balance: 'Balance',
} as const;
