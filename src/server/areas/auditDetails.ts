/**
 * Summarizes the recorded data of an action as text for administrators. Ids are shortened to a prefix that is still distinct.
 */
import { formatCents } from '#contract/money.ts';
import { referenceOf } from '../ledger/ledger.ts';

const reasons: Record<string, string> = {
  unknown: 'no such login',
  locked: 'the login was locked',
  'wrong-password': 'wrong password',
  'wrong-code': 'wrong code',
  'no-code': 'no code was asked for',
};

/** How many postings of a batch are listed individually. */
const maxListed = 3;

const short = (id: unknown) => String(id).slice(0, 8);
const count = (n: number, one: string) => `${n} ${one}${n === 1 ? '' : 's'}`;

/** Words for each thing that a record may hold; anything else is not told. */
const words: Record<string, (value: unknown) => string> = {
  posted: value => tellPosted(value as string[]),
  cents: value => formatCents(BigInt(value as number)),
  transaction: value => referenceOf(String(value)),
  reason: value => (typeof value === 'string' ? (reasons[value] ?? value) : ''),
  session: value => `session ${short(value)}`,
  file: value => `document ${short(value)}`,
  count: value => count(value as number, 'session'),
};

/** The data of a record as text for a person; empty where it says nothing that the act does not. */
export function tellDetails(data: Record<string, unknown>): string {
  return Object.keys(words)
    .filter(key => data[key] !== undefined)
    .map(key => words[key]!(data[key]))
    .filter(Boolean)
    .join(', ');
}

/** A line is transaction, actor, debited and credited account, cents, address. */
function tellPosted(lines: string[]): string {
  const listed = lines.slice(0, maxListed).map(line => {
    const [id, , , , cents] = line.split(' ') as [string, string, string, string, string];
    return `${referenceOf(id)} ${formatCents(BigInt(cents))}`;
  });
  const more = lines.length > maxListed ? ` and ${lines.length - maxListed} more` : '';
  return `${count(lines.length, 'transaction')}: ${listed.join(', ')}${more}`;
}
