/** The chain of seals: order, restores, and changes made with the database owner's privileges. */
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { testAppSecret } from '../../../tests/cluster.ts';
import { cloneDatabase, type TestDatabase } from '../../../tests/database.ts';
import { testSecrets } from '../../../tests/person.ts';
import { waitOptions } from '../../../tests/waiting.ts';
import { recordSecret } from '../db/appSecrets.ts';
import { type AuditAction, type AuditHead, recordAudit } from '../db/audit.ts';
import type { Database } from '../db/database.ts';
import { deriveSecrets } from '../secrets.ts';
import { sealRecords } from './sealing.ts';
import { verifyBooks } from './verify.ts';

let bank: TestDatabase;
let database: Database;

beforeAll(async () => {
  bank = await cloneDatabase();
  database = bank.database;
});

beforeEach(() => asTamperer('TRUNCATE audit_log, audit_seals, seal_keys RESTART IDENTITY'));

afterAll(() => bank.drop());

const act = (action: string, data: Record<string, unknown> = {}) =>
  database.inTransaction(tx =>
    recordAudit(tx, { actor: { kind: 'system' }, action: action as AuditAction, data }),
  );
const { sealKey } = testSecrets;
const seal = () => sealRecords(database, sealKey);
const verify = (...noted: AuditHead[]) => verifyBooks(database.reader, { sealKey, noted });
const chainFault = (rest: string) => [`Failed: the audit chain is unbroken: ${rest}`];

/** Seals until everything is sealed. */
const sealEverything = () =>
  vi.waitFor(async () => {
    await seal();
    const left = await database.pool.query(
      'SELECT FROM audit_log WHERE NOT EXISTS (SELECT FROM audit_seals WHERE audit_id = id)',
    );
    expect(left.rowCount).toBe(0);
  }, waitOptions);

/** What someone with the owner's privileges can do: disable the triggers and write. */
async function asTamperer(statement: string): Promise<void> {
  const client = new pg.Client(bank.connection as pg.ClientConfig);
  await client.connect();
  try {
    await client.query('BEGIN');
    for (const table of ['audit_log', 'audit_seals'])
      await client.query(`ALTER TABLE ${table} DISABLE TRIGGER insert_only`);
    await client.query(statement);
    for (const table of ['audit_log', 'audit_seals'])
      await client.query(`ALTER TABLE ${table} ENABLE ALWAYS TRIGGER insert_only`);
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}

const nextSecret = 'the next secret for tests that is long enough';
/** Returns the seal key of a server that has started with the next secret. */
async function rotate() {
  const rotated = deriveSecrets(nextSecret, testAppSecret).sealKey;
  await recordSecret(database.ownerPool, rotated[0].id);
  return rotated;
}

async function actAndSeal(times: number): Promise<void> {
  for (let i = 1; i <= times; i++) await act('customer.frozen', { cents: i, note: '“ä”' });
  await sealEverything();
}

test('an untouched chain verifies, and its head covers every record [M-26]', async () => {
  await actAndSeal(5);
  const first = await verify();
  expect(first).toMatchObject({ head: { position: 5n }, faults: [] });
  await actAndSeal(1);
  const second = await verify(first.head);
  expect(second.faults).toEqual([]);
  expect(second.head.hash).not.toBe(first.head.hash);
});

test('a record that was changed is found', async () => {
  await actAndSeal(5);
  await asTamperer(`UPDATE audit_log SET data = '{"cents": 999}' WHERE id = 3`);
  expect((await verify()).faults).toEqual(chainFault('record 3: the record or its seal was changed'));
});

test('a record whose time, actor or address was changed is found', async () => {
  for (const change of [`at = at - interval '1 second'`, `actor_kind = 'admin'`, `address = '10.0.0.1'`]) {
    await asTamperer('TRUNCATE audit_log, audit_seals RESTART IDENTITY');
    await actAndSeal(2);
    await asTamperer(`UPDATE audit_log SET ${change} WHERE id = 2`);
    expect((await verify()).faults, change).toEqual(
      chainFault('record 2: the record or its seal was changed'),
    );
  }
});

test('a record that was deleted is found', async () => {
  await actAndSeal(5);
  await asTamperer('DELETE FROM audit_log WHERE id = 4');
  expect((await verify()).faults).toEqual(chainFault('record 4: the record is gone'));
});

test('a record that was deleted together with its seal is found', async () => {
  await actAndSeal(5);
  await asTamperer('DELETE FROM audit_log WHERE id = 2; DELETE FROM audit_seals WHERE position = 2');
  expect((await verify()).faults).toEqual(chainFault('record 0: seal 2 is missing'));
});

test('a truncated chain is detected with a head stored elsewhere', async () => {
  await actAndSeal(5);
  const { head } = await verify();
  await asTamperer('DELETE FROM audit_log WHERE id > 3; DELETE FROM audit_seals WHERE position > 3');
  expect((await verify()).faults).toEqual([]);
  expect((await verify(head)).faults).toEqual([expect.stringContaining('the chain ends at 3')]);
});

test('a rebuilt chain is detected with a head stored elsewhere', async () => {
  await actAndSeal(3);
  const { head } = await verify();
  await asTamperer(`UPDATE audit_log SET action = 'customer.unfrozen' WHERE id = 1; TRUNCATE audit_seals`);
  await sealEverything();
  expect((await verify()).faults).toEqual([]);
  expect((await verify(head)).faults).toEqual([expect.stringContaining('not the one that was noted')]);
});

test('neither the running server nor the owner can change, delete or truncate the log or its seals [M-32]', async () => {
  await actAndSeal(1);
  for (const pool of [database.ownerPool, database.pool]) {
    for (const table of ['audit_log', 'audit_seals']) {
      for (const statement of [
        `UPDATE ${table} SET ${table === 'audit_log' ? "action = 'x'" : 'position = 9'}`,
        `DELETE FROM ${table}`,
        `TRUNCATE ${table}`,
      ]) {
        await expect(pool.query(statement), statement).rejects.toThrow(/insert-only|permission denied/);
      }
    }
  }
});

test("the running server can neither insert seals nor choose a record's time or id", async () => {
  const refused = [
    `INSERT INTO audit_seals VALUES (1, 1, decode(repeat('00', 32), 'hex'), '')`,
    `INSERT INTO audit_log (actor_kind, action, at) VALUES ('system', 'x', '2020-01-01')`,
    `INSERT INTO audit_log (id, actor_kind, action) OVERRIDING SYSTEM VALUE VALUES (7, 'system', 'x')`,
  ];
  for (const statement of refused) {
    await expect(database.pool.query(statement), statement).rejects.toThrow(/permission denied/);
  }
});

test('a transaction that commits late is sealed too', async () => {
  const slow = await database.pool.connect();
  onTestFinished(() => slow.release(true));
  await slow.query('BEGIN');
  await slow.query(`INSERT INTO audit_log (actor_kind, action) VALUES ('system', 'slow')`);
  await act('quick');
  // The quick record is newer than a transaction that is still running, so it is not sealed yet.
  expect((await seal()).after).toBeUndefined();
  await slow.query('COMMIT');
  await sealEverything();
  const order = await database.pool.query(
    'SELECT action FROM audit_seals JOIN audit_log ON audit_log.id = audit_id ORDER BY position',
  );
  expect(order.rows.map(row => row.action)).toEqual(['slow', 'quick']);
});

test('with many writers and two sealers, every record is sealed exactly once', async () => {
  let isWriting = true;
  const writers = Array.from({ length: 6 }, async (_, writer) => {
    for (let i = 0; i < 40; i++) await act('race', { writer, i });
  });
  const sealers = Array.from({ length: 2 }, async () => {
    while (isWriting) await seal();
  });
  await Promise.all(writers);
  isWriting = false;
  await Promise.all(sealers);
  await sealEverything();
  expect(await verify()).toMatchObject({ head: { position: 240n }, faults: [] });
});

test('after a logical restore, one call does not seal all records that wait [M-41]', async () => {
  await asTamperer(
    `INSERT INTO audit_log (actor_kind, action) SELECT 'system', 'before' FROM generate_series(1, 500)`,
  );
  await sealEverything();
  // A restore has new transaction ids, no statistics, and possibly records that were not sealed before the dump.
  await asTamperer(`
    CREATE TABLE dumped AS SELECT * FROM audit_log;
    TRUNCATE audit_log;
    INSERT INTO audit_log OVERRIDING SYSTEM VALUE SELECT * FROM dumped;
    INSERT INTO audit_log (actor_kind, action) SELECT 'system', 'unsealed' FROM generate_series(1, 6000);
    DROP TABLE dumped`);
  const first = await seal();
  expect(first).toMatchObject({ before: { position: 500n }, hasMore: true });
  expect(first.after!.position).toBeLessThanOrEqual(5_500n);
  await sealEverything();
  expect(await verify()).toMatchObject({ head: { position: 6_500n }, faults: [] });
});

test('records that are inserted among sealed ones do not count as waiting for their seal, however many there are', async () => {
  await actAndSeal(1);
  await asTamperer(
    `INSERT INTO audit_log (id, actor_kind, action) OVERRIDING SYSTEM VALUE
     SELECT -n, 'system', 'forged' FROM generate_series(1, 150) n`,
  );
  expect((await verify()).checked).toMatchObject({ records: 151, unsealed: 0 });
});

test('a record is rolled back with its transaction', async () => {
  await expect(
    database.inTransaction(async tx => {
      await recordAudit(tx, {
        actor: { kind: 'admin', id: '01900000-0000-7000-8000-000000000001' },
        action: 'logout',
      });
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect((await verify()).checked.records).toBe(0);
});

test('after a rotation, each part of the chain is verified with its own key; a missing key and a moved boundary are found [KY-04]', async () => {
  await actAndSeal(3);
  const rotated = await rotate();
  await act('login.completed');
  await vi.waitFor(async () => {
    await sealRecords(database, rotated);
    expect((await verifyBooks(database.reader, { sealKey: rotated })).checked.unsealed).toBe(0);
  }, waitOptions);
  const faults = async (key = rotated) => (await verifyBooks(database.reader, { sealKey: key })).faults;
  expect(await faults()).toEqual([]);
  expect(await faults(deriveSecrets(nextSecret).sealKey)).toEqual([
    'Failed: every seal can be verified with the given secrets: the secret of 3 seals from position 1 on is missing',
  ]);
  // A server that was not given the new secret must not seal after it.
  await act('login.completed');
  await expect(seal()).rejects.toThrow('is sealed with the secret');
  await asTamperer('UPDATE seal_keys SET from_position = 3 WHERE from_position = 4');
  expect(await faults()).toEqual(chainFault('record 3: the record or its seal was changed'));
});

test('a row of a seal key that the database’s owner planted neither stops the sealing nor is overlooked, before and after the chain reaches it [KY-04]', async () => {
  await actAndSeal(3);
  await asTamperer(`
    ALTER TABLE seal_keys DISABLE TRIGGER USER;
    INSERT INTO seal_keys (from_position, key_id) VALUES (2, 'planted'), (5, 'planted'), (999, 'planted');
    ALTER TABLE seal_keys ENABLE TRIGGER USER`);
  await actAndSeal(3);
  const { checked, faults } = await verify();
  expect(checked).toMatchObject({ records: 6, unsealed: 0 });
  expect(faults.toSorted()).toEqual(
    [2, 5, 999].map(
      from =>
        `Failed: every seal key belongs to seals and to a secret of this bank: key planted from position ${from}`,
    ),
  );
});

test('the server’s login cannot store a seal key without its first seal, or one of a secret that the bank does not need; a server of 1.0.0 can store its own [KY-04]', async () => {
  await actAndSeal(3);
  const { id } = sealKey[0];
  const insert = (values: string) => `INSERT INTO seal_keys (from_position, key_id) VALUES (${values})`;
  const append = (id: number) =>
    `SELECT append_seals(${id - 1}, '{${id}}', ARRAY[decode(repeat('00', 32), 'hex')], '{x}'); `;
  await database.ownerPool.query("INSERT INTO app_secrets (key_id, released_at) VALUES ('released', now())");
  for (const statements of [
    insert(`6, '${id}'`),
    insert(`3, '${id}'`),
    ...['planted', 'released'].map(key => append(4) + insert(`4, '${key}'`)),
  ])
    await expect(database.pool.query(statements), statements).rejects.toThrow('only with its first seal');
  await actAndSeal(1);
  expect(await verify()).toMatchObject({ head: { position: 4n }, faults: [] });
  // A server of 1.0.0 stores the row before the seal.
  const { id: next } = (await rotate())[0];
  await database.pool.query(`${insert(`5, '${next}'`)}; ${append(5)}`);
});

test('the proof says since when a record has waited for its seal, and whether one is from the future [M-37]', async () => {
  await actAndSeal(3);
  for (let n = 0; n < 3; n++) await act('login.completed');
  expect(await verify()).toMatchObject({ unsealedSince: undefined, unsealedAhead: undefined });
  await asTamperer("UPDATE audit_log SET at = '2026-11-01T15:00:00Z' WHERE id = 6");
  expect((await verify()).unsealedSince).toEqual(new Date('2026-11-01T15:00:00Z'));
  await asTamperer("UPDATE audit_log SET at = 'infinity' WHERE id = 4");
  expect(await verify()).toMatchObject({
    unsealedSince: new Date('2026-11-01T15:00:00Z'),
    unsealedAhead: new Date('9999-12-31T00:00:00Z'),
  });
});

test('if a server seals with a new secret at the same moment as one with the former, only the server that was first records its secret, and each seal is verified [KY-04]', async () => {
  await actAndSeal(2);
  const rotated = await rotate();
  await act('login.completed');
  const lock = new pg.Client(bank.connection as pg.ClientConfig);
  await lock.connect();
  onTestFinished(() => lock.end());
  // The lock of `append_seals`: both servers wait, in this order.
  await lock.query('SELECT pg_advisory_lock(7236005)');
  const waiting = async (count: number) =>
    await vi.waitFor(async () => {
      const found = await database.pool.query(
        "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted",
      );
      expect(found.rowCount).toBe(count);
    }, waitOptions);
  const former = seal();
  await waiting(1);
  const late = sealRecords(database, rotated);
  await waiting(2);
  await lock.query('SELECT pg_advisory_unlock(7236005)');
  await Promise.all([former, late]);
  await act('login.completed');
  await vi.waitFor(async () => {
    await sealRecords(database, rotated);
    expect((await verifyBooks(database.reader, { sealKey: rotated })).checked.unsealed).toBe(0);
  }, waitOptions);
  expect((await verifyBooks(database.reader, { sealKey: rotated })).faults).toEqual([]);
});
