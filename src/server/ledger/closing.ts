/** Closes a customer's account for good: afterwards it is empty and no money can enter or leave it. */
import { sql } from 'kysely';
import * as settingsMessages from '#contract/messages/settings.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import { newId } from '../base/uuid.ts';
import type { Tx } from '../db/database.ts';
import { referenceOf } from './ledger.ts';
import { type Refusals, toRefusal } from './refusals.ts';

/** `actor`: the id of the person who closes it. `address`: the IP address of the request. */
export type Closing = { accountId: bigint; by: 'owner' | 'admin'; actor: string; address: string };

const refusals: Refusals = {
  11: { code: 'NOT_FOUND' },
  13: { code: 'ACCOUNT_FROZEN' },
  31: { code: 'CONFLICT', message: settingsMessages.balanceNotZero },
  32: { code: 'CONFLICT', message: settingsMessages.pendingTransactions },
};

/**
 * Closes an account and erases the account names of its external transfers. If an administrator closes it, a remaining
 * balance moves to the unclaimed balances. The owner is refused `ACCOUNT_FROZEN`, or `CONFLICT` if there is a balance or a
 * pending transfer. `NOT_FOUND` if it is already closed.
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
