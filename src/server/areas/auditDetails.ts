/** What was recorded with an act, in a few words. Ids are cut to where they can still be told apart. */
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

/** How many of a group of postings are told one by one. */
const mostTold = 3;

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
  const told = lines.slice(0, mostTold).map(line => {
    const [id, , , , cents] = line.split(' ') as [string, string, string, string, string];
    return `${referenceOf(id)} ${formatCents(BigInt(cents))}`;
  });
  const more = lines.length > mostTold ? ` and ${lines.length - mostTold} more` : '';
  return `${count(lines.length, 'transaction')}: ${told.join(', ')}${more}`;
}
