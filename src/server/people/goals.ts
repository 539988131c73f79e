/** Savings goals: what customers save for, and the rules that move money. The money itself is in the ledger. */
import { sql } from 'kysely';
import { goals as limits } from '#contract/constants.ts';
import { invalidField, Refusal } from '#contract/errors.ts';
import type { DecodedGoal, GoalChange, GoalPicture, NewGoal, RuleFrequency } from '#contract/goals.ts';
import { fill } from '#contract/messages/fill.ts';
import * as goalsMessages from '#contract/messages/goals.ts';
import { newId } from '../base/uuid.ts';
import type { Reader, Tx } from '../db/database.ts';
import { findMade, type InsertKey, lockOwner, type Owner } from './keyedInserts.ts';
import { isRetryDue, localTime, nextRetry, runningDate } from './runTimes.ts';

/**
 * Adds a goal and returns its id. `openAccount` opens its ledger account. For a repeated key, returns the first goal's id, with
 * `isNew` false, or refuses `IDEMPOTENCY_MISMATCH` if the request differs. Refuses `ACCOUNT_FROZEN`, dates that are too early,
 * and `CONFLICT` if the customer has the maximum number of goals.
 */
export async function insertGoal(
  tx: Tx,
  owner: Owner,
  { name, picture, target, targetDate, rule, roundUp }: NewGoal,
  { key, request }: InsertKey,
  openAccount: () => Promise<bigint>,
): Promise<{ id: string; isNew: boolean }> {
  const { accountId } = owner;
  const { isFrozen } = await lockOwner(tx, owner);
  const made = await findMade(tx, 'goals', { key, request });
  if (made !== undefined) return { id: made, isNew: false };
  if (isFrozen) throw new Refusal('ACCOUNT_FROZEN');
  const counted = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM goals WHERE account_id = ${accountId} AND deleted_at IS NULL`.execute(tx);
  if (counted.rows[0]!.n >= limits.max)
    throw new Refusal('CONFLICT', { message: fill(goalsMessages.tooMany, { max: limits.max }) });
  // Locks goals before accounts, as the job that runs their rules does (no deadlocks).
  if (roundUp) await lockGoals(tx, accountId);
  const id = newId();
  await sql`
    INSERT INTO goals (id, account_id, ledger_account, name, picture, target, key_hash, request_hash)
    VALUES (${id}, ${accountId}, ${await openAccount()}, ${name}, ${picture}, ${target}, ${key}, ${request})`.execute(
    tx,
  );
  await changeGoal(tx, accountId, id, { targetDate, rule, roundUp });
  return { id, isNew: true };
}

/**
 * Locks all goals of a customer until the transaction ends. Call it before locking their accounts, as the job that runs their
 * rules does (no deadlocks).
 */
export async function lockGoals(tx: Tx, accountId: bigint): Promise<void> {
  await sql`SELECT FROM goals WHERE account_id = ${accountId} ORDER BY id FOR UPDATE`.execute(tx);
}

/** Locks a goal until the transaction ends. Refuses `NOT_FOUND` if this customer has no such goal. */
async function lockGoal(
  tx: Tx,
  accountId: bigint,
  id: string,
): Promise<{ goalAccount: bigint; today: string }> {
  const found = await sql<{ goalAccount: bigint; today: string }>`
    SELECT ledger_account AS "goalAccount", bank_day(now())::text AS today
      FROM goals WHERE account_id = ${accountId} AND id = ${id} AND deleted_at IS NULL FOR NO KEY UPDATE`.execute(
    tx,
  );
  if (!found.rows[0]) throw new Refusal('NOT_FOUND', { message: goalsMessages.gone });
  return found.rows[0];
}

/**
 * Changes a goal. A new rule begins at its first date. Turning round-ups on turns them off for every other goal. Refuses
 * `NOT_FOUND` if this customer has no such goal. Also refuses a target date that is not in the future, and a first date that
 * has passed.
 */
export async function changeGoal(
  tx: Tx,
  accountId: bigint,
  id: string,
  { name, picture, target, targetDate, rule, roundUp }: GoalChange,
): Promise<void> {
  // Locks all goals, because round-ups of another goal are turned off.
  if (roundUp) await lockGoals(tx, accountId);
  const { today } = await lockGoal(tx, accountId, id);
  if (targetDate && targetDate <= today) throw invalidField('targetDate', goalsMessages.targetDate);
  if (rule && rule.startDate < today) throw invalidField('rule.startDate', goalsMessages.ruleStart);
  await sql`
    UPDATE goals SET name = coalesce(${name ?? null}, name), picture = coalesce(${picture ?? null}, picture),
           target = coalesce(${target ?? null}::bigint, target)
     WHERE id = ${id}`.execute(tx);
  if (targetDate !== undefined)
    await sql`UPDATE goals SET target_date = ${targetDate} WHERE id = ${id}`.execute(tx);
  if (rule === null)
    await sql`UPDATE goals SET rule_date = NULL, rule_retry_at = NULL WHERE id = ${id}`.execute(tx);
  if (rule)
    // A rule moves money only once a day. If the former rule moved money today, a rule that starts today continues with its
    // next date.
    await sql`
      UPDATE goals
         SET rule_amount = ${rule.amount}, rule_frequency = ${rule.frequency}, rule_start = ${rule.startDate},
             rule_index = f.done, rule_date = scheduled_date(${rule.startDate}, ${rule.frequency}, f.done), rule_retry_at = NULL
        FROM (SELECT count(*)::int AS done FROM goals
               WHERE id = ${id} AND rule_moved AND rule_ran_on = ${rule.startDate}) f
       WHERE id = ${id}`.execute(tx);
  if (roundUp === false)
    await sql`UPDATE goals SET round_up_seq = NULL, round_up_on = NULL WHERE id = ${id}`.execute(tx);
  if (roundUp) {
    await sql`
      UPDATE goals SET round_up_seq = NULL, round_up_on = NULL
       WHERE account_id = ${accountId} AND id <> ${id} AND round_up_seq IS NOT NULL`.execute(tx);
    await sql`
      UPDATE goals g SET round_up_seq = a.entry_count, round_up_on = bank_day(now())
        FROM ledger_accounts a WHERE g.id = ${id} AND a.id = g.account_id AND g.round_up_seq IS NULL`.execute(
      tx,
    );
  }
}

/** Deletes a goal and returns its account, which the caller empties. Refuses `NOT_FOUND` if this customer has no such goal. */
export async function deleteGoal(tx: Tx, accountId: bigint, id: string): Promise<bigint> {
  const { goalAccount } = await lockGoal(tx, accountId, id);
  await sql`
    UPDATE goals SET deleted_at = now(), rule_date = NULL, rule_retry_at = NULL, round_up_seq = NULL, round_up_on = NULL
     WHERE id = ${id}`.execute(tx);
  return goalAccount;
}

/**
 * The account of a customer's goal. Deleted goals are found too. Refuses `NOT_FOUND` if this customer never had such a goal.
 */
export async function findGoalAccount(reader: Reader, accountId: bigint, id: string): Promise<bigint> {
  const found = await sql<{ ledger_account: bigint }>`
    SELECT ledger_account FROM goals WHERE account_id = ${accountId} AND id = ${id}`.execute(reader);
  if (!found.rows[0]) throw new Refusal('NOT_FOUND');
  return found.rows[0].ledger_account;
}

type Row = {
  id: string;
  name: string;
  picture: GoalPicture;
  target: bigint;
  target_date: string | null;
  saved: bigint;
  rule_amount: bigint | null;
  rule_frequency: RuleFrequency | null;
  rule_start: string | null;
  rule_date: string | null;
  rule_retry_at: Date | null;
  ran_on: string | null;
  rule_moved: boolean | null;
  round_up: boolean;
  created_at: Date;
};

/** The customer's goals, the oldest first; or only the one with this id, even if it was deleted. */
export async function readGoals(reader: Reader, accountId: bigint, id?: string): Promise<DecodedGoal[]> {
  const found = await sql<Row>`
    SELECT g.id, g.name, g.picture, g.target, g.target_date::text, a.balance AS saved, g.rule_amount, g.rule_frequency,
           g.rule_start::text, g.rule_date::text, g.rule_retry_at, g.rule_ran_on::text AS ran_on, g.rule_moved,
           g.round_up_seq IS NOT NULL AS round_up, g.created_at
      FROM goals g JOIN ledger_accounts a ON a.id = g.ledger_account
     WHERE g.account_id = ${accountId}
       AND CASE WHEN ${id ?? null}::uuid IS NULL THEN g.deleted_at IS NULL ELSE g.id = ${id ?? null} END
     ORDER BY g.id`.execute(reader);
  return found.rows.map(row => ({
    _id: row.id,
    name: row.name,
    picture: row.picture,
    target: row.target,
    ...(row.target_date !== null && { targetDate: row.target_date }),
    saved: row.saved,
    ...(row.rule_date !== null && {
      rule: {
        amount: row.rule_amount!,
        frequency: row.rule_frequency!,
        startDate: row.rule_start!,
        nextDate: row.rule_date,
        ...(row.rule_retry_at && { retriesAt: row.rule_retry_at }),
      },
      ...(row.ran_on !== null && { lastRun: { date: row.ran_on, isMoved: row.rule_moved === true } }),
    }),
    roundUp: row.round_up,
    createdAt: row.created_at,
  }));
}

/** One goal, even if it was deleted. Refuses `NOT_FOUND` if this customer never had such a goal. */
export async function readGoal(reader: Reader, accountId: bigint, id: string): Promise<DecodedGoal> {
  const [goal] = await readGoals(reader, accountId, id);
  if (!goal) throw new Refusal('NOT_FOUND');
  return goal;
}

/** A goal whose rule or round-ups are due. */
export type DueGoal = {
  id: string;
  accountId: bigint;
  goalAccount: bigint;
  customerId: string;
  /** For a rule, the date. For round-ups, the sequence number of the account's last entry to include. */
  due: string;
  amount: bigint;
};

/** What a goal `g` with the account `s` still needs to reach its target. */
const missing = sql`greatest(g.target - s.balance, 0)`;

const dueColumns = sql`g.id, g.account_id AS "accountId", g.ledger_account AS "goalAccount", c.id AS "customerId"`;

/**
 * Locks the next goals whose rule is due, except goals that another process has locked. Returns them in the order of their
 * accounts, because postings lock accounts in that order. `failed`: ids of goals to leave out. `at`: the time to run them for;
 * null: the database's clock.
 */
export async function lockDueRules(
  tx: Tx,
  { most, failed }: { most: number; failed: readonly string[] },
  at: Date | null,
): Promise<(DueGoal & { daysLate: number })[]> {
  const found = await sql<DueGoal & { daysLate: number }>`
    WITH g AS MATERIALIZED (
      SELECT * FROM goals
       WHERE id <> ALL (${failed}::uuid[])
         AND rule_date <= ${runningDate(at)} AND ${isRetryDue('rule_retry_at', at)}
       ORDER BY rule_date, id LIMIT ${most} FOR NO KEY UPDATE SKIP LOCKED)
    SELECT ${dueColumns}, g.rule_date::text AS due, least(g.rule_amount, ${missing}) AS amount,
           ${localTime(at)}::date - g.rule_date AS "daysLate"
      FROM g JOIN customers c ON c.account_id = g.account_id JOIN ledger_accounts s ON s.id = g.ledger_account
     ORDER BY g.account_id, g.id`.execute(tx);
  return found.rows;
}

/**
 * What happened on the due date of a locked goal. `left out`: the date was too long ago, or the ledger refused the movement.
 * `later`: the balance was too small, so the rule runs again at the next retry hour today, if there is one. `reached`: the goal
 * has reached its target, so there is nothing to move.
 */
export type RuleRun = { id: string; result: 'moved' | 'left out' | 'later' | 'reached' };

/**
 * Moves locked goals to their next dates, or postpones them to the next retry hour. Notifies customers of dates that were left
 * out because the balance was too small.
 */
export async function recordRuleRuns(tx: Tx, runs: readonly RuleRun[], at: Date | null): Promise<void> {
  const columns = [runs.map(run => run.id), runs.map(run => run.result), runs.map(() => newId())];
  await sql`
    WITH next AS MATERIALIZED (
      SELECT ${nextRetry(at)} AS retry_at
    ), q AS MATERIALIZED (
      SELECT q.*, q.result = 'later' AND next.retry_at IS NOT NULL AS waits, next.retry_at
        FROM unnest(${columns[0]}::uuid[], ${columns[1]}::text[], ${columns[2]}::uuid[]) AS q(id, result, notification_id), next
    ), notified AS (
      INSERT INTO notifications (account_id, id, kind)
      SELECT g.account_id, q.notification_id, 'goal-left-out' FROM q JOIN goals g ON g.id = q.id
       WHERE q.result = 'later' AND NOT q.waits
    )
    UPDATE goals g
       SET rule_retry_at = CASE WHEN q.waits THEN q.retry_at END,
           rule_ran_on = CASE WHEN q.waits OR q.result = 'reached' THEN rule_ran_on ELSE rule_date END,
           rule_moved = CASE WHEN q.waits OR q.result = 'reached' THEN rule_moved ELSE q.result = 'moved' END,
           rule_index = rule_index + CASE WHEN q.waits THEN 0 ELSE 1 END,
           rule_date = CASE WHEN q.waits THEN rule_date ELSE scheduled_date(rule_start, rule_frequency, rule_index + 1) END
      FROM q WHERE g.id = q.id`.execute(tx);
}

/** At most this many transactions of an account are rounded up in one day. The rest waits until the next day. */
const maxRoundedUp = 10_000;

/**
 * Locks the next goals whose round-ups were last done before today, except goals that another process has locked. Returns their
 * ids. The arguments are those of `lockDueRules`.
 */
export async function lockDueRoundUps(
  tx: Tx,
  { most, failed }: { most: number; failed: readonly string[] },
  at: Date | null,
): Promise<string[]> {
  const found = await sql<{ id: string }>`
    SELECT id FROM goals
     WHERE id <> ALL (${failed}::uuid[])
       AND round_up_on < ${runningDate(at)}
     ORDER BY round_up_on, id LIMIT ${most} FOR NO KEY UPDATE SKIP LOCKED`.execute(tx);
  return found.rows.map(({ id }) => id);
}

/**
 * The round-ups of locked goals, in the order of their accounts. `amount`: the cents that round up each outgoing transfer since
 * the last round-ups to the next dollar, added up, but at most what the goal still needs. Returned transfers are left out.
 */
export async function readRoundUps(tx: Tx, ids: readonly string[]): Promise<DueGoal[]> {
  const found = await sql<DueGoal>`
    SELECT ${dueColumns}, n.due::text,
           (SELECT least(coalesce(sum((100 - t.amount % 100) % 100), 0)::bigint, ${missing}) FROM transactions t
             WHERE t.sender_account = g.account_id AND t.sender_seq > g.round_up_seq AND t.sender_seq <= n.due
               AND t.type IN ('transfer', 'external-transfer')
               AND NOT EXISTS (SELECT FROM external_transfers x WHERE x.transaction_id = t.id AND x.status = 'failed')) AS amount
      FROM goals g JOIN customers c ON c.account_id = g.account_id JOIN ledger_accounts a ON a.id = g.account_id
      JOIN ledger_accounts s ON s.id = g.ledger_account,
           LATERAL (SELECT least(a.entry_count, g.round_up_seq + ${maxRoundedUp})::bigint AS due) n
     WHERE g.id = ANY (${ids}::uuid[])
     ORDER BY g.account_id, g.id`.execute(tx);
  return found.rows;
}

/** Records that the round-ups of locked goals were done today. Round-ups without `isMoved` are included the next day. */
export async function recordRoundUps(
  tx: Tx,
  done: readonly (Pick<DueGoal, 'id' | 'due'> & { isMoved: boolean })[],
  at: Date | null,
): Promise<void> {
  const columns = [done.map(each => each.id), done.map(each => each.due), done.map(each => each.isMoved)];
  await sql`
    UPDATE goals g
       SET round_up_on = ${runningDate(at)},
           round_up_seq = CASE WHEN q.is_moved THEN q.due ELSE round_up_seq END
      FROM unnest(${columns[0]}::uuid[], ${columns[1]}::bigint[], ${columns[2]}::boolean[]) AS q(id, due, is_moved)
     WHERE g.id = q.id`.execute(tx);
}
