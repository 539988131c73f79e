/** Copies of all data about a customer, which jobs make. A row has the copy's customer, its progress, and its expiry. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type * as z from 'zod/mini';
import { dataCopies } from '#contract/constants.ts';
import { Refusal } from '#contract/errors.ts';
import { fill } from '#contract/messages/fill.ts';
import * as recordsMessages from '#contract/messages/records.ts';
import type { ExportJob } from '#contract/records.ts';
import { newId } from '../base/uuid.ts';
import type { Reader, Tx } from '../db/database.ts';
import { lockCustomer } from './customers.ts';

type DecodedExportJob = z.output<typeof ExportJob>;

/** A copy to make. `salt`: the value from which the key of its file is derived. */
export type PendingExport = { customerId: string; accountId: bigint; salt: Buffer };

/** The customer's copies that have not expired, newest first. */
export async function listExports(reader: Reader, customerId: string): Promise<DecodedExportJob[]> {
  const found = await sql<{
    id: string;
    created_at: Date;
    progress: number;
    ready_at: Date | null;
    size: bigint | null;
    expires_at: Date;
  }>`
    SELECT id, created_at, progress, ready_at, size, expires_at FROM export_jobs
     WHERE customer_id = ${customerId} AND expires_at > now() ORDER BY id DESC`.execute(reader);
  return found.rows.map(row => ({
    _id: row.id,
    createdAt: row.created_at,
    progress: row.progress,
    isReady: row.ready_at !== null,
    ...(row.ready_at && { readyAt: row.ready_at, size: Number(row.size), expiresAt: row.expires_at }),
  }));
}

/**
 * Adds a copy and enqueues the job that makes it. If a copy is already being made, returns that one. Refuses `TOO_MANY` if the
 * customer already has the maximum number of copies.
 */
export async function requestExport(
  tx: Tx,
  customerId: string,
): Promise<{ job: DecodedExportJob; isNew: boolean }> {
  // Serializes concurrent calls of one customer.
  await lockCustomer(tx, customerId);
  const stored = await listExports(tx, customerId);
  const open = stored.find(({ isReady }) => !isReady);
  if (open) return { job: open, isNew: false };
  if (stored.length >= dataCopies.stored) {
    const waitMs = stored.at(-1)!.expiresAt!.getTime() - Date.now();
    throw new Refusal('TOO_MANY', {
      message: fill(recordsMessages.tooManyCopies, { most: dataCopies.stored }),
      waitTime: Math.max(1, Math.ceil(waitMs / 1000)),
    });
  }
  const id = newId();
  await sql`
    INSERT INTO export_jobs (id, customer_id, salt) VALUES (${id}, ${customerId}, ${randomBytes(16)})`.execute(
    tx,
  );
  await sql`SELECT enqueue_export(${id})`.execute(tx);
  return { job: (await listExports(tx, customerId))[0]!, isNew: true };
}

/** A copy that must still be made; undefined if it is ready, or if the copy or its customer was deleted. */
export async function findPendingExport(reader: Reader, id: string): Promise<PendingExport | undefined> {
  const found = await sql<PendingExport>`
    SELECT c.id AS "customerId", c.account_id AS "accountId", j.salt
      FROM export_jobs j JOIN customers c ON c.id = j.customer_id
     WHERE j.id = ${id} AND j.ready_at IS NULL AND c.deleted_at IS NULL`.execute(reader);
  return found.rows[0];
}

/** A copy that its customer can download, with the time at which it was made; undefined if there is none. */
export async function findReadyExport(
  reader: Reader,
  customerId: string,
  id: string,
): Promise<{ salt: Buffer; readyAt: Date } | undefined> {
  const found = await sql<{ salt: Buffer; readyAt: Date }>`
    SELECT salt, ready_at AS "readyAt" FROM export_jobs
     WHERE id = ${id} AND customer_id = ${customerId} AND ready_at IS NOT NULL AND expires_at > now()`.execute(
    reader,
  );
  return found.rows[0];
}

/** Stores the progress. A copy that is made again after an interruption shows the former progress until the new is higher. */
export async function recordProgress(tx: Tx, id: string, percent: number): Promise<void> {
  await sql`
    UPDATE export_jobs SET progress = greatest(progress, ${percent}::int) WHERE id = ${id} AND ready_at IS NULL`.execute(
    tx,
  );
}

/** Marks a copy as ready. Returns false if it was already ready, or was deleted. */
export async function finishExport(tx: Tx, id: string, size: number): Promise<boolean> {
  const finished = await sql`
    UPDATE export_jobs SET progress = 100, ready_at = now(), size = ${size},
           expires_at = now() + make_interval(days => ${dataCopies.days})
     WHERE id = ${id} AND ready_at IS NULL`.execute(tx);
  return finished.numAffectedRows === 1n;
}

/** Deletes a copy that could not be made. Returns false if it is ready, or was deleted. */
export async function deletePendingExport(tx: Tx, id: string): Promise<boolean> {
  const deleted = await sql`DELETE FROM export_jobs WHERE id = ${id} AND ready_at IS NULL`.execute(tx);
  return deleted.numAffectedRows === 1n;
}

export async function deleteExpiredExports(tx: Tx): Promise<number> {
  const deleted = await sql`DELETE FROM export_jobs WHERE expires_at <= now()`.execute(tx);
  return Number(deleted.numAffectedRows);
}

/** Which of these ids have a row in the table. */
export async function existingExports(reader: Reader, ids: string[]): Promise<Set<string>> {
  const found = await sql<{ id: string }>`
    SELECT id FROM export_jobs WHERE id = ANY (${ids}::uuid[])`.execute(reader);
  return new Set(found.rows.map(({ id }) => id));
}
