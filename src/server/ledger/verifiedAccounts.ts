/**
 * The accounts of a proof, with the figures that follow from the postings replayed so far. At the end, the replayed figures are
 * compared with the figures in the books. Typed arrays take 41 bytes per account, whatever the number of transactions.
 */
import { sql } from 'kysely';
import type { Reader } from '../db/database.ts';

/** Balance and counters of all accounts, by the account's index. */
export type Figures = {
  readonly balance: BigInt64Array;
  readonly entries: BigInt64Array;
  readonly sent: BigInt64Array;
  readonly received: BigInt64Array;
};

export type Fault = (claim: string, row: string) => void;

export type Accounts = {
  count: number;
  /** The index of an account; -1 if it does not exist. */
  indexOf: (id: string) => number;
  idOf: (index: number) => number;
  isClosed: (index: number) => boolean;
  /** What the replayed postings add up to. */
  followed: Figures;
  /** Notes that the transaction with the sequence number `seq` swept the balance of an account. */
  sweep: (index: number, seq: bigint) => void;
  /** Compares the replayed figures with those of the books. */
  checkFinal: (fault: Fault) => Promise<void>;
};

const batchRows = 1_000;

/** What the replayed postings add up to: all customers together, and each of the bank's own accounts. */
export function sumBalances({ count, idOf, followed }: Accounts) {
  const sums = { customers: 0n, treasury: 0n, clearing: 0n, unclaimed: 0n };
  const own = [undefined, 'treasury', 'clearing', 'unclaimed'] as const;
  for (let i = 0; i < count; i++) sums[own[idOf(i)] ?? 'customers'] += followed.balance[i]!;
  return sums;
}

const newFigures = (count: number): Figures => ({
  balance: new BigInt64Array(count),
  entries: new BigInt64Array(count),
  sent: new BigInt64Array(count),
  received: new BigInt64Array(count),
});

export const copyFigures = ({ balance, entries, sent, received }: Figures): Figures => ({
  balance: balance.slice(),
  entries: entries.slice(),
  sent: sent.slice(),
  received: received.slice(),
});

type Row = { id: bigint; balance: bigint; entry_count: bigint; sent: bigint; received: bigint };
type AccountRow = Pick<Row, 'id' | 'balance'> & { kind: string; is_closed: boolean };

const systemKinds = new Map([
  [1n, 'treasury'],
  [2n, 'clearing'],
  [3n, 'unclaimed'],
]);

/**
 * Reads every account, and makes the checks that need only the account's row. With `fromSealed`, the replayed figures start at
 * the sealed balances.
 */
export async function loadAccounts(snapshot: Reader, fromSealed: boolean, fault: Fault): Promise<Accounts> {
  const counted = await sql<{ n: bigint }>`SELECT count(*) AS n FROM public.ledger_accounts`.execute(
    snapshot,
  );
  const size = Number(counted.rows[0]!.n);
  const ids = new Float64Array(size);
  const closed = new Uint8Array(size);
  const followed = newFigures(size);
  const sweeps = new Map<number, bigint[]>();
  let sum = 0n;
  let count = 0;
  for await (const row of readInBatches<AccountRow>(
    snapshot,
    'SELECT id, kind, is_closed, balance FROM public.ledger_accounts ORDER BY id',
  )) {
    const { id, kind, balance } = row;
    ids[count] = Number(id);
    closed[count] = row.is_closed ? 1 : 0;
    sum += balance;
    count++;
    if (kind !== (systemKinds.get(id) ?? (kind === 'goal' ? 'goal' : 'customer')))
      fault("the bank's own accounts are the first three", `account ${id} is of kind ${kind}`);
    if (kind !== 'treasury' && balance < 0n)
      fault('no account but the treasury is below zero', `account ${id} has a balance of ${balance} cents`);
  }
  const indexOf = (id: string): number => {
    const wanted = Number(id);
    let low = 0;
    let high = count - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = ids[middle]!;
      if (found === wanted) return middle;
      if (found < wanted) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  };
  if (fromSealed) {
    for await (const row of readSealed(snapshot)) {
      const index = indexOf(String(row.id));
      if (index >= 0) setFigures(followed, index, row);
      else fault('every balance equals the sum of its postings', `account ${row.id} is gone`);
    }
  }
  return {
    count,
    indexOf,
    idOf: index => ids[index]!,
    isClosed: index => closed[index] === 1,
    followed,
    sweep(index, seq) {
      sweeps.set(index, [...(sweeps.get(index) ?? []), seq]);
    },
    async checkFinal(report) {
      let i = -1;
      // Read again in the same snapshot, because keeping the rows would double the memory.
      for await (const { id, balance, entry_count, sent, received } of readInBatches<Row>(
        snapshot,
        'SELECT id, balance, entry_count, sent, received FROM public.ledger_accounts ORDER BY id',
      )) {
        i++;
        if (balance !== followed.balance[i]) {
          const row = `account ${id} has a balance of ${balance} cents, but its postings sum to ${followed.balance[i]}`;
          report('every balance equals the sum of its postings', row);
        }
        const isCounted =
          entry_count === followed.entries[i] &&
          sent === followed.sent[i] &&
          received === followed.received[i];
        if (!systemKinds.has(id) && !isCounted) {
          report(
            'every account numbers its transactions without gaps, and its sent and received counters are right',
            `account ${id} counts ${entry_count} transactions, ${sent} sent, ${received} received; ` +
              `its transactions are ${followed.entries[i]}, ${followed.sent[i]} sent, ${followed.received[i]} received`,
          );
        }
        const swept = sweeps.get(i);
        const isSweptRight = !swept || (closed[i] && swept.length === 1 && swept[0] === entry_count);
        if ((closed[i] && balance !== 0n) || !isSweptRight) {
          report(
            'a closed account is empty, and only a closed account was swept, by its last entry',
            `account ${id}`,
          );
        }
      }
      if (sum !== 0n) report('all balances sum to zero', `all balances sum to ${sum} cents`);
    },
  };
}

function setFigures(figures: Figures, index: number, row: Row): void {
  figures.balance[index] = row.balance;
  figures.entries[index] = row.entry_count;
  figures.sent[index] = row.sent;
  figures.received[index] = row.received;
}

/** The sealed balances, in account order, without accounts whose figures are all zero. */
export function readSealed(snapshot: Reader): AsyncGenerator<Row> {
  return readInBatches<Row>(
    snapshot,
    `SELECT account_id AS id, balance, entry_count, sent, received FROM public.sealed_balances
      WHERE (balance, entry_count, sent, received) <> (0, 0, 0, 0) ORDER BY account_id`,
  );
}

async function* readInBatches<T>(snapshot: Reader, query: string): AsyncGenerator<T> {
  await sql.raw(`DECLARE accounts NO SCROLL CURSOR FOR ${query}`).execute(snapshot);
  for (;;) {
    const { rows } = await sql.raw<T>(`FETCH ${batchRows} FROM accounts`).execute(snapshot);
    yield* rows;
    if (rows.length < batchRows) break;
  }
  await sql`CLOSE accounts`.execute(snapshot);
}
