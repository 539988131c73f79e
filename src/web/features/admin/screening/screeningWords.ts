/** The texts of sanctions screening, and the states of a match. */

import { dayAndTime, nameOfDay, nameOfMonth } from '#contract/bankTime.ts';
import { formatCount } from '#contract/count.ts';
import * as screeningMessages from '#contract/messages/screening.ts';
import type { ScreeningHit } from '#contract/screening.ts';
import { words } from '../words.ts';

const birthIsSame = 'The date of birth is the same.';
const birthIsDifferent = 'The date of birth is different.';
const documentConfirms = 'The ID document confirms it.';
const isNotFound = 'The name is no longer found on the list.';

const resembling = 'Customers whose name resembles an entry of the sanctions list appear here.';

export const screeningWords = {
  state: 'State',
  allStates: 'All matches',
  customer: 'Customer',
  customerPage: 'Customer page',
  listed: 'On the list',
  program: 'Program',
  entry: 'Entry',
  similarity: 'Similarity',
  lookAlikes: (alphabets: string) =>
    `Some letters look the same in ${alphabets}. We compared them as the same letter.`,
  found: 'Found',
  name: 'Name',
  dateOfBirth: 'Date of birth',
  compared: 'Customer and list',
  open: 'Review',
  openOf: (name: string) => `Review the match of ${name}`,
  loading: 'Loading matches...',
  none: 'No matches to decide',
  noneAtAll: 'No matches',
  noList: {
    title: 'No sanctions list',
    text: 'No customer is screened until a list is imported with “npm run admin -- import-sanctions”.',
  },
  noneText: {
    open: resembling,
    all: resembling,
    match: 'Matches that staff have confirmed appear here.',
    'no-match': 'Matches that staff have decided as “Not a match” appear here.',
    outdated: 'Matches appear here once the list entry or the customer’s name has changed.',
  },
  footer: (page: string, pages: string, n: string) =>
    `Page ${page} of ${pages} (${n === '1' ? '1 match' : `${n} matches`})`,
  match: 'True match',
  noMatch: 'Not a match',
  reopen: 'Decide again',
  title: 'Match with the sanctions list',
  decidedBy: 'Decided by',
  decidedFirst: (state: string, by: string | undefined) =>
    `${by ? `${by} already decided this match` : 'This match was already decided'}: ${state}.`,
  decidedAt: 'Decided on',
  earlier: 'Earlier decision',
  earlierText: ({ state, decidedBy, decidedAt, reason }: NonNullable<ScreeningHit['earlier']>) =>
    [screeningMessages.states[state], decidedBy, dayAndTime(decidedAt).replaceAll(' ', '\u00a0'), reason]
      .filter(Boolean)
      .join('\u00a0· '),
  confirmedBefore: 'Before that',
  changed:
    'Since the earlier decision, the list, the name or the date of birth has changed. Verifying that date counts as a change, too.',
  decideAgain: 'Decide this match again.',
  gone: 'The entry is no longer on the list, or the customer’s name no longer resembles it.',
  reason: 'Reason',
  asks: {
    match: {
      title: (name: string) => `Is ${name} the listed person?`,
      text: 'This saves your decision and changes no account.',
      confirmLabel: 'True match',
      suggestions: [birthIsSame, documentConfirms],
    },
    'no-match': {
      title: (name: string) => `Is ${name} someone else?`,
      text: 'This saves your decision and changes no account. If the list entry or the customer’s name changes, or the customer’s date of birth turns out to be the listed one, the match must be decided again.',
      confirmLabel: 'Not a match',
      suggestions: [isNotFound, birthIsDifferent, 'Only the name is similar.'],
    },
    reopen: {
      title: (name: string) => `Decide the match of ${name} again?`,
      text: 'The former decision stays in the audit log.',
      confirmLabel: 'Decide again',
      suggestions: [],
    },
  },
  afterMatch: (isApproved: boolean) =>
    isApproved ? 'Then freeze the account, if it isn’t frozen yet.' : 'Then reject the application.',
  /** The questions about a match that the last screening did not find. */
  goneTitles: {
    match: (name: string) => `Is ${name} still a match?`,
    'no-match': (name: string) => `Is ${name} no longer a match?`,
  },
  /** In the rows of the approvals: the state of the match, and why the application can't be approved. */
  rows: {
    open: { label: 'Possible sanctions match', why: 'Decide the match first' },
    match: { label: 'Confirmed sanctions match', why: 'Reject the application' },
  },
  waiting: 'Possible match on the sanctions list',
  waitingText: (n: number) =>
    n === 1
      ? '1 match is undecided. Decide it before you approve the application.'
      : `${n} matches are undecided. Decide them before you approve the application.`,
  waitingApproved: (n: number) => (n === 1 ? '1 match is undecided.' : `${n} matches are undecided.`),
  noLongerCounts: 'A match was confirmed, but that decision no longer counts.',
  moreLabel: 'More matches',
  more: (n: number) =>
    n === 1
      ? '1 more entry resembles this name. It appears after this customer’s matches are decided.'
      : `${formatCount(n)} more entries resemble this name. They appear after this customer’s matches are decided.`,
  confirmed: 'Confirmed match on the sanctions list',
  confirmedPending: 'The application can’t be approved. Reject it.',
  confirmedApproved: 'Freeze the account if it isn’t frozen yet.',
  confirmedOwnFreeze: 'The customer froze the account and can unfreeze it. Staff should freeze it, too.',
  /** Shown before staff pay a customer or approve a payment to one. The bank does not refuse the payment. */
  beforePayment: {
    match: 'This customer is the listed person. Check first whether the customer may be paid.',
    open: 'This customer may be the listed person. It’s better to decide the match first.',
  },
  beforeDeletion: {
    match:
      'This customer is the listed person. Check first whether the account may be deleted. The match is erased with the customer; the audit log keeps who decided and why.',
    open: 'This customer may be the listed person. It’s better to decide the match first. The match is erased with the customer.',
  },
  reviewMatch: 'Review match',
  approveAnyway: 'Approve anyway',
  approveDespite: {
    match: 'Approve despite the confirmed match?',
    open: 'Approve while the match is undecided?',
  },
  /** Shown until it is known whether the customer has a match. */
  checking: 'Checking the sanctions list...',
  cleared: 'Matches with the sanctions list were examined',
} as const;

/** What the screening of the newest list has done so far. */
export function describeList(list: {
  importedAt: string;
  entries: number;
  screened: number;
  finishedAt?: string | undefined;
}): string {
  const day = dayAndTime(list.importedAt);
  if (list.entries === 0) return `The sanctions list was removed on ${day}.`;
  const entries = list.entries === 1 ? '1 entry' : `${formatCount(list.entries)} entries`;
  const customers = list.screened === 1 ? '1 customer' : `${formatCount(list.screened)} customers`;
  return `List of ${day} with ${entries}. We have screened ${customers}${list.finishedAt ? '' : ' so far'}.`;
}

/** The name on the list, with the entry's main name if it is an alias. */
export const listedName = ({ name, mainName }: ScreeningHit['listed']) =>
  mainName ? `${name} (alias of ${mainName})` : name;

/** A date of birth in words. The sanctions list may have only the year, or year and month. */
export function nameOfBirth(text: string): string {
  if (text.length === 10) return nameOfDay(text);
  return text.length === 7 ? nameOfMonth(text, 'full') : text || words.notProvided;
}

/** The customer's date of birth in words. One that was not verified is only what the customer entered. */
export function birthOfCustomer({ dateOfBirth, isDateOfBirthVerified }: ScreeningHit['customer']): string {
  const day = nameOfBirth(dateOfBirth ?? '');
  return dateOfBirth && !isDateOfBirthVerified ? words.dayNotVerified(day) : day;
}

/** Whether the dates of birth agree; `unknown` if either is missing. */
export function compareBirth({ customer, listed }: ScreeningHit): 'same' | 'different' | 'unknown' {
  if (!customer.dateOfBirth || !listed.dateOfBirth) return 'unknown';
  return customer.dateOfBirth.startsWith(listed.dateOfBirth) ? 'same' : 'different';
}

/** The suggested reasons for a decision, without those that are not true of the match. */
export function suggestionsOf(hit: ScreeningHit, asked: keyof typeof screeningWords.asks): string[] {
  const { customer, listed } = hit;
  // A listed date of only a year or a month does not prove that the day is the same.
  const isSame = listed.dateOfBirth !== '' && listed.dateOfBirth === customer.dateOfBirth;
  const isTrue: Readonly<Record<string, boolean>> = {
    [birthIsSame]: isSame,
    [documentConfirms]: customer.hasIdDocument,
    [isNotFound]: hit.isGone === true,
    [birthIsDifferent]: compareBirth(hit) === 'different',
  };
  return screeningWords.asks[asked].suggestions.filter(text => isTrue[text] ?? true);
}
