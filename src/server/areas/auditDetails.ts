/**
 * Summarizes the recorded data of an action as text for administrators. Ids are shortened to a prefix that is still distinct.
 */
import * as alertsMessages from '#contract/messages/alerts.ts';
import { formatCents } from '#contract/money.ts';
import type { AuditData } from '../db/audit.ts';
import { referenceOf } from '../ledger/ledger.ts';

const reasons: Record<string, string> = {
  unknown: 'unknown email',
  locked: 'login locked',
  'wrong-password': 'wrong password',
  'wrong-code': 'wrong code',
  'no-code': 'no code requested',
  'passkey-counter': 'passkey may be a copy',
};

const methods = {
  email: 'emailed code',
  totp: 'authenticator app',
  recovery: 'recovery code',
  passkey: 'passkey',
};

const fields = {
  dateOfBirth: 'date of birth',
  city: 'city',
  firstName: 'first name',
  middleName: 'middle name',
  lastName: 'last name',
  email: 'email',
};

/** How many postings of a batch are listed individually. */
const maxListed = 3;

type Names = ReadonlyMap<string, string>;

const short = (id: string) => id.slice(0, 8);
const count = (n: number, one: string) => `${n} ${one}${n === 1 ? '' : 's'}`;

/** How each field of a record is described, in display order; undefined for fields that are not shown. */
const descriptions: {
  [K in keyof AuditData]-?: ((value: NonNullable<AuditData[K]>, names: Names) => string) | undefined;
} = {
  posted: describePosted,
  cents: value => formatCents(BigInt(value)),
  transaction: referenceOf,
  reason: value => (Object.hasOwn(reasons, value) && reasons[value]) || value,
  method: value => methods[value],
  passkey: value => `passkey ${short(value)}`,
  session: value => `session ${short(value)}`,
  payee: value => `payee ${short(value)}`,
  device: value => `device ${short(value)}`,
  schedule: value => `schedule ${short(value)}`,
  goal: (value, names) => `goal ${names.get(value) ?? short(value)}`,
  file: value => `document ${short(value.replace(/^(avatar|id-card)-/, ''))}`,
  count: value => count(value, 'session'),
  further: value => `${count(value, 'more attempt')} within an hour`,
  asked: value => value,
  rows: value => count(value, 'row'),
  opened: value => (value ? 'opened before verifying' : 'not opened before verifying'),
  statements: value => count(value.length, 'statement'),
  fields: value => value.map(field => fields[field]).join(', '),
  role: value => `role ${value}`,
  formerRole: value => `before ${value}`,
  reverses: value => `reverses ${referenceOf(value)}`,
  claims: value => `pays out ${referenceOf(value)}`,
  request: value => `request ${short(value)}`,
  rule: value => alertsMessages.rules[value],
  alert: value => `alert ${short(value)}`,
  entry: value => `entry ${value}`,
  mail: undefined,
  queryHash: undefined,
  purpose: undefined,
  debit: undefined,
  credit: undefined,
};

/** Describes the data of a record as text; empty if it adds nothing to the action's name. `names`: of savings goals, by id. */
export function describeDetails(data: AuditData, names: Names = new Map()): string {
  return Object.entries(descriptions)
    .map(
      ([key, describe]) =>
        data[key as keyof AuditData] != null && describe?.(data[key as keyof AuditData] as never, names),
    )
    .filter(Boolean)
    .join(', ');
}

/** Describes posted transactions. `lines`: see `AuditData`. */
function describePosted(lines: string[]): string {
  const listed = lines.slice(0, maxListed).map(line => {
    const [id, , , , cents] = line.split(' ') as [string, string, string, string, string];
    return `${referenceOf(id)} ${formatCents(BigInt(cents))}`;
  });
  const more = lines.length > maxListed ? ` and ${lines.length - maxListed} more` : '';
  return `${count(lines.length, 'transaction')}: ${listed.join(', ')}${more}`;
}
