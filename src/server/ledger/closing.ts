/** Closing a customer's account for good: it holds nothing afterwards, and nothing can come in or go out. */
import { sql } from 'kysely';
import * as settingsMessages from '#contract/messages/settings.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import { newId } from '../base/uuid.ts';
import type { Tx } from '../db/database.ts';
import { referenceOf } from './ledger.ts';
import { type Refusals, toRefusal } from './refusals.ts';

/** `actor` is who closes it; `address` is where the request came from. */
export type Closing = { accountId: bigint; by: 'owner' | 'admin'; actor: string; address: string };

const refusals: Refusals = {
  11: { code: 'NOT_FOUND' },
  13: { code: 'ACCOUNT_FROZEN' },
  31: { code: 'CONFLICT', message: settingsMessages.balanceNotZero },
  32: { code: 'CONFLICT', message: settingsMessages.pendingTransactions },
};

/**
 * Closes an account; the names to which it sent money at other banks go. What it holds goes to the unclaimed balances
 * where an administrator closes it; its owner is refused `ACCOUNT_FROZEN`, or `CONFLICT` where it holds money or a
 * transfer is on its way. `NOT_FOUND` where it is closed.
 */
export async function closeAccount(tx: Tx, { accountId, by, actor, address }: Closing): Promise<void> {
  const sweep = newId();
  const closed = await sql<{ outcome: number }>`
    SELECT close_account(${accountId}, ${actor}, ${by === 'owner'}, ${sweep}, ${referenceOf(sweep)},
                         ${transactionsMessages.remainingBalance}, ${address}) AS outcome`.execute(tx);
  const { outcome } = closed.rows[0]!;
  if (outcome !== 0) throw toRefusal(refusals, outcome);
  await sql`SELECT erase_account_names(${accountId})`.execute(tx);
}
