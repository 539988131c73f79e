/**
 * Maintains the search texts: one row for every hundred consecutive transactions of a type, with each distinct text once, in
 * lower case. A job writes them up to the last page checkpoint, so they do not slow down postings. Newer transactions are
 * searched directly.
 */
import { sql } from 'kysely';
import { type TransactionType, transactionTypes } from '#contract/entities.ts';
import { nilId } from '../base/uuid.ts';
import type { Database } from '../db/database.ts';
import { planByIndex } from './indexPlans.ts';
import { readLastCheckpoint } from './pageCheckpoints.ts';

const transactionsPerRow = 100;
const batchSize = 20;

/** Writes missing rows for up to 2,000 transactions of each type; returns true if more may be missing. */
export async function updateSearchTexts(database: Database): Promise<boolean> {
  return await database.inTransaction(async tx => {
    await sql`SELECT pg_advisory_xact_lock(hashtext('larkspur texts'))`.execute(tx);
    await planByIndex(tx);
    const end = await readLastCheckpoint(tx);
    if (!end) return false;
    let hasMore = false;
    for (const type of transactionTypes) {
      const newest = await sql<{ last: string }>`
        SELECT last FROM search_texts WHERE type = ${isType(type)} ORDER BY last DESC LIMIT 1`.execute(tx);
      const begin = newest.rows[0]?.last ?? nilId;
      const written = await sql`
        INSERT INTO search_texts (type, first, last, texts)
        SELECT ${type}::transaction_type, h.first, h.last, search_texts_between(${type}::transaction_type, h.first, h.last)
          FROM (
            SELECT (array_agg(id ORDER BY id))[1] AS first, (array_agg(id ORDER BY id DESC))[1] AS last
              FROM (SELECT id, (row_number() OVER (ORDER BY id) - 1) / ${transactionsPerRow} AS place
                      FROM (SELECT id FROM transactions
                             WHERE type = ${isType(type)} AND id > ${begin}::uuid AND id <= ${end.id}::uuid
                             ORDER BY id LIMIT ${transactionsPerRow * batchSize}) t) n
             GROUP BY place HAVING count(*) = ${transactionsPerRow}) h`.execute(tx);
      hasMore ||= written.numAffectedRows === BigInt(batchSize);
    }
    return hasMore;
  });
}

// A literal, not a parameter, so that the planner can use the type's partial index.
const isType = (type: TransactionType) => sql`${sql.lit(type)}::transaction_type`;

/**
 * Completes the BRIN index of references. A search must read every part of the table that the index has not summarized.
 * PostgreSQL summarizes new parts itself after single postings, but not after an import.
 */
export async function summarizeReferences({ ownerPool }: Database): Promise<void> {
  await ownerPool.query("SELECT brin_summarize_new_values('transactions_reference')");
}
