/** The texts of the dashboard's charts: titles, findings, labels and table heads. */
export const figureWords = {
  loading: 'Loading figures...',

  daysTitle: 'Money moved, by day',
  daysFinding: '{amount} moved in the last {n} days.',
  daysNothing: 'Nothing has moved in the last {n} days.',
  daysNothingText: 'Every day’s volume, transactions and success rate will be drawn here.',
  daysDescription:
    '{title}. {amount} moved by {completed} completed of {count} transactions in the last {n} days; the most on {best}.',
  volume: 'Volume',
  count: 'Transactions',
  rate: 'Success rate, by week',
  peak: '{day}, {amount}',
  spanVolume: '{span}: {amount}',
  spanCount: '{span}: {count} transactions',
  spanRate: '{span}: {rate}% completed',
  day: 'Day',
  completed: 'Completed',
  successRate: 'Success',
  noRate: '-',

  typesTitle: 'By type, since the beginning',
  typesFinding: '{type} moves the most: {percent}% of all volume.',
  typesNothing: 'No type of transaction has moved money yet.',
  typeDetail: '{completed} of {count} completed',
  type: 'Type',

  accountsTitle: 'The bank’s own accounts',
  accountsFinding: 'Customers hold {amount}.',
  accountsText:
    'All money comes out of the treasury, so it stands below zero by what has been given out: what customers hold, what is on its way to other banks and what nobody claims.',
  accounts: {
    treasury: 'Treasury',
    clearing: 'On its way to other banks',
    unclaimed: 'Unclaimed balances',
  },
  account: 'Account',
  balance: 'Balance',
} as const;
