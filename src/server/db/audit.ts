/**
 * The audit log: who did what, when and from where. A record is written in the same transaction as the act. A job seals the
 * records afterward (`ledger/sealing.ts`).
 */
import { sql } from 'kysely';
import type { ChangedField } from '#contract/adminCustomers.ts';
import type { AlertRule } from '#contract/alertRules.ts';
import type { LoginMethod } from '#contract/auth.ts';
import type { auditActions } from '#contract/messages/admin.ts';
import type { Role } from '#contract/roles.ts';
import type { Reader, Tx } from './database.ts';
import { isRecent } from './storedTimes.ts';

export type AuditAction = keyof typeof auditActions;

/** A field of a customer's identity, as the contract names it. */
export type IdentityField = 'dateOfBirth' | 'city' | ChangedField;

/**
 * What may be recorded with an act; never a secret or a person's name. The second group has the fields that the ledger's SQL
 * functions write; other records use some of them, too.
 * `areas/auditDetails.ts` defines what administrators see of each field.
 */
export type AuditData = {
  reason?: string | undefined;
  purpose?: 'login' | 'reset';
  /** How a person did the second step of a login, or confirmed an act. */
  method?: LoginMethod | 'passkey';
  /** Id of a passkey. */
  passkey?: string;
  /** Id of a session. */
  session?: string | undefined;
  /** Id of a payee. */
  payee?: string;
  /** Id of a device that gets push notifications. */
  device?: string;
  /** Id of a scheduled transfer. */
  schedule?: string;
  /** Id of a savings goal. */
  goal?: string;
  /** Name of a stored file. */
  file?: string;
  /** How many sessions ended. */
  count?: number;
  /** How many attempts within an hour were only counted, not recorded one by one. */
  further?: number;
  /** The query of a list, with the words of its search masked. */
  asked?: string;
  /** A keyed hash of the unmasked query. A repeated query has the same hash. */
  queryHash?: string;
  /** How many rows of a list were shown. */
  rows?: number;
  /** Whether the administrator who verified the ID document had opened it. */
  opened?: boolean;
  /** A line for each statement: account, month, closing balance in cents, hash of the movements, hash of the PDF. */
  statements?: string[];
  /** Which fields changed; never their values. */
  fields?: IdentityField[];
  /** An administrator's role, and the role before. */
  role?: Role;
  formerRole?: Role;
  /** Id of a request for a second approval. */
  request?: string;
  /** Id of an alert, and its rule. */
  alert?: string;
  rule?: AlertRule;
  /** Id of a stored mail. */
  mail?: string;
  /** Id of an entry of the sanctions list. Earlier versions recorded each found entry by itself. */
  entry?: string;
  /** Ids of the entries that one screening found. */
  entries?: string[];

  /** A line for each posting: transaction, actor, debited and credited account, cents, address. */
  posted?: string[];
  transaction?: string | undefined;
  cents?: number;
  /** The currency of `cents` if it is not the bank's. */
  currency?: string | undefined;
  debit?: number;
  credit?: number;
  /** For a reversal: the transaction that it reverses. */
  reverses?: string;
  /** For a payout: the transaction that moved the money to the unclaimed balances. */
  claims?: string;
};

/** `subject` is what was acted on, `address` where the request came from. */
export type AuditRecord = {
  actor: { kind: 'customer' | 'admin' | 'system'; id?: string };
  action: AuditAction;
  subject?: string | undefined;
  address?: string;
  data?: AuditData | undefined;
};

/** Writes a record, which is committed or rolled back with the transaction. */
export const recordAudit = (tx: Tx, record: AuditRecord): Promise<void> => recordAuditAll(tx, [record]);

/** Writes many records, as `recordAudit` does. */
export async function recordAuditAll(tx: Tx, records: readonly AuditRecord[]): Promise<void> {
  await sql`
    INSERT INTO audit_log (actor_kind, actor_id, action, subject, address, data)
    SELECT * FROM unnest(${records.map(({ actor }) => actor.kind)}::text[],
                         ${records.map(({ actor }) => actor.id ?? null)}::uuid[],
                         ${records.map(({ action }) => action)}::text[],
                         ${records.map(({ subject }) => subject ?? null)}::text[],
                         ${records.map(({ address }) => address ?? null)}::text[],
                         ${records.map(({ data }) => (data === undefined ? null : JSON.stringify(data)))}::jsonb[])`.execute(
    tx,
  );
}

/** Writes a record unless this person already has one with the same action and `queryHash` from the last `withinMs`. */
export async function recordAuditOnce(tx: Tx, record: AuditRecord, withinMs: number): Promise<void> {
  const { actor, action, data } = record;
  const found = await sql`
    SELECT FROM audit_log
     WHERE actor_id = ${actor.id ?? null} AND action = ${action} AND data->>'queryHash' = ${data?.queryHash ?? null}
       AND ${isRecent(sql`at`, withinMs / 1000)} LIMIT 1`.execute(tx);
  if (found.rows.length === 0) await recordAudit(tx, record);
}

/** The newest record of an action by a person on a subject: its id, age and data. Undefined if there is none. */
export async function findLastRecord(
  reader: Reader,
  { actorId, action, subject }: { actorId: string; action: AuditAction; subject: string },
): Promise<{ id: bigint; ageMs: number; data: AuditData | null } | undefined> {
  const found = await sql<{ id: bigint; ageMs: number; data: AuditData | null }>`
    SELECT id, (extract(epoch FROM clock_timestamp() - at) * 1000)::float8 AS "ageMs", data FROM audit_log
     WHERE subject = ${subject} AND actor_id = ${actorId} AND action = ${action}
     ORDER BY at DESC, id DESC LIMIT 1`.execute(reader);
  return found.rows[0];
}

/** The head of the chain: the number of sealed records and the last hash (hex), which covers all of them. */
export type AuditHead = { position: bigint; hash: string };
