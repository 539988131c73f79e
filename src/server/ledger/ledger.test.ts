/**
 * The ledger on real PostgreSQL: the order of refusals, idempotency keys, races, locked accounts, tampering, and random
 * histories compared with a small model.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Refusal } from '#contract/errors.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import { cloneDatabase, type TestDatabase, testSecrets } from '../../../tests/database.ts';
import { creditCustomer, seedCustomer } from '../../../tests/seedCustomers.ts';
import { eventually, retryWhileBusy, waitLimitMs, waitUntil } from '../../../tests/waiting.ts';
import { newId } from '../base/uuid.ts';
import type { Tx } from '../db/database.ts';
import { makeTokens } from '../http/tokens.ts';
import { endSession, openSession } from '../people/sessions.ts';
import { listTransactions } from './accountList.ts';
import { setFrozen } from './accounts.ts';
import { closeAccount } from './closing.ts';
import { type Ledger, openLedger } from './ledger.ts';
import { readTotals } from './statistics.ts';
import { verifyBooks } from './verify.ts';

let test: TestDatabase;
let ledger: Ledger;
const adminId = newId();

beforeAll(async () => {
  test = await cloneDatabase();
  ledger = openLedger(test.database);
});

afterAll(async () => {
  await ledger.close();
  expect((await verifyBooks(test.database.reader)).faults).toEqual([]);
  await test.drop();
});

type TestCustomer = { customerId: string; accountId: bigint; number: string };

/** A customer with an account. `cents` are credited by the treasury. */
async function aCustomer(cents = 0n, { approved = true } = {}): Promise<TestCustomer> {
  const customer = await seedCustomer(test.database, makeTokens(testSecrets), { approved });
  if (cents > 0n) await creditCustomer(ledger, customer, cents);
  return { ...customer, number: customer.accountNumber };
}
const customers = (count: number, cents = 0n) =>
  Promise.all(Array.from({ length: count }, () => aCustomer(cents)));

/** Locks an account until `release` is called or the test ends. */
async function lockAccount({ accountId }: TestCustomer): Promise<() => Promise<void>> {
  const client = await test.database.ownerPool.connect();
  let isHeld = true;
  const release = async () => {
    if (isHeld) await client.query('ROLLBACK').finally(() => client.release());
    isHeld = false;
  };
  onTestFinished(release);
  await client.query('BEGIN');
  await client.query('SELECT FROM ledger_accounts WHERE id = $1 FOR UPDATE', [accountId]);
  return release;
}

const send = (
  from: TestCustomer,
  to: string,
  amountCents: bigint,
  idempotencyKey?: string,
  by: Ledger = ledger,
) =>
  by.transfer({
    customerId: from.customerId,
    sessionId: null,
    receiverAccountNumber: to,
    amountCents,
    description: '',
    idempotencyKey,
    address: '::1',
  });

/** 'posted', or the code of the refusal. */
const outcome = (sent: Promise<unknown>) =>
  sent.then(
    () => 'posted',
    error => (error instanceof Refusal ? error.code : Promise.reject(error)),
  );

async function balance({ accountId }: TestCustomer): Promise<bigint> {
  const found = await sql<{
    balance: bigint;
  }>`SELECT balance FROM ledger_accounts WHERE id = ${accountId}`.execute(test.database.reader);
  return found.rows[0]!.balance;
}

const change = <T>(work: Parameters<typeof test.database.inTransaction<T>>[0]) =>
  test.database.inTransaction(work);

async function close(tx: Tx, { accountId, customerId }: TestCustomer, by: 'owner' | 'admin'): Promise<void> {
  await sql`UPDATE customers SET deleted_at = now() WHERE id = ${customerId}`.execute(tx);
  await closeAccount(tx, { accountId, by, actor: adminId, address: '::1' });
}

describe('moving money', () => {
  it('posts waiting requests even if the clock of the process is set an hour ahead [RC-65]', async () => {
    const [anna, ben] = [await aCustomer(100n), await aCustomer()];
    const sending = send(anna, ben.number, 100n);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect(await outcome(sending)).toBe('posted');
  });

  it('moves the amount from one customer to the other, whose list then shows the transaction [M-07]', async () => {
    const [anna, ben] = [await aCustomer(10_000n), await aCustomer()];
    const sent = await send(anna, ben.number, 2_550n);
    expect(sent).toMatchObject({ type: 'transfer', status: 'completed', amount: 2_550n });
    expect(sent.reference).toMatch(/^LB-[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/);
    expect(await balance(anna)).toBe(7_450n);
    expect(await balance(ben)).toBe(2_550n);
    const filter = {
      page: 1,
      limit: 10,
      type: undefined,
      status: undefined,
      startDate: undefined,
      endDate: undefined,
      search: undefined,
    };
    const bens = await listTransactions(test.database.reader, ben.accountId, filter);
    expect(bens.transactions.map(t => t._id)).toEqual([sent._id]);
    expect(bens.stats).toEqual({ totalSent: 0n, totalReceived: 2_550n, totalTransactions: 1 });
  });

  it('is refused for the first reason that applies: the sender, the same account, the receiver, the balance', async () => {
    const receiver = await aCustomer();
    const pending = await aCustomer(0n, { approved: false });
    const poor = await aCustomer();
    const frozen = await aCustomer();
    await change(tx => setFrozen(tx, frozen.accountId, true));
    const closed = await aCustomer();
    await change(tx => close(tx, closed, 'admin'));
    const unknownNumber = '999999999993';

    // Every sender below also has too little money, and most name a wrong receiver: the first reason is returned.
    expect(await outcome(send(closed, unknownNumber, 1n))).toBe('NOT_AUTHORIZED');
    expect(await outcome(send(pending, unknownNumber, 1n))).toBe('ACCOUNT_PENDING');
    expect(await outcome(send(frozen, unknownNumber, 1n))).toBe('ACCOUNT_FROZEN');
    expect(await outcome(send(poor, poor.number, 1n))).toBe('SAME_ACCOUNT');
    expect(await outcome(send(poor, unknownNumber, 1n))).toBe('NOT_FOUND');
    expect(await outcome(send(poor, pending.number, 1n))).toBe('NOT_FOUND');
    expect(await outcome(send(poor, closed.number, 1n))).toBe('NOT_FOUND');
    expect(await outcome(send(poor, receiver.number, 1n))).toBe('INSUFFICIENT_BALANCE');
    expect(await outcome(send(poor, frozen.number, 1n))).toBe('INSUFFICIENT_BALANCE');
  });

  it('works for a frozen receiver', async () => {
    const [anna, frozen] = [await aCustomer(100n), await aCustomer()];
    await change(tx => setFrozen(tx, frozen.accountId, true));
    expect(await outcome(send(anna, frozen.number, 100n))).toBe('posted');
    expect(await balance(frozen)).toBe(100n);
  });

  it('cannot credit an account that waits for approval', async () => {
    const pending = await aCustomer(0n, { approved: false });
    const credited = ledger.credit({
      adminId,
      sessionId: null,
      accountNumber: pending.number,
      amountCents: 1n,
      description: 'x',
      address: '::1',
    });
    expect(await outcome(credited)).toBe('ACCOUNT_PENDING');
  });

  it('succeeds once for 50 parallel transfers of the whole balance', async () => {
    const [anna, ben] = [await aCustomer(5_000n), await aCustomer()];
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () => outcome(send(anna, ben.number, 5_000n))),
    );
    expect(outcomes.filter(o => o === 'posted')).toHaveLength(1);
    expect(outcomes.filter(o => o === 'INSUFFICIENT_BALANCE')).toHaveLength(49);
    expect([await balance(anna), await balance(ben)]).toEqual([0n, 5_000n]);
  });

  it('does not deadlock when two accounts send to each other', async () => {
    const [anna, ben] = [await aCustomer(1_000n), await aCustomer(1_000n)];
    const second = openLedger(test.database);
    const both = await Promise.all(
      Array.from({ length: 200 }, (_, i) => {
        const [from, to] = i % 2 === 0 ? [anna, ben] : [ben, anna];
        const by = i % 4 < 2 ? ledger : second;
        return outcome(
          by.transfer({
            customerId: from.customerId,
            sessionId: null,
            receiverAccountNumber: to.number,
            amountCents: 1n,
            description: '',
            address: '',
          }),
        );
      }),
    );
    await second.close();
    expect(new Set(both)).toEqual(new Set(['posted']));
    expect((await balance(anna)) + (await balance(ben))).toBe(2_000n);
  });

  it('keeps the balance of a busy account correct while two ledgers post to and from it', async () => {
    const hot = await aCustomer(10_000n);
    const others = await Promise.all(Array.from({ length: 20 }, () => aCustomer(1_000n)));
    const second = openLedger(test.database);
    const sent = await Promise.all(
      others.flatMap((other, i) =>
        Array.from({ length: 10 }, (_, n) => {
          const by = (i + n) % 2 ? ledger : second;
          const [from, to] = n % 2 ? [hot, other] : [other, hot];
          return outcome(
            by.transfer({
              customerId: from.customerId,
              sessionId: null,
              receiverAccountNumber: to.number,
              amountCents: 7n,
              description: '',
              address: '',
            }),
          );
        }),
      ),
    );
    await second.close();
    expect(sent.every(o => o === 'posted')).toBe(true);
    expect(await balance(hot)).toBe(10_000n);
  });
});

describe('the ledger in special cases', () => {
  it('refuses a transfer of a locked account as busy, and posts the transfer of another account', async () => {
    const [anna, ben, cara] = [await aCustomer(1_000n), await aCustomer(1_000n), await aCustomer(1_000n)];
    const release = await lockAccount(anna);
    const held = send(anna, ben.number, 10n).then(
      () => 'posted',
      (error: Refusal) => error.message,
    );
    expect(await outcome(send(cara, ben.number, 10n))).toBe('posted');
    expect(await held).toBe(errorMessages.busy);
    await release();
    expect(await balance(anna)).toBe(1_000n);
  });

  it('refuses a transfer from an erased sender to an unknown receiver, alone in its group, as not authorized', async () => {
    const gone = await aCustomer();
    await test.database.ownerPool.query('UPDATE customers SET deleted_at = now() WHERE id = $1', [
      gone.customerId,
    ]);
    expect(await outcome(send(gone, '999999999993', 1n))).toBe('NOT_AUTHORIZED');
    // The proof of the books would report an erased customer with an open account.
    await test.database.ownerPool.query('UPDATE customers SET deleted_at = NULL WHERE id = $1', [
      gone.customerId,
    ]);
  });

  it('with one locked account does not delay a transfer that is sent a moment later', async () => {
    const anna = await aCustomer(1_000n);
    const [[cara, dora], [ben, paul]] = [await customers(2, 1_000n), await customers(2)] as [
      [TestCustomer, TestCustomer],
      [TestCustomer, TestCustomer],
    ];
    const control = openLedger(test.database);
    onTestFinished(() => control.close());
    const release = await lockAccount(anna);
    // The poster waits for the lock for half a second. On a busy machine, this test may not observe the wait, or nothing is
    // posted in that time. Such a round is repeated. A round counts if the transfer of another ledger (`control`), sent at the
    // same time as Cara's, was answered long before Anna's.
    await eventually(async () => {
      const answeredAt = { anna: 0, cara: 0, control: 0 };
      const note = (name: keyof typeof answeredAt) => () => {
        answeredAt[name] = performance.now();
      };
      const held = outcome(send(anna, ben.number, 10n)).then(note('anna'));
      const isWaiting = await waitUntil('the lock, or the answer', waitLimitMs, async () => {
        const { rows } = await test.database.ownerPool.query(
          `SELECT FROM pg_stat_activity WHERE application_name = 'larkspur poster' AND wait_event_type = 'Lock'
              AND datname = current_database()`,
        );
        if (answeredAt.anna > 0) return 'no';
        return rows.length === 1 ? 'yes' : undefined;
      });
      const sentAt = performance.now();
      await Promise.all([
        held,
        outcome(send(dora, paul.number, 1n, randomUUID(), control)).then(note('control')),
        outcome(send(cara, ben.number, 1n)).then(note('cara')),
      ]);
      const isFast = answeredAt.control - sentAt < (answeredAt.anna - sentAt) / 2;
      if (isWaiting === 'no' || !isFast) return undefined;
      expect(answeredAt.cara).toBeLessThan(answeredAt.anna);
      return true;
    });
    await release();
  });

  it('with one account locked for a long time refuses its transfers as busy, and posts all others', async () => {
    const held = await aCustomer(1_000n);
    const [bystanders, receivers] = [await customers(9, 1_000n), await customers(9)];
    const release = await lockAccount(held);
    // The requests fill one group in each posting lane (`poster.ts`). Blocked and other senders alternate.
    const indexes = Array.from({ length: 30 }, (_, i) => i % 9);
    const outcomes = await Promise.all(
      indexes.map(index => {
        const [{ number }, key] = [receivers[index]!, randomUUID()];
        // On a busy machine, a bystander's transfer can be refused as busy. Then both transfers are sent again.
        return retryWhileBusy(async () => {
          const [blocked] = await Promise.all([
            outcome(send(held, number, 1n)),
            send(bystanders[index]!, number, 1n, key),
          ]);
          return blocked;
        });
      }),
    );
    expect(outcomes).toEqual(Array(30).fill('BUSY'));
    await release();
    const key = randomUUID();
    await retryWhileBusy(() => send(held, receivers[0]!.number, 1n, key));
    expect(await balance(held)).toBe(999n);
    for (const each of bystanders) expect(await balance(each)).toBeLessThan(1_000n);
  });

  it('with one account locked for a long time still posts for an account that was locked only briefly', async () => {
    const [held, bystander, receiver] = [await aCustomer(1_000n), await aCustomer(1_000n), await aCustomer()];
    await lockAccount(held);
    const holder = await test.database.ownerPool.connect();
    onTestFinished(() => holder.release(true));
    // On a very busy machine, the second account is released too late. Then the round is repeated.
    await eventually(async () => {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM ledger_accounts WHERE id = $1 FOR UPDATE', [bystander.accountId]);
      const outcomes = Promise.all([held, bystander].map(from => outcome(send(from, receiver.number, 1n))));
      // The poster finds both accounts locked. Then the database releases the second one by itself, because the poster retries
      // for only half a second, and on a busy machine this test might not get to run in time.
      await holder.query(`
        DO $$ BEGIN
          WHILE NOT EXISTS (
            SELECT FROM pg_stat_activity WHERE application_name = 'larkspur poster' AND datname = current_database()
               AND query LIKE '%SKIP LOCKED%' AND state = 'idle' AND query_start > now())
          LOOP PERFORM pg_sleep(0.002), pg_stat_clear_snapshot(); END LOOP;
        END $$;
        ROLLBACK`);
      const [ofHeld, ofBystander] = await outcomes;
      expect(ofHeld).toBe('BUSY');
      return ofBystander === 'posted' || undefined;
    });
  });

  it('still posts each transfer once if the database drops the connection in the middle of a group', async () => {
    const [anna, ben] = [await aCustomer(1_000n), await aCustomer()];
    const sent = Array.from({ length: 40 }, () => outcome(send(anna, ben.number, 1n)));
    await test.database.ownerPool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'larkspur poster' AND datname = current_database()",
    );
    expect(new Set(await Promise.all(sent))).toEqual(new Set(['posted']));
    expect(await balance(ben)).toBe(40n);
  });
});

describe('an idempotency key', () => {
  it('used 50 times in parallel makes one transaction and 50 equal answers', async () => {
    const [anna, ben] = [await aCustomer(1_000n), await aCustomer()];
    const key = randomUUID();
    const second = openLedger(test.database);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        (i % 2 ? ledger : second).transfer({
          customerId: anna.customerId,
          sessionId: null,
          receiverAccountNumber: ben.number,
          amountCents: 10n,
          description: '',
          idempotencyKey: key,
          address: '',
        }),
      ),
    );
    await second.close();
    expect(
      new Set(answers.map(a => JSON.stringify(a, (_, v) => (typeof v === 'bigint' ? String(v) : v)))),
    ).toHaveProperty('size', 1);
    expect(await balance(anna)).toBe(990n);
  });

  it('returns the first result after a freeze', async () => {
    const [anna, ben] = [await aCustomer(1_000n), await aCustomer()];
    const key = randomUUID();
    const first = await send(anna, ben.number, 10n, key);
    await change(tx => setFrozen(tx, anna.accountId, true));
    expect(await send(anna, ben.number, 10n, key)).toEqual(first);
    expect(await outcome(send(anna, ben.number, 10n))).toBe('ACCOUNT_FROZEN');
  });

  it('used with another request is refused and moves nothing', async () => {
    const [anna, ben] = [await aCustomer(1_000n), await aCustomer()];
    const key = randomUUID();
    await send(anna, ben.number, 10n, key);
    expect(await outcome(send(anna, ben.number, 11n, key))).toBe('IDEMPOTENCY_MISMATCH');
    expect(await balance(anna)).toBe(990n);
  });

  it('of a refused request is refused again after money has arrived', async () => {
    const [anna, ben] = [await aCustomer(), await aCustomer(500n)];
    const key = randomUUID();
    expect(await outcome(send(anna, ben.number, 10n, key))).toBe('INSUFFICIENT_BALANCE');
    await send(ben, anna.number, 500n);
    expect(await outcome(send(anna, ben.number, 10n, key))).toBe('INSUFFICIENT_BALANCE');
    expect(await outcome(send(anna, ben.number, 10n, randomUUID()))).toBe('posted');
  });

  it('belongs to one customer: another customer may use the same key', async () => {
    const [anna, ben] = [await aCustomer(100n), await aCustomer(100n)];
    const key = randomUUID();
    const [one, two] = [await send(anna, ben.number, 10n, key), await send(ben, anna.number, 10n, key)];
    expect(one._id).not.toBe(two._id);
  });
});

describe('random histories', () => {
  const otherBank = { bankName: 'First Harbour', accountName: 'Ines Caldeira', accountNumber: '40218836117' };
  const sendExternal = (from: TestCustomer, amountCents: bigint, idempotencyKey?: string) =>
    ledger.sendExternal({
      customerId: from.customerId,
      sessionId: null,
      bank: otherBank,
      amountCents,
      description: '',
      idempotencyKey,
      address: '::1',
    });

  it('end as the model says, however requests are grouped, and external transfers end once [M-08, M-11, M-12, M-19]', async () => {
    const command = fc.record({
      from: fc.nat(4),
      // 5 is an unknown account, 6 is another bank.
      to: fc.nat(6),
      cents: fc.bigInt(1n, 400n),
      key: fc.option(fc.nat(6), { nil: undefined }),
      ends: fc.constantFrom('settled', 'returned', 'not yet'),
    });
    await fc.assert(
      // From 64 waiting requests on, a second group would run at the same time.
      fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 60 }), async commands => {
        const customers = await Promise.all([1000n, 500n, 0n, 300n].map(cents => aCustomer(cents)));
        const frozen = await aCustomer(200n);
        await change(tx => setFrozen(tx, frozen.accountId, true));
        const all = [...customers, frozen];
        const numbers = [...all.map(p => p.number), '999999999993'];
        const run = randomUUID();

        const held = [1000n, 500n, 0n, 300n, 200n];
        const sent = [0n, 0n, 0n, 0n, 0n];
        const used = new Map<string, { body: string; outcome: string }>();
        const expected = commands.map(({ from, to, cents, key }) => {
          const body = `${to}/${cents}`;
          const before = key === undefined ? undefined : used.get(`${from}/${key}`);
          if (before) return before.body === body ? before.outcome : 'IDEMPOTENCY_MISMATCH';
          if (from === 4) return 'ACCOUNT_FROZEN';
          const result =
            from === to
              ? 'SAME_ACCOUNT'
              : to === 5
                ? 'NOT_FOUND'
                : held[from]! < cents
                  ? 'INSUFFICIENT_BALANCE'
                  : 'posted';
          if (result === 'posted') {
            held[from] = held[from]! - cents;
            sent[from] = sent[from]! + cents;
            if (to < 5) held[to] = held[to]! + cents;
          }
          if (key !== undefined) used.set(`${from}/${key}`, { body, outcome: result });
          return result;
        });

        // All requests are made in one tick of the event loop: they queue in order and are posted in a few groups. The clock
        // is stopped, because requests that wait too long would get a second group, which could be posted before the first.
        const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
        const out = new Map<string, { from: number; cents: bigint; ends: string }>();
        const got = await Promise.all(
          commands.map(({ from, to, cents, key, ends }) => {
            const ownKey = key === undefined ? undefined : `${run}-${key}`;
            if (to !== 6) return outcome(send(all[from]!, numbers[to]!, cents, ownKey));
            const posted = sendExternal(all[from]!, cents, ownKey);
            return outcome(
              posted.then(({ _id }) => {
                if (!out.has(_id)) out.set(_id, { from, cents, ends });
              }),
            );
          }),
        ).finally(() => clock.mockRestore());
        expect(got).toEqual(expected);
        expect(await Promise.all(all.map(balance))).toEqual(held);

        await Promise.all(
          [...out].map(async ([id, { from, cents, ends }]) => {
            if (ends === 'not yet') return;
            const end =
              ends === 'settled' ? { isSettled: true as const } : { isSettled: false as const, reason: 'x' };
            const endIt = () => change(tx => ledger.endExternal(tx, id, end));
            const firsts = await Promise.all([endIt(), endIt()]);
            expect(firsts.filter(Boolean)).toHaveLength(1);
            if (ends === 'settled') return;
            held[from] = held[from]! + cents;
            sent[from] = sent[from]! - cents;
          }),
        );
        expect(await Promise.all(all.map(balance))).toEqual(held);
        const counted = await sql<{ sent: bigint }>`
          SELECT sent FROM ledger_accounts WHERE id = ANY (${all.map(({ accountId }) => accountId)}) ORDER BY id`.execute(
          test.database.reader,
        );
        const inOrder = all
          .map(({ accountId }, i) => ({ accountId, sent: sent[i]! }))
          .sort((one, other) => Number(one.accountId - other.accountId));
        expect(counted.rows.map(row => row.sent)).toEqual(inOrder.map(one => one.sent));
      }),
      { numRuns: 50, seed: 20261121 },
    );
  });
});

describe('the books', () => {
  it('cannot be changed or truncated, by the server or by the owner [M-03, M-28]', async () => {
    for (const pool of [test.database.pool, test.database.ownerPool]) {
      for (const table of ['transactions', 'journal_entries']) {
        await expect(pool.query(`UPDATE ${table} SET amount = amount + 1`)).rejects.toThrow(
          /insert-only|permission denied/,
        );
        await expect(pool.query(`DELETE FROM ${table}`)).rejects.toThrow(/insert-only|permission denied/);
        await expect(pool.query(`TRUNCATE ${table}`)).rejects.toThrow(/insert-only|permission denied/);
      }
    }
  });

  it('are entries in whole cents, each from one account to another: credits come from treasury, pending transfers are in clearing, swept balances in unclaimed [M-01, M-02, M-05, M-06]', async () => {
    const [anna, ben] = [await aCustomer(1_000n), await aCustomer()];
    await send(anna, ben.number, 250n);
    await ledger.sendExternal({
      customerId: anna.customerId,
      sessionId: null,
      amountCents: 300n,
      description: '',
      bank: { bankName: 'First Harbour Bank', accountName: 'Ines', accountNumber: '40218836117' },
      idempotencyKey: undefined,
      address: '::1',
    });
    await change(tx => close(tx, anna, 'admin'));
    const entries = await test.database.pool.query(
      `SELECT e.kind, d.kind AS debited, c.kind AS credited, e.amount, t.amount AS moved
         FROM journal_entries e JOIN transactions t ON t.id = e.transaction_id
         JOIN ledger_accounts d ON d.id = e.debit_account JOIN ledger_accounts c ON c.id = e.credit_account
        WHERE $1 IN (t.sender_account, t.receiver_account) ORDER BY e.posted_at, t.id`,
      [anna.accountId],
    );
    const entry = (kind: string, debited: string, credited: string, cents: bigint) => ({
      kind,
      debited,
      credited,
      amount: cents,
      moved: cents,
    });
    expect(entries.rows).toEqual([
      entry('post', 'treasury', 'customer', 1_000n),
      entry('post', 'customer', 'customer', 250n),
      entry('post', 'customer', 'clearing', 300n),
      entry('sweep', 'customer', 'unclaimed', 450n),
    ]);
    const money = await test.database.pool.query<{ type: string }>(
      `SELECT DISTINCT data_type AS type FROM information_schema.columns
        WHERE table_schema = 'public' AND table_name IN ('ledger_accounts', 'transactions', 'journal_entries', 'transaction_totals')
          AND column_name IN ('amount', 'balance', 'sent', 'received', 'cents', 'debit_balance', 'credit_balance')`,
    );
    expect(money.rows).toEqual([{ type: 'bigint' }]);
  });

  it('give the server no privilege to write a balance or an entry directly', async () => {
    const { pool } = test.database;
    await expect(
      pool.query('UPDATE ledger_accounts SET balance = balance + 1 WHERE id = 1000'),
    ).rejects.toThrow(/permission denied/);
    await expect(
      pool.query(
        `INSERT INTO journal_entries VALUES (gen_random_uuid(), 1, 'post', 1, 1000, 5, 0, 0, now())`,
      ),
    ).rejects.toThrow(/permission denied/);
  });

  it('move no money for someone who is not a customer, or no longer is', async () => {
    const [anna, former] = [await aCustomer(1n), await aCustomer(1n)];
    await change(tx => close(tx, former, 'admin'));
    for (const customerId of [adminId, newId(), former.customerId])
      expect(await outcome(send({ ...anna, customerId }, anna.number, 1n))).toBe('NOT_AUTHORIZED');
  });

  it('move money only for a live session of the sender, even when an idempotency key is replayed', async () => {
    const [anna, ben] = [await aCustomer(100n), await aCustomer(100n)];
    const open = (personId: string) =>
      change(tx => openSession(tx, { personId, kind: 'customer', address: '::1', device: 'test' }));
    const [{ sessionId }, bens] = [await open(anna.customerId), await open(ben.customerId)];
    const request = {
      customerId: anna.customerId,
      receiverAccountNumber: ben.number,
      amountCents: 1n,
      description: '',
      idempotencyKey: randomUUID(),
      address: '::1',
    };
    const first = await ledger.transfer({ ...request, sessionId });
    expect(await ledger.transfer({ ...request, sessionId })).toEqual(first);
    expect(await outcome(ledger.transfer({ ...request, sessionId: bens.sessionId }))).toBe('NOT_AUTHORIZED');
    await change(tx => endSession(tx, sessionId));
    expect(await outcome(ledger.transfer({ ...request, sessionId }))).toBe('NOT_AUTHORIZED');
    expect(await balance(anna)).toBe(99n);
  });

  it('move nothing for a session that ended while the transfer waited for a lock', async () => {
    const [anna, ben] = [await aCustomer(100n), await aCustomer()];
    const open = () =>
      change(tx =>
        openSession(tx, { personId: anna.customerId, kind: 'customer', address: '::1', device: 'test' }),
      );
    const isWaiting = `SELECT FROM pg_stat_activity
      WHERE wait_event_type = 'Lock' AND application_name = 'larkspur poster' AND datname = current_database()`;
    const sendAndLogOut = async () => {
      const { sessionId } = await open();
      const release = await lockAccount(ben);
      const request = { customerId: anna.customerId, sessionId, receiverAccountNumber: ben.number };
      const waiting = outcome(ledger.transfer({ ...request, amountCents: 1n, description: '', address: '' }));
      let isOver = false;
      void waiting.then(() => {
        isOver = true;
      });
      while (!isOver && (await test.database.ownerPool.query(isWaiting)).rowCount === 0);
      await change(tx => endSession(tx, sessionId));
      await release();
      return await waiting;
    };
    let result = await sendAndLogOut();
    // On a slow machine the transfer may have given up before the session ended.
    for (let tries = 1; result === 'BUSY' && tries < 20; tries++) result = await sendAndLogOut();
    expect(result).toBe('NOT_AUTHORIZED');
    expect(await balance(anna)).toBe(100n);
  });

  it('cannot contain a negative customer balance [M-04]', async () => {
    const anna = await aCustomer(5n);
    await expect(
      test.database.ownerPool.query('UPDATE ledger_accounts SET balance = -1 WHERE id = $1', [
        anna.accountId,
      ]),
    ).rejects.toThrow(/balance_not_below_zero/);
  });

  it('report the account whose balance was tampered with, and that the balances do not sum to zero [M-24, M-25]', async () => {
    const anna = await aCustomer(500n);
    const tamper = (cents: number) =>
      test.database.ownerPool.query('UPDATE ledger_accounts SET balance = balance + $2 WHERE id = $1', [
        anna.accountId,
        cents,
      ]);
    await tamper(1);
    const { faults } = await verifyBooks(test.database.reader);
    await tamper(-1);
    expect(faults[0]).toContain(
      `account ${anna.accountId} has a balance of 501 cents, but its postings sum to 500`,
    );
    expect(faults).toContainEqual(expect.stringContaining('all balances sum to 1 cents'));
  });

  it('report a closed account with a balance, and a swept account that is open', async () => {
    const [anna, ben] = [await aCustomer(500n), await aCustomer(500n)];
    await change(tx => close(tx, anna, 'admin'));
    const setClosed = ({ accountId }: TestCustomer, isClosed: boolean) =>
      test.database.ownerPool.query('UPDATE ledger_accounts SET is_closed = $2 WHERE id = $1', [
        accountId,
        isClosed,
      ]);
    for (const [who, isClosed] of [
      [anna, false],
      [ben, true],
    ] as const) {
      await setClosed(who, isClosed);
      const { faults } = await verifyBooks(test.database.reader);
      await setClosed(who, !isClosed);
      expect(faults).toEqual([
        expect.stringContaining(`account ${who.accountId}`),
        expect.stringContaining(`customer ${who.customerId}`),
      ]);
    }
  });

  it("sum up to the bank's statistics [M-21, M-31]", async () => {
    const summed = await sql<{ n: bigint; completed: bigint; cents: bigint }>`
      SELECT count(*) AS n, count(*) FILTER (WHERE coalesce(x.status, 'completed') = 'completed') AS completed,
             (sum(amount) FILTER (WHERE coalesce(x.status, 'completed') = 'completed'))::bigint AS cents
        FROM transactions t LEFT JOIN external_transfers x ON x.transaction_id = t.id
       -- The sweep of a closed account does not count as a customer's transaction.
       WHERE NOT (t.type = 'transfer' AND t.receiver_account IS NULL)`.execute(test.database.reader);
    const { n, completed, cents } = summed.rows[0]!;
    expect(completed).toBeLessThan(n);
    expect(await readTotals(test.database.reader)).toEqual({
      totalTransactions: Number(n),
      totalAmount: cents,
      successRate: Math.round((Number(completed) * 1000) / Number(n)) / 10,
    });
  });
});

it('a bank without transactions has a success rate of 0 [M-22]', async () => {
  const empty = await cloneDatabase();
  expect(await readTotals(empty.database.reader)).toEqual({
    totalTransactions: 0,
    totalAmount: 0n,
    successRate: 0,
  });
  await empty.drop();
});

describe('closing an account', () => {
  const counts = async ({ accountId }: TestCustomer) =>
    (
      await sql<{ entry_count: bigint; listed: bigint; unclaimed: bigint }>`
        SELECT a.entry_count, (SELECT count(*) FROM transactions WHERE a.id IN (sender_account, receiver_account)) AS listed,
               (SELECT balance FROM ledger_accounts WHERE kind = 'unclaimed') AS unclaimed
          FROM ledger_accounts a WHERE a.id = ${accountId}`.execute(test.database.reader)
    ).rows[0]!;

  it('by an administrator sweeps its balance to the unclaimed account, as its last transaction', async () => {
    const anna = await aCustomer(1_234n);
    const before = (await counts(anna)).unclaimed;
    const figures = await readTotals(test.database.reader);
    await change(tx => close(tx, anna, 'admin'));
    expect(await balance(anna)).toBe(0n);
    expect(await counts(anna)).toEqual({ entry_count: 2n, listed: 2n, unclaimed: before + 1_234n });
    expect(await readTotals(test.database.reader)).toEqual(figures);
    expect(await outcome(change(tx => close(tx, anna, 'admin')))).toBe('NOT_FOUND');
  });

  it('by an administrator leaves the money in place if its transaction is rolled back', async () => {
    const anna = await aCustomer(50n);
    await expect(
      change(async tx => {
        await close(tx, anna, 'admin');
        throw new Error('something else failed');
      }),
    ).rejects.toThrow('something else');
    expect(await balance(anna)).toBe(50n);
    expect(await outcome(send(anna, (await aCustomer()).number, 50n))).toBe('posted');
  });

  it('by its owner is refused while it has a balance or is frozen', async () => {
    const [rich, frozen] = [await aCustomer(1n), await aCustomer()];
    await change(tx => setFrozen(tx, frozen.accountId, true));
    expect(await outcome(change(tx => close(tx, rich, 'owner')))).toBe('CONFLICT');
    expect(await outcome(change(tx => close(tx, frozen, 'owner')))).toBe('ACCOUNT_FROZEN');
    expect(await balance(rich)).toBe(1n);
  });

  it('that races with incoming money has one of two outcomes, and never leaves money in a closed account', async () => {
    for (let round = 0; round < 12; round++) {
      const [anna, ben] = [await aCustomer(100n), await aCustomer()];
      const by = round % 2 === 0 ? 'owner' : 'admin';
      const [sent, closed] = await Promise.all([
        outcome(send(anna, ben.number, 100n)),
        outcome(change(tx => close(tx, ben, by))),
      ]);
      // For `closed`, 'posted' means that the account was closed. If the money arrives first, an owner cannot close the
      // account, and an administrator's closing sweeps the money.
      expect([
        ['posted', by === 'owner' ? 'CONFLICT' : 'posted'],
        ['NOT_FOUND', 'posted'],
      ]).toContainEqual([sent, closed]);
      expect(await balance(ben)).toBe(closed === 'CONFLICT' ? 100n : 0n);
      expect(await balance(anna)).toBe(sent === 'posted' ? 0n : 100n);
    }
  });

  it('is not possible for the running server by a direct UPDATE', async () => {
    const anna = await aCustomer(5n);
    await expect(
      change(tx => sql`UPDATE ledger_accounts SET is_closed = true WHERE id = ${anna.accountId}`.execute(tx)),
    ).rejects.toThrow('permission denied');
  });
});
