/** Removes personal data that the rail's files contain, once it is no longer needed. */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { PaymentRail } from '../outside/rail/rail.ts';

/** How long files stay in the folders `archive` and `refused`, and in the database if they have answers to another bank. */
const archiveMs = 30 * 24 * 60 * 60 * 1000;

/**
 * Deletes the stored content of outgoing files once all their payments have ended. Files with answers to another bank are kept
 * for 30 days, because that bank may need them again; the sandbox's bank never does. Also deletes the ids of answered deposits,
 * and old files of the folders. Returns how many files of the folders were deleted.
 */
export async function cleanUpRail({
  database,
  rail,
}: {
  database: Database;
  rail: Pick<PaymentRail, 'deleteBefore' | 'confirmsDeposits'>;
}): Promise<number> {
  const before = new Date(Date.now() - archiveMs);
  await database.inTransaction(tx =>
    sql`
      UPDATE rail_files f SET state = 'ended', content = NULL
       WHERE state = 'sent'
         AND NOT EXISTS (SELECT FROM rail_outgoing o JOIN external_transfers x ON x.transaction_id = o.transaction_id
                          WHERE o.file_id = f.id AND x.status = 'pending')
         AND NOT (${rail.confirmsDeposits} AND made_at > ${before}
                  AND EXISTS (SELECT FROM rail_outgoing o WHERE o.file_id = f.id AND o.answer_to IS NOT NULL))`.execute(
      tx,
    ),
  );
  await database.inTransaction(tx =>
    sql`
      UPDATE rail_incoming i SET original = '{}'
       WHERE outcome IN ('applied', 'sent-back') AND original <> '{}'
         AND EXISTS (SELECT FROM rail_outgoing o JOIN rail_files f ON f.id = o.file_id
                      WHERE o.answer_to = i.id AND f.state = 'ended')`.execute(tx),
  );
  return await rail.deleteBefore(before);
}
