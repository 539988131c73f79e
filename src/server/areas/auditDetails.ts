/**
 * Summarizes the recorded data of an action as text for administrators. An id is shortened to its last eight characters,
 * because the first ones are a timestamp (UUIDv7).
 */
import { nameOfDay } from '#contract/bankTime.ts';
import { bank } from '#contract/constants.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import * as alertsMessages from '#contract/messages/alerts.ts';
import * as contactMessages from '#contract/messages/contact.ts';
import * as railMessages from '#contract/messages/rail.ts';
import * as screeningMessages from '#contract/messages/screening.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import * as unclaimedMessages from '#contract/messages/unclaimed.ts';
import { centsToDollars, formatAmount, formatCents } from '#contract/money.ts';
import type { AuditAction, AuditData } from '../db/audit.ts';
import { referenceOf } from '../ledger/ledger.ts';

const reasons: Record<string, string> = {
  // The email can be that of a disabled administrator.
  unknown: 'no active account with this email',
  locked: 'login locked',
  'wrong-password': 'wrong password',
  'wrong-code': 'wrong code',
  'no-code': 'no code requested',
  'wrong-passkey': 'passkey refused',
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

/** How many transactions of one record are listed individually. */
const maxListed = 3;

type Names = ReadonlyMap<string, string>;

const short = (id: string) => id.slice(-8);
const count = (n: number, one: string) => `${n} ${one}${n === 1 ? '' : 's'}`;
const wordsOf = (value: string) => value.replaceAll('-', ' ');

type Labels = Readonly<Record<string, string>>;
const customers = { state: adminMessages.customerStates, document: adminMessages.documentStates };
const queue = { sort: adminMessages.queueSorts, list: adminMessages.queueLists };
const transactions = {
  type: transactionsMessages.types,
  status: { ...transactionsMessages.statuses, held: transactionsMessages.held },
};
const log = { actorKind: adminMessages.actorKinds, action: adminMessages.auditActions };

/** For each list, the names of its filter values and orders, as its screen shows them. */
const labelsOf: Partial<Record<AuditAction, Readonly<Record<string, Labels>>>> = {
  'customers.listed': customers,
  'customers.exported': customers,
  'approvals.listed': queue,
  'verifications.listed': queue,
  'transactions.listed': transactions,
  'transactions.exported': transactions,
  'audit.listed': log,
  'audit.exported': log,
  'screening.listed': { state: screeningMessages.states },
  'requests.listed': { status: staffMessages.requestStates },
  'alerts.listed': { status: alertsMessages.states },
  'messages.listed': { list: contactMessages.lists },
  'unclaimed.listed': { list: unclaimedMessages.lists },
  'rail.listed': { list: railMessages.exceptionLists },
};

/**
 * Sort orders of the customer list. The back office has a name for each pair of order and direction. The audit log names the
 * order and the direction separately.
 */
const orders: Labels = { joined: 'day of joining', up: 'ascending', down: 'descending' };
const orderText = (value: string) => orders[value] ?? wordsOf(value);
const only = (value: string) => `only ${value}`;

/** How each part of a recorded query is described. If the list's screen names a value, `value` is that name in quotes. */
const queryParts: Record<string, (value: string, names: Names) => string> = {
  page: value => `page ${value}`,
  search: value => `search for ${value}`,
  list: only,
  state: only,
  status: only,
  type: only,
  document: value => `ID document: ${value}`,
  sort: value => `order: ${orderText(value)}`,
  direction: orderText,
  startDate: value => `from ${nameOfDay(value)}`,
  endDate: value => `to ${nameOfDay(value)}`,
  actorKind: only,
  action: only,
  person: (value, names) => `about ${names.get(value) ?? 'one person or transaction'}`,
  file: value => `file ${short(value)}`,
  before: () => 'older records',
};
const nextPart = new RegExp(`, (?=(?:${Object.keys(queryParts).join('|')}) )`);

/** Describes the query of a list, which `listAudit.ts` records as 'page 2, list waiting'. */
function describeQuery(query: string, names: Names, action?: AuditAction): string {
  const labels = (action && labelsOf[action]) ?? {};
  const parts = query.split(nextPart).map(part => {
    const [, name = '', value = ''] = /^(\w+) (.*)$/s.exec(part) ?? [];
    const known = labels[name] ?? {};
    const label = Object.hasOwn(known, value) ? `“${known[value]}”` : value;
    return queryParts[name]?.(label, names) ?? part;
  });
  return parts.join(', ');
}

/** How each field of a record is described, in display order; undefined for fields that are not shown. */
const descriptions: {
  [K in keyof AuditData]-?:
    | ((
        value: NonNullable<AuditData[K]>,
        names: Names,
        action: AuditAction | undefined,
        data: AuditData,
      ) => string)
    | undefined;
} = {
  request: (value, names) => [names.get(value), `request ${short(value)}`].filter(Boolean).join(', '),
  posted: describePosted,
  cents: (value, _names, _action, { currency = bank.currency }) =>
    formatAmount(centsToDollars(BigInt(value)), currency),
  currency: undefined,
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
  rule: value => alertsMessages.rules[value],
  alert: value => `alert ${short(value)}`,
  entry: value => `list entry ${value}`,
  entries: value => `list ${value.length === 1 ? 'entry' : 'entries'} ${value.join(', ')}`,
  mail: undefined,
  queryHash: undefined,
  purpose: undefined,
  debit: undefined,
  credit: undefined,
};

/**
 * Describes the data of a record as text. Returns '' if the data adds nothing to the action's name. `names`: see `namedIds`.
 */
export function describeDetails(data: AuditData, names: Names = new Map(), action?: AuditAction): string {
  return Object.entries(descriptions)
    .map(
      ([key, describe]) =>
        data[key as keyof AuditData] != null &&
        describe?.(data[key as keyof AuditData] as never, names, action, data),
    )
    .filter(Boolean)
    .join(', ');
}

/** The ids in the data of a record for which `describeDetails` needs the current names. */
export const namedIds = ({ goal, request, asked = '' }: AuditData): string[] => [
  ...[goal, request].filter(id => id !== undefined),
  ...(asked.match(/(?<=\bperson )\S{36}/g) ?? []),
];

/** Describes posted transactions. `lines`: `posted` of `AuditData`. */
function describePosted(lines: string[]): string {
  const listed = lines.slice(0, maxListed).map(line => {
    const [id, , , , cents] = line.split(' ') as [string, string, string, string, string];
    return `${referenceOf(id)} ${formatCents(BigInt(cents))}`;
  });
  const more = lines.length > maxListed ? ` and ${lines.length - maxListed} more` : '';
  return `${count(lines.length, 'transaction')}: ${listed.join(', ')}${more}`;
}
