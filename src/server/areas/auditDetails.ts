/**
 * Summarizes the recorded data of an action as text for administrators. Ids are shortened to a prefix that is still distinct.
 */
import { formatCents } from '#contract/money.ts';
import type { AuditData } from '../db/audit.ts';
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

const short = (id: string) => id.slice(0, 8);
const count = (n: number, one: string) => `${n} ${one}${n === 1 ? '' : 's'}`;

/** Words for everything that a record may hold, in the order in which they are read; undefined for what is not shown. */
const words: { [K in keyof AuditData]-?: ((value: NonNullable<AuditData[K]>) => string) | undefined } = {
  posted: tellPosted,
  cents: value => formatCents(BigInt(value)),
  transaction: referenceOf,
  reason: value => reasons[value] ?? value,
  session: value => `session ${short(value)}`,
  file: value => `document ${short(value)}`,
  count: value => count(value, 'session'),
  purpose: undefined,
  debit: undefined,
  credit: undefined,
};

/** The data of a record as text for a person; empty where it says nothing that the act does not. */
export function tellDetails(data: AuditData): string {
  return Object.entries(words)
    .map(
      ([key, tell]) => data[key as keyof AuditData] != null && tell?.(data[key as keyof AuditData] as never),
    )
    .filter(Boolean)
    .join(', ');
}

/** Lines as `AuditData` describes them. */
function tellPosted(lines: string[]): string {
  const listed = lines.slice(0, maxListed).map(line => {
    const [id, , , , cents] = line.split(' ') as [string, string, string, string, string];
    return `${referenceOf(id)} ${formatCents(BigInt(cents))}`;
  });
  const more = lines.length > maxListed ? ` and ${lines.length - maxListed} more` : '';
  return `${count(lines.length, 'transaction')}: ${listed.join(', ')}${more}`;
}
