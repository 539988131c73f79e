/**
 * The daily task `make-statements`: makes the statement of every month that has ended, and seals its figures and hashes. The
 * statements of a batch of accounts are stored in one transaction with their audit record, so a killed process repeats at most
 * a batch.
 */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { Counter, Gauge } from 'prom-client';
import { monthOf } from '#contract/bankTime.ts';
import { waitUntilIdle } from '../base/waitUntilIdle.ts';
import { recordAudit } from '../db/audit.ts';
import { isLost, isOverloaded } from '../db/database.ts';
import { notify } from '../db/notifications.ts';
import {
  findAccountsWithout,
  monthBefore,
  openStatement,
  readMonthFigures,
  type SealedStatement,
  storeStatements,
} from '../ledger/statements.ts';
import type { Parts } from '../parts.ts';
import { listOptedIn } from '../people/preferences.ts';
import { enqueueJob } from './queue.ts';

export type StatementParts = Pick<Parts, 'database' | 'documents' | 'log'>;

const accountsPerBatch = 25;
/** A busy server pauses at most this long before the next accounts. */
const maxYieldMs = 100;
/** Two accounts at a time: the database reads one while the thread computes the document of the other. */
const atATime = 2;

export const statementMetrics = {
  made: new Counter({
    name: 'larkspur_statements_made_total',
    help: 'statements of closed months made and sealed by this process',
    registers: [],
  }),
  failed: new Counter({
    name: 'larkspur_statements_failed_total',
    help: 'accounts with a statement that could not be made, counted in each run of this process',
    registers: [],
  }),
  waiting: new Gauge({
    name: 'larkspur_statement_accounts_in_batch',
    help: 'accounts of the running batch whose statements are not made yet; 0 while no statements are made',
    registers: [],
  }),
};

/**
 * Makes the missing statements, account by account, until done or until `signal` aborts. Yields to requests. `at`: the time
 * that decides which months have ended; by default the database's, because a process whose clock is ahead would seal a month
 * too early.
 */
export async function makeStatements(parts: StatementParts, signal?: AbortSignal, at?: Date): Promise<void> {
  const { database, log } = parts;
  const now = at ?? (await sql<{ now: Date }>`SELECT now()`.execute(database.reader)).rows[0]!.now;
  const newest = monthBefore(monthOf(now));
  let made = 0;
  /** Failures of the database. The job throws the first one at the end, after the other accounts, and is then tried again. */
  const outages: unknown[] = [];
  try {
    for (let after = 0n; ; ) {
      signal?.throwIfAborted();
      const { accounts, last } = await findAccountsWithout(database.reader, newest, after, accountsPerBatch);
      if (last === undefined) break;
      after = last;
      const statements: SealedStatement[] = [];
      for (let done = 0; done < accounts.length; done += atATime) {
        statementMetrics.waiting.set(accounts.length - done);
        await waitUntilIdle(signal, maxYieldMs);
        const group = accounts.slice(done, done + atATime);
        const lists = await Promise.all(
          group.map(accountId => makeForAccount(parts, accountId, now, outages, signal)),
        );
        statements.push(...lists.flat());
      }
      made += await seal(parts, statements, newest);
      if (statements.length > 0) log.info({ made, account: String(after) }, 'statements made');
    }
    if (outages.length > 0) throw outages[0];
  } finally {
    statementMetrics.waiting.set(0);
  }
}

/** The statements of an account's closed months that are not stored yet, oldest first. */
async function makeForAccount(
  { database, documents, log }: StatementParts,
  accountId: bigint,
  now: Date,
  outages: unknown[],
  signal?: AbortSignal,
): Promise<SealedStatement[]> {
  const statements: SealedStatement[] = [];
  let month: string | undefined;
  try {
    const figures = await readMonthFigures(database.reader, accountId, now);
    for (const { month: next, isSoFar, contentHash: isStored } of figures) {
      if (isSoFar || isStored) continue;
      signal?.throwIfAborted();
      month = next;
      const statement = await openStatement(database.reader, accountId, month, now);
      const fileHash = createHash('sha256');
      for await (const bytes of documents.statement(statement!)) fileHash.update(bytes as Uint8Array);
      statements.push({
        ...statement!,
        accountId,
        contentHash: statement!.contentHashOf(),
        fileHash: fileHash.digest(),
      });
    }
  } catch (error) {
    signal?.throwIfAborted();
    // The account's later months need this statement, so they are not made either. Other accounts do not need it.
    log.error({ err: error, account: String(accountId), month }, 'a statement could not be made');
    if (isLost(error) || isOverloaded(error)) outages.push(error);
    else statementMetrics.failed.inc();
  }
  return statements;
}

/**
 * Stores statements and their audit record. Notifies customers of a statement for the month `newest` if they asked for that.
 * Returns how many statements were not stored before.
 */
async function seal(
  { database }: StatementParts,
  statements: SealedStatement[],
  newest: string,
): Promise<number> {
  if (statements.length === 0) return 0;
  const stored = await database.inTransaction(async tx => {
    const added = await storeStatements(tx, statements);
    const lines = added.map(({ accountId, month, closingCents, contentHash, fileHash }) =>
      [accountId, month, closingCents, contentHash.toString('hex'), fileHash.toString('hex')].join(' '),
    );
    if (lines.length > 0)
      await recordAudit(tx, {
        actor: { kind: 'system' },
        action: 'statements.made',
        data: { statements: lines },
      });
    const accountIds = added.filter(({ month }) => month === newest).map(({ accountId }) => accountId);
    for (const { accountId, customerId, bell, mail } of await listOptedIn(tx, 'statements', accountIds)) {
      if (bell) await notify(tx, accountId, 'statement-ready');
      if (mail === 'each')
        await enqueueJob(tx, 'mail', { template: 'statement-ready', personId: customerId, month: newest });
    }
    return added.length;
  });
  statementMetrics.made.inc(stored);
  return stored;
}
