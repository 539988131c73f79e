/**
 * What the bank does during a drill, and what must be true after it: customers send money, external transfers settle and
 * scheduled transfers run; afterward nothing acknowledged is lost or doubled, and `npm run ledger -- verify` finds no fault.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { transferApi } from '#contract/transfer.ts';
import { newId } from '#server/base/uuid.ts';
import { type Database, openDatabase } from '#server/db/database.ts';
import { makeTokens } from '#server/http/tokens.ts';
import { openLedger } from '#server/ledger/ledger.ts';
import { deriveSecrets } from '#server/secrets.ts';
import { checkBooks, readBookedTransfers } from '../faults/checkBooks.ts';
import { type Load, type RecordedPress, send, sendPress, startLoad } from '../faults/load.ts';
import { type SeededCustomer, seedCustomers } from '../seedCustomers.ts';
import { waitUntil } from '../waiting.ts';
import { appSecret, type Cluster } from './cluster.ts';

const ledgerCommand = fileURLToPath(new URL('../../src/server/commands/ledger.ts', import.meta.url));
const customerCount = 40;
/** The load is limited, because the cluster shares the processors with its clients. */
const senders = 6;
const pauseMs = 40;
/** Enough for all drills, because customers receive about what they send. Only transfers meant to be refused exceed it. */
const startCents = 10_000_00n;
const externalsPerDrill = 20;
const schedulesPerDrill = 20;
const settleLimitMs = 120_000;
/** If the server that claimed a mail dies, the mail is sent when the claim's lease of three minutes has ended. */
const leaseLimitMs = 240_000;

export type BankUnderTest = {
  startLoad(): Load;
  /** Sends external transfers and lets scheduled transfers become due, during the drill. */
  startJobs(): Promise<void>;
  /** Stops the load, waits until every payment is decided, and returns a sentence for everything that is wrong. */
  check(load: Load): Promise<string[]>;
  /** After all drills: waits until no transfer mail is queued, checks that mails arrived, and counts the repeated ones. */
  checkMails(): Promise<{ faults: string[]; repeated: number; arrived: number }>;
  close(): Promise<void>;
};

export async function openBankUnderTest(cluster: Cluster): Promise<BankUnderTest> {
  const database = openDatabase(cluster.owner, { size: 4 });
  const customers = await seedCustomers(database, makeTokens(deriveSecrets(appSecret)), customerCount);
  await credit(database, customers);
  /** The presses of 'Send Money' in all drills, by idempotency key. */
  const presses = new Map<string, RecordedPress>();
  /** Keys of acknowledged external transfers. */
  const externals = new Set<string>();
  let scheduled = 0;

  return {
    startLoad: () => startLoad(cluster.url, customers, senders, { pauseMs }),
    async startJobs() {
      const [from, to] = customers as [SeededCustomer, SeededCustomer];
      const ids = Array.from({ length: schedulesPerDrill }, newId);
      await retried(() =>
        database.ownerPool.query(
          `INSERT INTO scheduled_transfers (id, customer_id, account_id, account_number, amount, description, start_date,
                                            frequency, next_date, request_hash)
           SELECT id, $1, $2, $3, 100, 'scheduled', bank_day(now()) - 1, 'once', bank_day(now()) - 1, gen_random_uuid()
             FROM unnest($4::uuid[]) id ON CONFLICT DO NOTHING`,
          [from.customerId, from.accountId, to.accountNumber, ids],
        ),
      );
      scheduled += schedulesPerDrill;
      for (let n = 0; n < externalsPerDrill; n++) {
        const key = randomUUID();
        const sender = customers[n % customers.length]!;
        const body = {
          bankName: 'First Harbour',
          accountName: 'Ines Caldeira',
          // The sandbox returns payments to account numbers that end in 0000.
          accountNumber: n % 3 === 0 ? '73120840000' : '40218836117',
          amount: 1,
          description: key,
        };
        await retried(async () => {
          const answer = await send(cluster.url, transferApi.sendExternal, { key, from: sender, body });
          if (answer.status !== 201) throw new Error(`An external transfer got ${answer.status}.`);
        });
        externals.add(key);
      }
    },
    async check(load) {
      await load.stop();
      const wrong: string[] = [];
      for (const press of load.presses.values()) {
        if (press.outcome.kind === 'unknown')
          press.outcome = await waitUntil('a definite outcome', settleLimitMs, async () => {
            const outcome = await sendPress(cluster.url, press);
            return outcome.kind === 'acknowledged' || outcome.kind === 'refused' ? outcome : undefined;
          });
        presses.set(press.key, press);
        if (press.outcome.kind === 'refused' && press.amountCents < startCents)
          wrong.push(`${press.key} was refused (${press.outcome.code}), although there was money`);
      }
      const booked = await readBookedTransfers(database.reader);
      const transfers = booked.filter(({ key }) => key !== 'scheduled');
      const faults = [...wrong, ...checkBooks(presses.values(), transfers)];
      faults.push(...(await checkJobs(database, externals, scheduled)));
      faults.push(...(await verify(cluster)));
      return faults;
    },
    async checkMails() {
      const { mails } = cluster;
      const waiting = async () =>
        (await database.ownerPool.query<{ n: number }>('SELECT count(*)::int AS n FROM transfer_mails'))
          .rows[0]!.n;
      const left = await waitUntil('the mails', leaseLimitMs, async () => {
        await sleep(1_000);
        return (await waiting()) === 0 ? 0 : undefined;
      }).catch(waiting);
      const arrived = new Set(mails).size;
      const faults = left > 0 ? [`${left} rows of mails still wait`] : [];
      if (arrived === 0) faults.push('no mail arrived');
      return { faults, arrived, repeated: mails.length - arrived };
    },
    close: () => database.close(),
  };
}

async function credit(database: Database, customers: readonly SeededCustomer[]): Promise<void> {
  const ledger = openLedger(database);
  const order = {
    adminId: newId(),
    sessionId: null,
    amountCents: startCents,
    description: '',
    address: '::1',
  };
  await Promise.all(customers.map(({ accountNumber }) => ledger.credit({ ...order, accountNumber })));
  await ledger.close();
}

/** Repeats a call that fails, as clients do. */
async function retried(work: () => Promise<unknown>): Promise<void> {
  await waitUntil('an answer', settleLimitMs, () =>
    work().then(
      () => true as const,
      async () => {
        await sleep(200);
        return undefined;
      },
    ),
  );
}

/** Waits until payments and scheduled transfers are done, and checks that each was done once. */
async function checkJobs(
  { ownerPool }: Database,
  externals: ReadonlySet<string>,
  scheduled: number,
): Promise<string[]> {
  type Done = { pending: number; recorded: number };
  const done = await waitUntil('payments and scheduled transfers', settleLimitMs, async () => {
    // Jobs whose retry was delayed while the database was unreachable become due now.
    const { rows } = await ownerPool.query<Done>(
      `WITH hurried AS (UPDATE graphile_worker._private_jobs SET run_at = now()
                         WHERE attempts > 0 AND locked_at IS NULL AND run_at > now())
       SELECT (SELECT count(*)::int FROM external_transfers WHERE status = 'pending') AS pending,
              (SELECT count(*)::int FROM scheduled_runs WHERE result = 'sent') AS recorded`,
    );
    const found = rows[0]!;
    if (found.pending === 0 && found.recorded >= scheduled) return found;
    await sleep(500);
    return undefined;
  });
  const faults: string[] = [];
  if (done.recorded !== scheduled) faults.push(`${done.recorded} of ${scheduled} scheduled transfers ran`);
  const { rows } = await ownerPool.query<{ key: string; entries: number }>(
    `SELECT description AS key, (SELECT count(*)::int FROM journal_entries e WHERE e.transaction_id = t.id) AS entries
       FROM transactions t WHERE type = 'external-transfer'`,
  );
  for (const key of externals) {
    const own = rows.filter(row => row.key === key);
    if (own.length !== 1 || own[0]!.entries !== 2)
      faults.push(`external transfer ${key} has ${own.length} transactions with ${own[0]?.entries} entries`);
  }
  const paid = await ownerPool.query("SELECT FROM transactions WHERE description = 'scheduled'");
  if (paid.rowCount !== scheduled)
    faults.push(`${scheduled} scheduled transfers were paid ${paid.rowCount} times`);
  return faults;
}

async function verify({ settings }: Cluster): Promise<string[]> {
  try {
    await promisify(execFile)(process.execPath, [ledgerCommand, 'verify'], {
      cwd: settings.DATA_DIR,
      env: { PATH: process.env.PATH, ...settings },
    });
    return [];
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return [`npm run ledger -- verify: ${stdout}${stderr}`];
  }
}
