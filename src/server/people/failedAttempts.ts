/**
 * Failed logins, codes and passwords in the audit log. The first ones of an hour are recorded one by one. Further ones are only
 * counted, and one record has their number, so that guessing cannot grow the log without bound.
 */
import { sql } from 'kysely';
import { type AuditAction, recordAudit } from '../db/audit.ts';
import type { Database, Tx } from '../db/database.ts';
import type { PersonKind } from '../db/personKind.ts';
import { isRecent } from '../db/storedTimes.ts';

/** How many attempts of an hour are recorded one by one: for each person, and for all unknown emails together. */
const maxRecorded = { person: 20, unknown: 200 } as const;

/** A failed attempt. `personId`: undefined for an unknown email. `address`: the IP address of the request. */
export type FailedAttempt = {
  kind: PersonKind;
  personId: string | undefined;
  action: Extract<AuditAction, 'login.failed' | 'reset.failed' | 'password.wrong' | 'step-up.failed'>;
  address: string;
  reason: string;
  purpose?: 'login' | 'reset';
};

type Counted = Pick<FailedAttempt, 'kind' | 'action'> & { personId: string | null; attempts: number };

const columns = sql`kind, person_id AS "personId", action, attempts`;
const isOver = sql`NOT ${isRecent(sql`began_at`, 3_600)}`;

/** Records or counts a failed attempt, which is committed or rolled back with the transaction. */
export async function recordFailedAttempt(tx: Tx, failed: FailedAttempt): Promise<void> {
  const { kind, personId, action, address, reason, purpose } = failed;
  const former = await sql<Counted>`
    DELETE FROM failed_attempts
     WHERE kind = ${kind} AND person_id IS NOT DISTINCT FROM ${personId ?? null} AND action = ${action} AND ${isOver}
    RETURNING ${columns}`.execute(tx);
  for (const hour of former.rows) await recordFurther(tx, hour);
  const counted = await sql<{ attempts: number }>`
    INSERT INTO failed_attempts AS hour (kind, person_id, action) VALUES (${kind}, ${personId ?? null}, ${action})
        ON CONFLICT (kind, person_id, action) DO UPDATE SET attempts = hour.attempts + 1
    RETURNING attempts`.execute(tx);
  if (counted.rows[0]!.attempts > limitFor(personId)) return;
  await recordAudit(tx, {
    actor: personId === undefined ? { kind } : { kind, id: personId },
    action,
    ...(personId !== undefined && { subject: personId }),
    address,
    data: { reason, ...(purpose && { purpose }) },
  });
}

const limitFor = (personId: string | null | undefined) =>
  personId == null ? maxRecorded.unknown : maxRecorded.person;

/** Records how many attempts of an hour were only counted, if there were any. */
async function recordFurther(tx: Tx, { kind, personId, action, attempts }: Counted): Promise<void> {
  const further = attempts - limitFor(personId);
  if (further <= 0) return;
  await recordAudit(tx, {
    actor: personId === null ? { kind } : { kind, id: personId },
    action,
    ...(personId !== null && { subject: personId }),
    data: { further },
  });
}

const batchSize = 500;

/**
 * Records the attempts that were only counted, for every hour that is over, and returns how many such hours there were. The
 * clean-up calls this. If the person's next attempt comes first, `recordFailedAttempt` has already recorded them.
 */
export async function recordCountedAttempts(database: Database, signal?: AbortSignal): Promise<number> {
  let ended = 0;
  for (let count = batchSize; count === batchSize && !signal?.aborted; ended += count) {
    count = await database.inTransaction(async tx => {
      const { rows } = await sql<Counted>`
        DELETE FROM failed_attempts WHERE id IN (
          SELECT id FROM failed_attempts WHERE ${isOver} ORDER BY began_at LIMIT ${batchSize} FOR UPDATE SKIP LOCKED)
        RETURNING ${columns}`.execute(tx);
      for (const hour of rows) await recordFurther(tx, hour);
      return rows.length;
    });
  }
  return ended;
}
