/**
 * What happens to each field of a JSON column, and to each kind of stored file, when a customer is erased.
 * `erasing.test.ts` checks that these lists are complete. `personalData.ts` has the other columns.
 */
import type { AuditData } from '../db/audit.ts';

export const books = 'the books keep every entry and balance; without a name the account is a number';
export const evidence = 'evidence is never changed; without a name the id identifies no person';
export const whyActed =
  'why an administrator acted, which the bank must be able to show; it names no customer';
const untilTheJobEnds =
  'deleted with its job, which ends immediately if its person is gone, or two weeks after it failed permanently';

const untilReturned = 'deleted when the line was applied, or its deposit has gone back to the other bank';

/** What happens to each field of a JSON column: kept for a reason, or not personal. */
type JsonErasure<Field extends string> = Readonly<Record<Field, 'not personal' | { readonly kept: string }>>;

const auditData: JsonErasure<keyof AuditData> = {
  session: { kept: evidence },
  payee: { kept: 'a random id; the payee itself is deleted' },
  device: { kept: 'a random id; the device itself is deleted' },
  schedule: { kept: 'a random id; the scheduled transfer itself is deleted' },
  goal: { kept: 'a random id; the goal itself is deleted' },
  file: { kept: 'a random name; the file itself is removed' },
  posted: { kept: books },
  transaction: { kept: books },
  reverses: { kept: books },
  claims: { kept: books },
  request: 'not personal',
  mail: 'not personal',
  alert: 'not personal',
  rule: 'not personal',
  entry: { kept: evidence },
  entries: { kept: evidence },
  role: 'not personal',
  formerRole: 'not personal',
  debit: { kept: books },
  credit: { kept: books },
  cents: 'not personal',
  currency: 'not personal',
  count: 'not personal',
  further: 'not personal',
  asked: 'not personal',
  queryHash: { kept: 'reveals no name without the bank’s secret' },
  rows: 'not personal',
  opened: 'not personal',
  fields: 'not personal',
  statements: { kept: books },
  method: 'not personal',
  passkey: { kept: 'a random id; the passkey itself is deleted' },
  reason: { kept: whyActed },
  purpose: 'not personal',
};

export const jsonErasure = {
  'audit_log.data': auditData,
  'graphile_worker._private_jobs.payload': {
    personId: { kept: untilTheJobEnds },
    encryptedCode: { kept: `encrypted; ${untilTheJobEnds}` },
    encryptedAddressee: {
      kept: 'encrypted; mails whose recipient can no longer be looked up need it; deleted with the job',
    },
    changeId: { kept: untilTheJobEnds },
    isCopy: 'not personal',
    copies: 'not personal',
    copyOf: 'not personal',
    device: { kept: untilTheJobEnds },
    address: { kept: untilTheJobEnds },
    at: { kept: untilTheJobEnds },
    messageId: { kept: untilTheJobEnds },
    exportId: { kept: `a random id; the copy itself is deleted; ${untilTheJobEnds}` },
    answerId: { kept: untilTheJobEnds },
    proofId: 'not personal',
    linkId: 'not personal',
    requestId: 'not personal',
    retentionYears: 'not personal',
    month: 'not personal',
    reason: { kept: untilTheJobEnds },
    role: 'not personal',
    importId: 'not personal',
    stepUpId: { kept: `a random id; the challenge itself is deleted; ${untilTheJobEnds}` },
    scheduleId: { kept: untilTheJobEnds },
    payeeOrScheduleId: { kept: untilTheJobEnds },
    date: 'not personal',
    transactionId: { kept: books },
    network: { kept: untilTheJobEnds },
    resetId: 'not personal',
    template: 'not personal',
  },
  'rail_incoming.original': {
    messageId: 'not personal',
    instructionId: 'not personal',
    endToEndId: 'not personal',
    transactionId: 'not personal',
    uetr: 'not personal',
    companyName: { kept: untilReturned },
    companyId: { kept: untilReturned },
    sec: 'not personal',
    trace: 'not personal',
    id: { kept: untilReturned },
    name: { kept: untilReturned },
    routing: 'not personal',
  },
} as const satisfies Record<string, JsonErasure<string>>;

/** What happens to each kind of stored file. */
export const fileErasure = {
  avatar: 'removed after the commit that closes the account, or by `finishErasures`',
  'id-card': 'removed after the commit that closes the account, or by `finishErasures`',
} as const;
