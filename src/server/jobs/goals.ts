/**
 * Moves money into savings goals, up to their targets. A rule moves its amount on each of its dates. Once a day, round-ups move
 * what rounds each transfer up to the next dollar. A batch moves the money and records that in one transaction: after a crash,
 * each date and each transfer still counts once.
 */
import { scheduled } from '#contract/constants.ts';
import type { Database, Tx } from '../db/database.ts';
import { type GoalMove, moveGoal } from '../ledger/goals.ts';
import {
  type DueGoal,
  lockDueRoundUps,
  lockDueRules,
  type RuleRun,
  readRoundUps,
  recordRoundUps,
  recordRuleRuns,
} from '../people/goals.ts';
import { recordTried } from './backlog.ts';

/** Gives up after this many failed goals, because the cause then lies outside the goals. */
const maxFailures = 100;

/** Goals per batch. Postings of their customers wait until the batch ends. */
const batchSize = 64;

type GoalParts = { database: Database };

/** `most`: how many goals a batch may have. `locked`: the goals of the running batch. `failed`: the goals to skip. */
type Attempt = { most: number; locked: readonly string[]; failed: string[] };

/**
 * Runs the next batch. Returns false if nothing is due. If the batch fails, runs all due goals one by one, so that a goal that
 * fails does not stop the others, and throws the first error at the end. `at`: the time to run the batch for; by default the
 * database's clock.
 */
export async function runGoals(parts: GoalParts, at: Date | null = null): Promise<boolean> {
  const attempt: Attempt = { most: batchSize, locked: [], failed: [] };
  let failure: unknown;
  for (;;) {
    try {
      const [rules, roundUps] = [await runRules(parts, at, attempt), await runRoundUps(parts, at, attempt)];
      const isMoreDue = rules || roundUps;
      if (!isMoreDue) await recordTried(parts.database.reader, 'goals', attempt.failed);
      if (failure === undefined) return isMoreDue;
      if (!isMoreDue) break;
    } catch (error) {
      const { most, locked, failed } = attempt;
      if (locked.length === 0 || failed.length >= maxFailures) throw error;
      if (most === 1) failed.push(...locked);
      attempt.most = 1;
      failure ??= error;
    }
  }
  throw failure;
}

async function runRules({ database }: GoalParts, at: Date | null, attempt: Attempt): Promise<boolean> {
  return await database.inTransaction(async tx => {
    attempt.locked = [];
    const due = await lockDueRules(tx, attempt, at);
    attempt.locked = due.map(({ id }) => id);
    const runs: RuleRun[] = [];
    for (const goal of due) {
      const { id } = goal;
      if (goal.daysLate > scheduled.missedDays) {
        runs.push({ id, result: 'left out' });
        continue;
      }
      if (goal.amount === 0n) {
        runs.push({ id, result: 'reached' });
        continue;
      }
      const refused = await move(tx, goal, 'rule');
      const result = !refused ? 'moved' : refused === 'INSUFFICIENT_BALANCE' ? 'later' : 'left out';
      runs.push({ id, result });
    }
    if (runs.length > 0) await recordRuleRuns(tx, runs, at);
    return runs.length > 0;
  });
}

async function runRoundUps({ database }: GoalParts, at: Date | null, attempt: Attempt): Promise<boolean> {
  return await database.inTransaction(async tx => {
    attempt.locked = [];
    // Sets `locked` before it reads the amounts: if that takes too long, `runGoals` must run these goals one by one.
    attempt.locked = await lockDueRoundUps(tx, attempt, at);
    const done = [];
    for (const goal of await readRoundUps(tx, attempt.locked)) {
      const isMoved = goal.amount === 0n || !(await move(tx, goal, 'round-up'));
      done.push({ id: goal.id, due: goal.due, isMoved });
    }
    if (done.length > 0) await recordRoundUps(tx, done, at);
    return done.length > 0;
  });
}

/** Moves the due amount. Returns the code of a refusal. */
async function move(tx: Tx, goal: DueGoal, cause: GoalMove['cause']) {
  const { id, accountId, goalAccount, amount: cents, customerId: actor, due } = goal;
  const key = JSON.stringify([cause, id, due]);
  const moved = await moveGoal(tx, { accountId, goalAccount, cents, cause, actor, key, address: '' });
  return 'refusal' in moved ? moved.refusal.code : undefined;
}
