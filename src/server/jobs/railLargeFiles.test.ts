/** Incoming files with many lines: they are stored whole, and nothing else waits for them. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bank as names } from '#contract/constants.ts';
import { deposit, head } from '../../../tests/railLines.ts';
import { eventually, openTestBank, type TestBank } from '../../../tests/server.ts';
import { writePayments } from '../outside/rail/iso20022.ts';
import { filesUnread, readRailFolder } from './railFolder.ts';
import { readRows, readRowsAside } from './railRows.ts';
import { storeFile } from './railStoring.ts';

let bank: TestBank;
beforeAll(async () => {
  bank = await openTestBank({ RAIL_DAY_SECONDS: '0.05', JOBS: 'off' });
});
afterAll(() => bank.close());

const parts = () => bank.bank.parts;
const rows = async <Row extends object>(text: string) =>
  (await bank.test.database.ownerPool.query<Row>(text)).rows;
const stored = () =>
  rows(`SELECT f.name, f.state, count(i.id)::int AS lines, max(i.line) AS last
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
  // The first attempt fails after two parts, as if the process died there.
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

test('Ana gets the deposit of a small file that arrives while a large one is applied, before the large one ends [RF-45]', async () => {
  const ana = await bank.seeded({});
  const [large, small] = [fileOf(600), fileOf(1, ana.accountNumber)];
  await rows(`CREATE FUNCTION slow_booking() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM pg_sleep(0.02);
    RETURN NEW;
  END $$`);
  await rows(
    'CREATE TRIGGER slow_booking BEFORE UPDATE ON rail_incoming FOR EACH ROW EXECUTE FUNCTION slow_booking()',
  );
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
