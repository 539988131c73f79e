/**
 * The sealed balances: every account's figures after one record of the audit chain, as a proof computed them. An HMAC protects
 * them. A later proof can start at this record. New sealed balances replace the former ones.
 */
import { createHmac, type KeyObject } from 'node:crypto';
import { sql } from 'kysely';
import { isSameHash, type Key } from '../base/keys.ts';
import type { Database, Reader } from '../db/database.ts';
import { readSealKeys, type SealKeys } from './sealKeys.ts';
import { type Fault, type Figures, readSealed } from './verifiedAccounts.ts';

/** The end of the chain when the balances were sealed. `lastTransaction`: the greatest transaction id up to there. */
export type SealedDay = {
  position: bigint;
  auditId: bigint;
  hash: Buffer;
  lastTransaction: string;
};

type StoredDay = SealedDay & { mac: Buffer };

/**
 * The newest sealed day; undefined if there is none. `isGenuine`: whether its HMAC, which covers the sealed figures of all
 * accounts, is right; false if the key is not known.
 */
export async function readSealedDay(
  snapshot: Reader,
  keys: SealKeys,
): Promise<(SealedDay & { isGenuine: boolean }) | undefined> {
  const found = await sql<StoredDay>`
    SELECT position, audit_id AS "auditId", hash, last_transaction AS "lastTransaction", mac
      FROM public.sealed_days ORDER BY position DESC LIMIT 1`.execute(snapshot);
  const day = found.rows[0];
  if (!day) return undefined;
  const key = keys(day.position);
  if (!key) return { ...day, isGenuine: false };
  const { update, digest } = openMac(key, day);
  for await (const { id, balance, entry_count, sent, received } of readSealed(snapshot))
    update(id, balance, entry_count, sent, received);
  return { ...day, isGenuine: isSameHash(day.mac, digest()) };
}

function openMac(key: KeyObject, { position, auditId, hash, lastTransaction }: SealedDay) {
  const mac = createHmac('sha256', key).update(
    `sealed balances ${position} ${auditId} ${hash.toString('hex')} ${lastTransaction}\n`,
  );
  return {
    update: (...figures: (bigint | number)[]) => void mac.update(`${figures.join(' ')}\n`),
    digest: () => mac.digest(),
  };
}

/**
 * Calls `fault` for each account whose sealed figures are not those that the proof found at the same record, and if the number
 * of sealed accounts is wrong.
 */
export async function compareSealed(
  snapshot: Reader,
  indexOf: (id: string) => number,
  { balance, entries, sent, received }: Figures,
  fault: Fault,
): Promise<void> {
  const claim = 'the sealed balances are those that were proven';
  let found = 0;
  for await (const row of readSealed(snapshot)) {
    const i = indexOf(String(row.id));
    if (
      i < 0 ||
      row.balance !== balance[i] ||
      row.entry_count !== entries[i] ||
      row.sent !== sent[i] ||
      row.received !== received[i]
    ) {
      fault(claim, `the sealed balance of account ${row.id}`);
    }
    found++;
  }
  const expected = indexesWithPostings({ balance, entries, sent, received }).length;
  if (found !== expected) fault(claim, `${found} accounts have sealed figures, ${expected} have figures`);
}

function indexesWithPostings({ balance, entries, sent, received }: Figures): number[] {
  const indexes: number[] = [];
  for (let i = 0; i < balance.length; i++)
    if (balance[i] !== 0n || entries[i] !== 0n || sent[i] !== 0n || received[i] !== 0n) indexes.push(i);
  return indexes;
}

const batchRows = 5_000;

/** Stores what a proof found as the newest sealed balances, all or nothing. */
export async function storeSealedBalances(
  database: Database,
  sealKey: Key,
  { day, figures, idOf }: { day: SealedDay; figures: Figures; idOf: (index: number) => number },
): Promise<void> {
  const key = (await readSealKeys(database.reader, sealKey))(day.position);
  if (!key) throw new Error('The secret that sealed the end of the audit log is missing.');
  const { update, digest } = openMac(key, day);
  const { balance, entries, sent, received } = figures;
  const indexes = indexesWithPostings(figures);
  for (const i of indexes) update(idOf(i), balance[i]!, entries[i]!, sent[i]!, received[i]!);
  const mac = digest();
  await database.inTransaction(async tx => {
    // A second process that proved the same records fails on the primary key.
    await sql`
      INSERT INTO sealed_days (position, audit_id, hash, last_transaction, mac)
      VALUES (${day.position}, ${day.auditId}, ${day.hash}, ${day.lastTransaction}, ${mac})`.execute(tx);
    // An account without counters, such as clearing or a savings goal, can be empty again. Zeros then replace its sealed
    // figures.
    for (let at = 0; at < balance.length; at += batchRows) {
      const batch = Array.from({ length: Math.min(batchRows, balance.length - at) }, (_, n) => at + n);
      const column = (values: BigInt64Array) => batch.map(i => values[i]!);
      await sql`
        INSERT INTO sealed_balances AS s (account_id, balance, entry_count, sent, received)
        SELECT n.* FROM unnest(${batch.map(idOf)}::bigint[], ${column(balance)}::bigint[], ${column(entries)}::bigint[],
                               ${column(sent)}::bigint[], ${column(received)}::bigint[])
               AS n(account_id, balance, entry_count, sent, received)
         WHERE (n.balance, n.entry_count, n.sent, n.received) <> (0, 0, 0, 0)
            OR EXISTS (SELECT FROM sealed_balances e WHERE e.account_id = n.account_id)
            ON CONFLICT (account_id) DO UPDATE
           SET balance = excluded.balance, entry_count = excluded.entry_count, sent = excluded.sent, received = excluded.received
         WHERE (s.balance, s.entry_count, s.sent, s.received)
               IS DISTINCT FROM (excluded.balance, excluded.entry_count, excluded.sent, excluded.received)`.execute(
        tx,
      );
    }
  });
}
