/**
 * Closes a customer's account for good: afterward it is empty and no money can enter or leave it. Also erases the names of
 * other banks' customers in its payments and deposits.
 */
import { sql } from 'kysely';
import * as settingsMessages from '#contract/messages/settings.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import { newId } from '../base/uuid.ts';
import type { Database, Tx } from '../db/database.ts';
import { referenceOf } from './ledger.ts';
import { type Refusals, toRefusal } from './refusals.ts';

/** `actor`: the id of the person who closes the account. `address`: the IP address of the request. */
export type Closing = { accountId: bigint; by: 'owner' | 'admin'; actor: string; address: string };

const refusals: Refusals = {
  11: { code: 'NOT_FOUND' },
  13: { code: 'ACCOUNT_FROZEN' },
  31: { code: 'CONFLICT', message: settingsMessages.balanceNotZero },
  32: { code: 'CONFLICT', message: settingsMessages.pendingTransactions },
};

/**
 * Closes an account. If an administrator closes it, a remaining balance moves to the unclaimed balances: returns the id of that
 * transaction. Refuses `NOT_FOUND` if the account is already closed. If the owner closes it, refuses `ACCOUNT_FROZEN` if the
 * account is frozen, and `CONFLICT` if it has a balance, money in a savings goal or a pending transfer.
 */
export async function closeAccount(
  tx: Tx,
  { accountId, by, actor, address }: Closing,
): Promise<string | undefined> {
  const sweep = newId();
  const closed = await sql<{ outcome: number }>`
    SELECT close_account(${accountId}, ${actor}, ${by === 'owner'}, ${sweep}, ${referenceOf(sweep)},
                         ${transactionsMessages.remainingBalance}, ${address}) AS outcome`.execute(tx);
  const { outcome } = closed.rows[0]!;
  if (outcome !== 0) throw toRefusal(refusals, outcome);
  const made = await sql<{ id: string }>`SELECT id FROM transactions WHERE id = ${sweep}`.execute(tx);
  return made.rows[0]?.id;
}

/**
 * Locks an account before it is closed, and returns its balance including its savings goals. The balance cannot change until
 * the transaction ends.
 */
export async function lockBalance(tx: Tx, accountId: bigint): Promise<bigint> {
  // Locks the same accounts in the same order as `close_account`, so that the two cannot deadlock.
  await sql`
    SELECT FROM ledger_accounts WHERE id IN (unclaimed_id(), ${accountId}) ORDER BY id FOR NO KEY UPDATE`.execute(
    tx,
  );
  // A movement to or from a goal locks the account first, so the goals cannot change either.
  const found = await sql<{ cents: bigint }>`
    SELECT sum(balance)::bigint AS cents FROM ledger_accounts
     WHERE id = ${accountId} OR (kind = 'goal' AND owner = ${accountId})`.execute(tx);
  return found.rows[0]!.cents;
}

/** Names erased per database transaction. Few, because each can be in a different search text, which must be rewritten. */
const batchSize = 100;

/**
 * Erases the account names of the external transfers of a closed account and the senders' names of its deposits, batch by
 * batch. Awaits `pause` before each batch. Returns how many names were erased. The name in a pending transfer stays until the
 * transfer ends.
 */
export async function eraseAccountNames(
  database: Database,
  accountId: bigint,
  pause: () => Promise<void>,
): Promise<number> {
  let erased = 0;
  for (let after: bigint | null = 0n; after !== null; ) {
    await pause();
    const from: bigint = after;
    const { rows } = await database.inTransaction(tx =>
      sql<{ last_seq: bigint | null; erased: number }>`
        SELECT last_seq, erased FROM erase_account_names(${accountId}, ${from}, ${batchSize})`.execute(tx),
    );
    after = rows[0]!.last_seq;
    erased += rows[0]!.erased;
  }
  for (let count = batchSize; count === batchSize; erased += count) {
    await pause();
    const { rows } = await database.inTransaction(tx =>
      sql<{ n: number }>`SELECT erase_depositors(${accountId}, ${batchSize}) AS n`.execute(tx),
    );
    count = rows[0]!.n;
  }
  return erased;
}
