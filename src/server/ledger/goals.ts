/**
 * Savings goals as accounts: opening one, moving money in and out, and reading the movements. Names and rules of goals are in
 * `people/goals.ts`.
 */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { Refusal } from '#contract/errors.ts';
import type { DecodedGoalMovement } from '#contract/goals.ts';
import * as goalsMessages from '#contract/messages/goals.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { type Page, pageOf, rowsBefore } from '../base/paging.ts';
import { fingerprint, newId } from '../base/uuid.ts';
import type { Reader, Tx } from '../db/database.ts';
import { type Refusals, toRefusal } from './refusals.ts';

const refusals: Refusals = {
  2: { code: 'IDEMPOTENCY_MISMATCH' },
  11: { code: 'NOT_AUTHORIZED' },
  12: { code: 'ACCOUNT_PENDING' },
  13: { code: 'ACCOUNT_FROZEN' },
  22: { code: 'NOT_FOUND', message: goalsMessages.gone },
  23: { code: 'INSUFFICIENT_BALANCE' },
  24: { code: 'VALIDATION', message: transferMessages.invalidAmount },
  26: { code: 'INSUFFICIENT_BALANCE', message: goalsMessages.goalTooSmall },
};

/**
 * `cents`: negative takes money out of the goal; null takes everything out and closes the goal's account. `key`: unique per
 * movement; without a key, each call moves money. `address`: the IP address of the request.
 */
export type GoalMove = {
  accountId: bigint;
  goalAccount: bigint;
  cents: bigint | null;
  cause: DecodedGoalMovement['cause'];
  actor: string;
  key?: string | undefined;
  address: string;
};

/** Opens the account of a goal and returns its id. */
export async function openGoalAccount(tx: Tx, accountId: bigint): Promise<bigint> {
  const opened = await sql<{ id: bigint | null }>`SELECT open_goal(${accountId}) AS id`.execute(tx);
  const { id } = opened.rows[0]!;
  if (id === null) throw new Refusal('NOT_AUTHORIZED');
  return id;
}

/**
 * Moves money between an account and one of its goals. Returns the id of the movement, or a refusal. The refusal of a
 * customer's own request is stored with the request's key: the caller must commit the transaction before it throws the refusal.
 */
export async function moveGoal(tx: Tx, move: GoalMove): Promise<{ id: string } | { refusal: Refusal }> {
  const { accountId, goalAccount, cents, cause, actor, key, address } = move;
  // A customer chooses the keys of requests, so the keys of rules and round-ups have another prefix.
  const prefix = cause === 'customer' ? 'goal' : `goal ${cause}`;
  const keyHash = key === undefined ? randomUUID() : fingerprint(prefix, actor, key);
  const requestHash = fingerprint('goal', String(goalAccount), String(cents));
  // A refused movement by a rule or a round-up is retried with the same key, so the refusal is not stored.
  const storesRefusal = cause === 'customer' && key !== undefined;
  const moved = await sql<{ outcome: number; id: string }>`
    SELECT outcome, id FROM move_goal(${newId()}, ${accountId}, ${goalAccount}, ${cents}, ${cause}, ${actor}, ${keyHash},
                                      ${requestHash}, ${storesRefusal}, ${address})`.execute(tx);
  const { outcome, id } = moved.rows[0]!;
  return outcome <= 1 ? { id } : { refusal: toRefusal(refusals, outcome) };
}

type MovementRow = {
  id: string;
  amount: bigint;
  cause: DecodedGoalMovement['cause'];
  created_at: Date;
  saved_after: bigint;
};

const movements = sql`
  SELECT m.id, m.amount, m.cause, m.created_at,
         CASE WHEN m.amount > 0 THEN e.credit_balance ELSE e.debit_balance END AS saved_after
    FROM goal_movements m JOIN journal_entries e ON e.transaction_id = m.id AND e.step = 1`;

const toMovement = ({ id, amount, cause, created_at, saved_after }: MovementRow): DecodedGoalMovement => ({
  _id: id,
  direction: amount > 0n ? 'in' : 'out',
  amount: amount > 0n ? amount : -amount,
  cause,
  timestamp: created_at,
  savedAfter: saved_after,
});

/** The movement with this id, which must exist. */
export async function readGoalMovement(reader: Reader, id: string): Promise<DecodedGoalMovement> {
  const found = await sql<MovementRow>`${movements} WHERE m.id = ${id}`.execute(reader);
  return toMovement(found.rows[0]!);
}

/** A page of the movements of a goal, newest first. */
export async function readGoalMovements(reader: Reader, goalAccount: bigint, page: Page) {
  const found = await sql<MovementRow>`
    ${movements} WHERE m.goal_account = ${goalAccount}
     ORDER BY m.created_at DESC LIMIT ${page.limit} OFFSET ${rowsBefore(page)}`.execute(reader);
  const counted = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM goal_movements WHERE goal_account = ${goalAccount}`.execute(reader);
  return { movements: found.rows.map(toMovement), ...pageOf(page, counted.rows[0]!.n) };
}
