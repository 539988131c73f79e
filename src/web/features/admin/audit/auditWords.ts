/** The texts of the audit log's view, and the words for actions, and for subjects without a name, such as an alert. */
import * as adminMessages from '#contract/messages/admin.ts';

export const auditWords = {
  note: 'Who did what, when, and from where. Each record is chained to the one before it, so we can detect a change or deletion. When someone opens the back office, it loads the first page of most lists for the counts in the menu, and the log says that this person viewed them.',
  loading: 'Loading audit log...',
  none: 'No records found',
  noneText: 'No records match these filters.',
  nothingLikeIt:
    'Enter a whole reference, account number, or IP address, or part of a name, email, or reason.',
  clear: 'Clear',
  search: 'Search name, account, reference, reason, or IP address',
  searchShort: 'Search name, account, reference',
  cut: 'More than 20 people match, so we searched the records of only 20. Enter more of the name.',
  who: 'Kind of actor',
  everybody: 'Everyone',
  action: 'Action',
  allActions: 'All actions',
  onlyPerson: 'Records about {name}',
  thisPerson: 'one person or transaction',
  showAll: 'Show all records',
  only: 'Show records about {name}',
  refresh: 'Refresh',
  more: 'Load more',
  moreBusy: 'Loading...',
  shown: (n: string) => `Newest ${n} records shown`,
  allShown: (n: string) => (n === '1' ? '1 record' : `All ${n} records shown`),

  when: 'When',
  actor: 'Who',
  what: 'What',
  about: 'About',
  address: 'From',
  seal: 'Seal',
  sealed: 'Sealed',
  unsealed: 'Not yet sealed',
  dash: '–',

  retained: {
    open: 'Open retained data',
    openOf: (name: string) => `Open retained data: ${name}`,
    title: 'Retained data',
    question: 'Open retained data?',
    text: (name: string, until: string) =>
      `${name}: We keep the name, contact details, and ID document until ${until}.`,
    account: 'Account',
    kept: (closed: string, until: string) =>
      `The account was closed on ${closed}. We keep this data until ${until}, and then erase it.`,
    disowned:
      'The owner of the email removed the registration: “This wasn’t me.” So the email belongs to someone else.',
    notVerified: 'Not verified',
    before: (day: string) => `Verified identity before the change on ${day}`,
    last: 'When the account was closed',
  },

  /** Names of subjects that have no name of their own. The key is the first part of the action, in the singular. */
  subjects: {
    alert: 'Alert',
    application: 'Customer',
    approval: 'Customer',
    audit: 'Audit record',
    customer: 'Customer',
    message: 'Message',
    rail: 'Rail exception',
    proof: 'Proof of the books',
    request: 'Request',
    screening: 'Match',
    transaction: 'Transaction',
    unclaimed: 'Transaction',
    verification: 'Customer',
  },
} as const;

/** The text for an action. An action that only a newer server knows is shown by its recorded name, with spaces. */
export function actionText(action: string): string {
  const known: Readonly<Record<string, string>> = adminMessages.auditActions;
  return known[action] ?? action.replaceAll(/[.-]/g, ' ');
}

/**
 * The name of a subject that has none of its own: its kind and the end of the id (the start is only a time), or the whole id
 * if the kind is unknown.
 */
export function subjectText(action: string, id: string): string {
  const kinds: Readonly<Record<string, string>> = auditWords.subjects;
  const kind = kinds[action.split('.')[0]!.replace(/s$/, '')];
  return kind ? `${kind} ${id.slice(-8)}` : id;
}
