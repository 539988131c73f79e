/**
 * Summarizes the recorded data of an action as text for administrators. An id is shortened to its last eight characters; the
 * first ones are a timestamp (UUIDv7).
 */
import { nameOfDay } from '#contract/bankTime.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import * as alertsMessages from '#contract/messages/alerts.ts';
import * as staffMessages from '#contract/messages/staff.ts';
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

const short = (id: string) => id.slice(-8);
const count = (n: number, one: string) => `${n} ${one}${n === 1 ? '' : 's'}`;
const wordsOf = (value: string) => value.replaceAll('-', ' ');

/** The values of filters and orders that do not read as words. */
const values: Record<string, string> = {
  mine: 'their own',
  paid: 'paid out',
  match: 'true matches',
  'no-match': 'false matches',
  outdated: 'no longer listed',
  oldest: 'longest wait',
  newest: 'shortest wait',
  joined: 'day of joining',
  up: 'ascending',
  down: 'descending',
  customer: 'customers',
  admin: 'administrators',
  system: 'the system',
};
const valueText = (value: string) => values[value] ?? wordsOf(value);
const only = (value: string) => `only ${valueText(value)}`;

const documentStates: Record<string, string> = {
  missing: 'without an ID document',
  requested: 'with a new ID document requested',
  review: 'with an ID document under review',
  verified: 'with a verified ID document',
};

const actionTexts = new Map<string, string>(Object.entries(adminMessages.auditActions));

/** How each part of a recorded query is described. */
const queryParts: Record<string, (value: string, names: Names) => string> = {
  page: value => `page ${value}`,
  search: value => `search for ${value}`,
  list: only,
  state: only,
  status: only,
  type: value => `only ${wordsOf(value)}s`,
  document: value => documentStates[value] ?? value,
  sort: value => `sorted by ${valueText(value)}`,
  direction: valueText,
  startDate: value => `from ${nameOfDay(value)}`,
  endDate: value => `to ${nameOfDay(value)}`,
  actorKind: value => `acts of ${valueText(value)}`,
  action: value => `only “${actionTexts.get(value) ?? wordsOf(value)}”`,
  person: (value, names) => `about ${names.get(value) ?? 'one person or transaction'}`,
  before: () => 'older records',
};
const nextPart = new RegExp(`, (?=(?:${Object.keys(queryParts).join('|')}) )`);

/** Describes what was asked of a list, which `listAudit.ts` records as 'page 2, list waiting'. */
function describeQuery(query: string, names: Names): string {
  const parts = query.split(nextPart).map(part => {
    const [, name = '', value = ''] = /^(\w+) (.*)$/s.exec(part) ?? [];
    return queryParts[name]?.(value, names) ?? part;
  });
  return parts.join(', ');
}

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
  file: value => `file ${short(value.replace(/\.\w+$/, ''))}`,
  count: value => count(value, 'session'),
  further: value => `${count(value, 'more attempt')} within an hour`,
  asked: describeQuery,
  rows: value => count(value, 'row'),
  opened: value => (value ? 'opened before verifying' : 'not opened before verifying'),
  statements: value => count(value.length, 'statement'),
  fields: value => value.map(field => fields[field]).join(', '),
  role: value => `role ${staffMessages.roleNames[value]}`,
  formerRole: value => `formerly ${staffMessages.roleNames[value]}`,
  reverses: value => `reverses ${referenceOf(value)}`,
  claims: value => `pays out ${referenceOf(value)}`,
  request: value => `request ${short(value)}`,
  rule: value => alertsMessages.rules[value],
  alert: value => `alert ${short(value)}`,
  entry: value => `list entry ${value}`,
  mail: undefined,
  queryHash: undefined,
  purpose: undefined,
  debit: undefined,
  credit: undefined,
};

/** Describes the data of a record as text; empty if it adds nothing to the action's name. `names`: see `namedIds`. */
export function describeDetails(data: AuditData, names: Names = new Map()): string {
  return Object.entries(descriptions)
    .map(
      ([key, describe]) =>
        data[key as keyof AuditData] != null && describe?.(data[key as keyof AuditData] as never, names),
    )
    .filter(Boolean)
    .join(', ');
}

/** The ids in the data of a record that are described by the current name, if there is one. */
export const namedIds = ({ goal, asked = '' }: AuditData): string[] => [
  ...(goal === undefined ? [] : [goal]),
  ...(asked.match(/(?<=\bperson )\S{36}/g) ?? []),
];

/** Describes posted transactions. `lines`: see `AuditData`. */
function describePosted(lines: string[]): string {
  const listed = lines.slice(0, maxListed).map(line => {
    const [id, , , , cents] = line.split(' ') as [string, string, string, string, string];
    return `${referenceOf(id)} ${formatCents(BigInt(cents))}`;
  });
  const more = lines.length > maxListed ? ` and ${lines.length - maxListed} more` : '';
  return `${count(lines.length, 'transaction')}: ${listed.join(', ')}${more}`;
}
