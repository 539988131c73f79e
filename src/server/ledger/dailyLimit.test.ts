/** What the check of a daily limit costs the database. Postings of other customers wait for it, so it must be cheap. */
import { expect, test } from 'vitest';
import { cloneDatabase } from '../../../tests/database.ts';
import { aCustomer } from '../../../tests/person.ts';

test('after ten thousand transfers in a day, checking the daily limit costs less than eight times as much as summing them [BR-21]', async () => {
  const { database, drop } = await cloneDatabase();
  const client = await database.ownerPool.connect();
  try {
    const [sender, receiver] = [await aCustomer(database), await aCustomer(database)];
    // Only the number of transactions counts here, so their journal entries are left out.
    await client.query('SET session_replication_role = replica');
    await client.query(
      `INSERT INTO transactions (id, type, amount, sender_account, sender_seq, receiver_account, receiver_seq, created_at,
                                 actor, key_hash, request_hash, reference, description)
       SELECT gen_random_uuid(), 'transfer', 1, $1, i, $2, i, now(), $3, gen_random_uuid(), gen_random_uuid(), 'R' || i, ''
         FROM generate_series(1, 10000) i`,
      [sender.accountId, receiver.accountId, sender.id],
    );
    await client.query('UPDATE ledger_accounts SET entry_count = 10000 WHERE id = $1', [sender.accountId]);
    /** The fastest of ten runs, in milliseconds. */
    const fastest = async (statement: string) => {
      let best = Number.POSITIVE_INFINITY;
      for (let run = 0; run < 10; run++) {
        const began = performance.now();
        const { rows } = await client.query<{ cents: string }>(statement, [sender.accountId]);
        best = Math.min(best, performance.now() - began);
        expect(Number(rows[0]!.cents)).toBe(10_000);
      }
      return best;
    };
    const sum = await fastest('SELECT sum(amount) AS cents FROM transactions WHERE sender_account = $1');
    expect(await fastest('SELECT money_out_on_day($1, now()) AS cents')).toBeLessThan(8 * sum);
  } finally {
    client.release();
    await drop();
  }
});
