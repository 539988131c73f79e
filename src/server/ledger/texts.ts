/**
 * What transactions say, kept for searching: a hundred of one type in a row are one entry with every text once, in small letters. A job writes
 * them behind the marks, so that the postings pay nothing for them; what is newer than the last entry is read as it stands.
 */
import { sql } from 'kysely';
import { type TransactionType, transactionTypes } from '#contract/entities.ts';
import type { Database } from '../db/database.ts';
import { readLastMark } from './marks.ts';

const inARow = 100;
const rowsAtOnce = 20;

/** Writes what is missing of each type, two thousand transactions at most; true where there is more. */
export async function keepTexts(database: Database): Promise<boolean> {
  return await database.inTransaction(async tx => {
    await sql`SELECT pg_advisory_xact_lock(hashtext('larkspur texts'))`.execute(tx);
    const end = await readLastMark(tx);
    if (!end) return false;
    let hasMore = false;
    for (const type of transactionTypes) {
      const kept = await sql<{ last: string }>`
        SELECT last FROM transaction_texts WHERE type = ${isType(type)} ORDER BY last DESC LIMIT 1`.execute(
        tx,
      );
      const begin = kept.rows[0]?.last ?? '00000000-0000-0000-0000-000000000000';
      const written = await sql`
        INSERT INTO transaction_texts (type, first, last, texts)
        SELECT ${type}::transaction_type, h.first, h.last, texts_between(${type}::transaction_type, h.first, h.last)
          FROM (
            SELECT (array_agg(id ORDER BY id))[1] AS first, (array_agg(id ORDER BY id DESC))[1] AS last
              FROM (SELECT id, (row_number() OVER (ORDER BY id) - 1) / ${inARow} AS place
                      FROM (SELECT id FROM transactions
                             WHERE type = ${isType(type)} AND id > ${begin}::uuid AND id <= ${end.id}::uuid
                             ORDER BY id LIMIT ${inARow * rowsAtOnce}) t) n
             GROUP BY place HAVING count(*) = ${inARow}) h`.execute(tx);
      hasMore ||= written.numAffectedRows === BigInt(rowsAtOnce);
    }
    return hasMore;
  });
}

// Written out, so that the type's own index is found.
const isType = (type: TransactionType) => sql`${sql.lit(type)}::transaction_type`;
