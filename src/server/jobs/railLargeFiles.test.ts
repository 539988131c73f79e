/** Incoming files with many lines: they are stored whole, and requests, jobs and deposits do not wait for them. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { bank as names } from '#contract/constants.ts';
import { holdLocks } from '../../../tests/holdLocks.ts';
import { counterparty, deposit, head, lockRailFile, sendToOtherBank } from '../../../tests/railLines.ts';
import { eventually, openTestBank, type TestBank } from '../../../tests/server.ts';
import { lockWaits } from '../../../tests/waiting.ts';
import { writers } from '../outside/rail/formats.ts';
import { writePayments } from '../outside/rail/iso20022.ts';
import { decidePayment, submitPayment } from './payments.ts';
import { filesUnread, readRailFiles, readRailFolder } from './railFolder.ts';
import { applyLines } from './railIncoming.ts';
import { readRows, readRowsAside } from './railRows.ts';
import { hashOf, storeFile } from './railStoring.ts';

let bank: TestBank;
beforeAll(async () => {
  bank = await openTestBank({ RAIL_DAY_SECONDS: '0.05', JOBS: 'off' });
});
afterAll(() => bank.close());

const couldNotRead = 'a rail file could not be read; retrying';
const parts = () => bank.bank.parts;
const rows = async <Row extends object>(text: string) =>
  (await bank.test.database.ownerPool.query<Row>(text)).rows;
const stored = () =>
  rows<{ name: string }>(`SELECT f.name, f.state, count(i.id)::int AS lines, max(i.line) AS last
          FROM rail_files f LEFT JOIN rail_incoming i ON i.file_id = f.id GROUP BY f.id`);

/** A file of deposits, by default to a number that no account has. */
function fileOf(count: number, accountNumber = '4000000000') {
  const line = () => deposit(accountNumber, { amountCents: 100n, description: '' });
  const { name, content } = writePayments(head(), Array.from({ length: count }, line));
  return { name, bytes: Buffer.from(content) };
}

test('a file of 7,000 lines that takes the database longer than one statement may take is stored whole, or not at all [RF-39]', async () => {
  const { name, bytes } = fileOf(7_000);
  await rows(`CREATE FUNCTION slow_line() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.line = 2501 AND NEW.text <> '' THEN RAISE 'the disk is full' USING ERRCODE = 'disk_full'; END IF;
    IF NEW.line % 1000 = 500 THEN PERFORM pg_sleep(1); END IF;
    RETURN NEW;
  END $$`);
  await rows(
    'CREATE TRIGGER slow_line BEFORE INSERT ON rail_incoming FOR EACH ROW EXECUTE FUNCTION slow_line()',
  );
  // The first attempt fails at line 2501, after two statements of 1,000 lines: the trigger refuses a line that has a text.
  const withText = Buffer.from(
    bytes.toString().replaceAll('</CdtrAcct>', '</CdtrAcct><RmtInf><Ustrd>May</Ustrd></RmtInf>'),
  );
  await expect(storeFile(parts(), name, withText)).rejects.toMatchObject({ code: 'BUSY' });
  expect(await stored()).toEqual([]);
  expect(await storeFile(parts(), name, bytes)).toEqual({ status: 'read' });
  expect(await storeFile(parts(), name, bytes)).toEqual({ status: 'duplicate' });
  expect(await stored()).toEqual([{ name, state: 'read', lines: 7_000, last: 7_000 }]);
  await rows('DROP TRIGGER slow_line ON rail_incoming');
  await rows('DELETE FROM rail_incoming');
});

test('a customer’s request does not wait while a large file is read, and a stop ends the reading [RF-39]', async () => {
  const { bytes } = fileOf(7_000);
  const { routingNumber } = names;
  const busyMs = async (work: () => Promise<unknown>) => {
    const before = performance.eventLoopUtilization();
    await work();
    return performance.eventLoopUtilization(before).active;
  };
  let here: unknown;
  const ownMs = await busyMs(async () => {
    here = await readRows(bytes, routingNumber);
  });
  expect(
    await busyMs(async () => expect(await readRowsAside(bytes, routingNumber)).toEqual(here)),
  ).toBeLessThan(ownMs / 2);
  const torn = bytes.subarray(0, bytes.length - 100);
  await expect(readRowsAside(torn, routingNumber)).rejects.toThrow('not well-formed');
  const stop = new AbortController();
  const reading = readRowsAside(bytes, routingNumber, stop.signal);
  stop.abort();
  await expect(reading).rejects.toThrow('aborted');
});

/** Puts a file into the folder `in`. Returns the folder. */
function put({ name, bytes }: ReturnType<typeof fileOf>): string {
  const folder = join(parts().config.dataDir, 'rail/in');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), bytes);
  return folder;
}

/** Applying a line takes at least this many seconds, until the trigger `slow_booking` is dropped. */
async function slowBooking(seconds: number): Promise<void> {
  await rows(`CREATE OR REPLACE FUNCTION slow_booking() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM pg_sleep(${seconds});
    RETURN NEW;
  END $$`);
  await rows(
    'CREATE TRIGGER slow_booking BEFORE UPDATE ON rail_incoming FOR EACH ROW EXECUTE FUNCTION slow_booking()',
  );
}

test('Ana gets the deposit of a small file that arrives while a large one is applied, before the large one ends [RF-45]', async () => {
  const ana = await bank.seeded({});
  const [large, small] = [fileOf(600), fileOf(1, ana.accountNumber)];
  await slowBooking(0.02);
  put(large);
  const stop = new AbortController();
  const reading = readRailFolder(parts(), { signal: stop.signal });
  const appliedOf = async (name: string) =>
    (
      await rows<{ state: string; applied: number }>(
        `SELECT f.state, count(i.outcome)::int AS applied FROM rail_files f JOIN rail_incoming i ON i.file_id = f.id
          WHERE f.name = '${name}' GROUP BY f.id`,
      )
    )[0];
  await eventually(async () => (await appliedOf(large.name))?.applied || undefined);
  put(small);
  const booked = eventually(async () => (await appliedOf(small.name))?.state === 'applied' || undefined);
  await Promise.race([booked, reading]);
  expect(await appliedOf(small.name)).toEqual({ state: 'applied', applied: 1 });
  const ended = await appliedOf(large.name);
  expect(ended!.state).toBe('read');
  expect(ended!.applied).toBeLessThan(600);
  stop.abort();
  await reading;
  expect((await rows(`SELECT balance::int FROM ledger_accounts WHERE id = ${ana.accountId}`))[0]).toEqual({
    balance: 100,
  });
  await rows('DROP TRIGGER slow_booking ON rail_incoming');
});

test('Ana gets the deposit in a Nacha file although a return before it waits; a round checks only one line that must wait [RF-45]', async () => {
  await applyLines(parts());
  const ana = await bank.seeded({});
  const ofReturns = (count: number) =>
    writers.iso20022.writeReturns(
      head(),
      Array.from({ length: count }, () => ({
        original: { messageId: 'unknown', trace: 'unknown' },
        amountCents: 100n,
        accountNumber: '',
        code: 'AC04',
        trace: 'unknown',
      })),
    );
  const mixed = writers.nacha.writePayments(
    head(),
    ['4000000000', ana.accountNumber].map(number => deposit(number, { amountCents: 100n })),
  );
  const large = ofReturns(120);
  for (const { name, content } of [large, ...Array.from({ length: 30 }, () => ofReturns(1)), mixed])
    expect(await storeFile(parts(), name, Buffer.from(content))).toEqual({ status: 'read' });
  const ofFile = (name: string) => `file_id = (SELECT id FROM rail_files WHERE name = '${name}')`;
  await rows(`UPDATE rail_incoming SET kind = 'returned' WHERE line = 1 AND ${ofFile(mixed.name)}`);
  const { database } = parts();
  let transactions = 0;
  const inTransaction: typeof database.inTransaction = work => {
    transactions++;
    return database.inTransaction(work);
  };
  await applyLines({ ...parts(), database: { ...database, inTransaction } });
  expect(await rows(`SELECT FROM rail_incoming WHERE outcome IS NULL`)).toEqual([]);
  const order = (await rows<{ name: string; line: number }>(
    `SELECT f.name, i.line FROM rail_incoming i JOIN rail_files f ON f.id = i.file_id
      WHERE f.name IN ('${large.name}', '${mixed.name}') ORDER BY i.xmin::text::bigint`,
  )) as { name: string; line: number }[];
  expect(order.findIndex(({ name, line }) => name === mixed.name && line === 2)).toBe(50);
  expect(order.at(-1)).toEqual({ name: mixed.name, line: 1 });
  // One for each of the 152 lines.
  expect(transactions).toBeLessThan(170);
});

test('a file that fails while a large one is applied is logged at once and tried again before the large one ends [RF-45]', async () => {
  const [large, failing] = [fileOf(600), fileOf(2)];
  await slowBooking(0.02);
  await rows('ALTER TABLE rail_files ADD CONSTRAINT broken CHECK (cents <> 200) NOT VALID');
  for (const file of [large, failing]) put(file);
  const warn = vi.spyOn(parts().log, 'warn');
  const reading = readRailFolder(parts(), { retryMs: 500 });
  const ended = expect(reading).rejects.toThrow('broken');
  const stateOf = async (name: string) =>
    (await rows<{ state: string }>(`SELECT state FROM rail_files WHERE name = '${name}'`))[0]?.state;
  await eventually(() => warn.mock.calls.some(([, text]) => text === couldNotRead) || undefined);
  expect(await stateOf(failing.name)).toBeUndefined();
  await ended;
  expect(warn).toHaveBeenCalledWith(expect.objectContaining({ file: failing.name }), couldNotRead);
  expect(await stateOf(large.name)).toBe('read');
  await rows('ALTER TABLE rail_files DROP CONSTRAINT broken');
  await rows('DROP TRIGGER slow_booking ON rail_incoming');
  await readRailFolder(parts());
  expect([await stateOf(large.name), await stateOf(failing.name)]).toEqual(['applied', 'applied']);
});

test('a line that fails is logged at once, and after a while it is tried again although other lines wait [RF-45]', async () => {
  const { name, bytes } = fileOf(20);
  await storeFile(parts(), name, bytes);
  await rows(`CREATE FUNCTION failing_line() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.line = 1 THEN RAISE 'the disk is full' USING ERRCODE = 'disk_full'; END IF;
    RETURN NEW;
  END $$`);
  await rows(
    'CREATE TRIGGER failing_line BEFORE UPDATE ON rail_incoming FOR EACH ROW EXECUTE FUNCTION failing_line()',
  );
  const warn = vi.spyOn(parts().log, 'warn');
  const waiting = async () => (await rows('SELECT FROM rail_incoming WHERE outcome IS NULL')).length;
  await expect(applyLines(parts(), undefined, { retryMs: 0 })).rejects.toMatchObject({ code: 'BUSY' });
  expect(warn).toHaveBeenCalledWith(
    expect.objectContaining({ line: expect.any(String) }),
    'a line of a rail file could not be applied; retrying',
  );
  expect(await waiting()).toBe(20);
  // With the default `retryMs`, the call ends only after it has applied the other lines.
  await expect(applyLines(parts())).rejects.toMatchObject({ code: 'BUSY' });
  expect(await waiting()).toBe(1);
  await rows('DROP TRIGGER failing_line ON rail_incoming');
  await applyLines(parts());
  expect(await waiting()).toBe(0);
});

/** As another process does while it stores this file. */
const storeElsewhere = (file: ReturnType<typeof fileOf>) =>
  lockRailFile(bank.test.database.ownerPool, parts().rail.routeOf(counterparty), file.bytes.toString());

test('a file that another process is storing is left to it, without a warning [RF-45]', async () => {
  const file = fileOf(3);
  const folder = put(file);
  const other = await storeElsewhere(file);
  const warn = vi.spyOn(parts().log, 'warn');
  warn.mockClear();
  await readRailFolder(parts());
  expect(readdirSync(folder)).toEqual([file.name]);
  expect(warn).not.toHaveBeenCalled();
  expect(await storeFile(parts(), file.name, file.bytes)).toEqual({ status: 'busy' });
  await other.query('ROLLBACK');
  await readRailFolder(parts());
  expect(readdirSync(folder)).toEqual([]);
});

test('a file that a server of version 1.0.0 stores at the same time is stored once, without a failure [RF-45]', async () => {
  const { name, bytes } = fileOf(2);
  const messageId = /<MsgId>(.*?)<\/MsgId>/.exec(bytes.toString())![1];
  const { ownerPool } = bank.test.database;
  // That version does not hold the lock of the message.
  const older = await holdLocks(
    ownerPool,
    `WITH file AS (
       INSERT INTO rail_files (id, direction, name, format, message_id, counterparty, sha256, lines, cents, state)
       VALUES (new_id(), 'in', $1, 'pacs.008', $2, $3, $4, 2, 200, 'read') RETURNING id)
     INSERT INTO rail_incoming (file_id, line, kind, amount, currency, keys, account_number, party_name, bank_name, code,
                                text, ref, original)
     SELECT id, line, 'deposit', 100, 'USD', '{}', '4000000000', '', '', '', '', line::text, '{}'
       FROM file, generate_series(1, 2) AS line`,
    name,
    messageId,
    parts().rail.routeOf(counterparty),
    hashOf(bytes),
  );
  const storing = storeFile(parts(), name, bytes);
  await eventually(async () => (await lockWaits(ownerPool, 'INSERT INTO rail_files')) > 0 || undefined);
  await older.query('COMMIT');
  expect(await storing).toEqual({ status: 'duplicate' });
  expect((await stored()).filter(file => file.name === name)).toEqual([
    { name, state: 'read', lines: 2, last: 2 },
  ]);
});

test('while another process stores the answer about a payment, the bank asks again within a minute [RF-45]', async () => {
  const ben = await bank.seeded({ cents: 1_000n });
  const transactionId = await sendToOtherBank(parts().ledger, ben, { bankName: 'First Harbor Bank' });
  const file = fileOf(3);
  put(file);
  const ask = async () => ({ files: [file.name] });
  const asked = { ...parts(), rail: { ...parts().rail, cutOff: (at: Date) => at, ask } };
  await submitPayment(asked, { transactionId });
  const minutesToNext = async () => {
    await decidePayment(asked, { transactionId });
    const [job] = await rows<{ minutes: number }>(
      `SELECT extract(epoch FROM run_at - now())::float8 / 60 AS minutes FROM graphile_worker._private_jobs
        WHERE key = 'decide-payment:${transactionId}'`,
    );
    return job!.minutes;
  };
  const other = await storeElsewhere(file);
  expect(await minutesToNext()).toBeLessThan(1);
  await other.query('ROLLBACK');
  expect(await minutesToNext()).toBeGreaterThan(50);
});

test('jobs that ask about payments leave slots to other jobs while a large file is applied [RF-45]', async () => {
  await slowBooking(0.1);
  const { name, bytes } = fileOf(60);
  await storeFile(parts(), name, bytes);
  // All five slots of the queue ask. Two apply lines, and the others end at once, to ask again in half a minute.
  const asking = Array.from({ length: 5 }, () => readRailFiles(parts(), []));
  expect(await Promise.all(asking)).toEqual([true, true, false, false, false]);
  const waiting = () => rows('SELECT FROM rail_incoming WHERE outcome IS NULL');
  expect(await waiting()).not.toEqual([]);
  await rows('DROP TRIGGER slow_booking ON rail_incoming');
  await applyLines(parts());
  expect(await waiting()).toEqual([]);
});

test('a file in the folder that cannot be stored counts as a waiting file until it is read [RF-39]', async () => {
  const file = fileOf(1);
  const folder = put(file);
  const waiting = async () => (await filesUnread.get()).values[0]!.value;
  await rows('ALTER TABLE rail_files ADD CONSTRAINT broken CHECK (cents <> 100) NOT VALID');
  await expect(readRailFolder(parts())).rejects.toThrow('broken');
  expect(readdirSync(folder)).toEqual([file.name]);
  expect(await waiting()).toBe(1);
  await rows('ALTER TABLE rail_files DROP CONSTRAINT broken');
  await readRailFolder(parts());
  expect(await waiting()).toBe(0);
  expect(await (await fetch(`${bank.url}/metrics`)).text()).toContain('larkspur_rail_files_unread 0');
});
