/** The sandbox payment rail: when payments are decided, and how. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { afterAll, expect, test } from 'vitest';
import { calendarDay } from '#contract/bankTime.ts';
import { bank } from '#contract/constants.ts';
import type { RailFormat } from '#contract/rail.ts';
import { referenceOf } from '../../ledger/ledger.ts';
import { addBusinessDays } from '../businessDays.ts';
import type { Clock } from '../clock.ts';
import { readRailFile, writers } from './formats.ts';
import { traceOf } from './nacha.ts';
import type { Payment } from './rail.ts';
import * as sandbox from './sandbox.ts';

const root = mkdtempSync(join(tmpdir(), 'larkspur-rail-'));
afterAll(() => rmSync(root, { recursive: true }));

const openSandboxRail = (
  clock: Clock,
  daySeconds: number,
  railFormat: RailFormat = 'iso20022',
  dataDir = root,
) =>
  sandbox.openSandboxRail(clock, {
    railDaySeconds: daySeconds,
    railFormat,
    dataDir,
    routingNumber: bank.routingNumber,
  });

const realDay = 86_400;
const friday = new Date('2026-11-20T15:00:00Z');

/** A payment made at this time. */
const payment = (at = friday, accountNumber = '40218836117'): Payment => ({
  id: v7({ msecs: at.getTime() }),
  sentAt: at,
  submittedAt: at,
  amountCents: 100n,
  bankName: 'First Harbour',
  accountName: 'Ines Caldeira',
  accountNumber,
  reference: 'LB-0000-0000-0000',
});

/** A clock that returns the time it is set to. */
function setClock(): { now(): Date; at: Date } {
  const clock = { at: friday, now: () => clock.at };
  return clock;
}

test('a payment takes three to seven business days, spread over that range, and skips holidays [M-09, M-10]', () => {
  const rail = openSandboxRail(setClock(), realDay);
  const expectedDays = [3, 4, 5, 6, 7].map(days => addBusinessDays('2026-11-20', days));
  // Thanksgiving and two weekends are in between.
  expect(expectedDays).toEqual(['2026-11-25', '2026-11-27', '2026-11-30', '2026-12-01', '2026-12-02']);
  const known = Array.from({ length: 200 }, () => rail.knownAt(payment()));
  expect([...new Set(known.map(calendarDay))].sort()).toEqual(expectedDays);
  const hour = { hour: '2-digit', hourCycle: 'h23', timeZone: 'America/New_York' } as const;
  for (const at of known) expect(at.toLocaleTimeString('en-US', hour)).toBe('09');
});

test('the folder into which people put files exists before the first file', async () => {
  const dataDir = join(root, 'new');
  const rail = openSandboxRail(setClock(), realDay, 'iso20022', dataDir);
  expect(await rail.listIncoming()).toEqual([]);
  expect(readdirSync(join(dataDir, 'rail'))).toContain('in');
});

test('every simulated day is a business day of the configured length [M-10, M-29]', () => {
  const rail = openSandboxRail(setClock(), 20);
  const waits = Array.from({ length: 200 }, () => rail.knownAt(payment()).getTime() - friday.getTime());
  expect([...new Set(waits)].sort((one, other) => one - other)).toEqual([
    60_000, 80_000, 100_000, 120_000, 140_000,
  ]);
});

test('the expected date is a real business day, however short the simulated days are', () => {
  const once = payment();
  const rail = openSandboxRail(setClock(), realDay);
  expect(rail.expectedAt(once)).toEqual(rail.knownAt(once));
  expect(calendarDay(openSandboxRail(setClock(), 20).expectedAt(once))).toBe('2026-12-02');
});

test.each(['iso20022', 'nacha'] as const)(
  'the other bank answers a file of %s with the same files in any process, and never early: payments are settled, or returned if the number ends in 0000 [M-11, M-12, M-14, M-16, RF-01, RF-27]',
  async format => {
    const clock = setClock();
    const dataDir = join(root, format);
    const folder = join(dataDir, 'rail');
    const rail = openSandboxRail(clock, 20, format, dataDir);
    const pairs = [1, 2].map(n => {
      // Both take the same number of days.
      const id = `${payment().id.slice(0, -9)}${n}0000000a`;
      return { ...payment(friday, n === 1 ? '40218836117' : '73120840000'), id, reference: referenceOf(id) };
    });
    const lines = pairs.map((each, index) => ({
      ...each,
      senderName: 'Nora Kim',
      description: '',
      trace: traceOf(bank.routingNumber, index + 1),
    }));
    const head = {
      id: v7(),
      madeAt: friday,
      settlesOn: '2026-11-23',
      from: bank.routingNumber,
      to: rail.routeTo('')!,
    };
    const file = { ...writers[format].writePayments(head, lines), madeAt: friday };
    const [settled, returned] = pairs as [Payment, Payment];
    const knownAt = rail.knownAt(settled);
    await rail.send(file);
    expect(readdirSync(join(folder, 'out'))).toEqual([file.name]);
    clock.at = new Date(knownAt.getTime() - 1);
    expect(await rail.ask(settled, file)).toEqual({ askAgainAt: new Date(knownAt.getTime() + 999) });
    // A payment that was submitted before the file was made waits as long as the others.
    const early = { ...settled, submittedAt: new Date(friday.getTime() - 2_000) };
    expect(await rail.ask(early, file)).toEqual({ askAgainAt: new Date(knownAt.getTime() + 999) });
    expect(await rail.listIncoming()).toEqual([]);
    clock.at = knownAt;
    const answer = await rail.ask(settled, file);
    expect(await openSandboxRail(clock, 20, format, dataDir).ask(returned, file)).toEqual(answer);
    const names = await rail.listIncoming();
    expect(answer).toEqual({ files: names });
    const read = await Promise.all(
      names.map(async name => await readRailFile((await rail.readIncoming(name))!, bank.routingNumber)),
    );
    expect(read.flatMap(each => each.lines)).toMatchObject([
      { kind: 'settled', amountCents: 100n },
      { kind: 'returned', amountCents: 100n, code: format === 'nacha' ? 'R03' : 'AC01' },
    ]);
    expect(readdirSync(join(folder, 'archive'))).toEqual([file.name]);
    for (const name of names) await rail.fileAway(name, 'archive', (await rail.readIncoming(name))!);
    expect(await rail.listIncoming()).toEqual([]);
  },
);

test.each([
  ['a business day', '2026-11-20T15:00:00Z', '2026-11-20T22:00:00Z'],
  ['summer time', '2026-07-14T15:00:00Z', '2026-07-14T21:00:00Z'],
  ['the moment of a cut-off', '2026-11-20T22:00:00Z', '2026-11-23T22:00:00Z'],
  ['a weekend', '2026-11-21T15:00:00Z', '2026-11-23T22:00:00Z'],
  ['the evening before a holiday', '2026-11-25T23:00:00Z', '2026-11-27T22:00:00Z'],
])('the cut-off on %s is 5 PM in New York on a business day [BR-43]', (_, at, cutOff) => {
  expect(openSandboxRail(setClock(), realDay).cutOff(new Date(at))).toEqual(new Date(cutOff));
});

test('with simulated days the cut-off is the end of the day, so waiting for it delays a payment by at most one day [BR-43]', () => {
  const rail = openSandboxRail(setClock(), 20);
  for (let ms = 0; ms < 20_000; ms += 3_333) {
    const at = new Date(friday.getTime() + ms);
    const cutOff = rail.cutOff(at);
    expect(cutOff).toEqual(new Date(friday.getTime() + 20_000));
    const made = payment(at);
    const later = rail.knownAt({ ...made, submittedAt: cutOff });
    expect(later.getTime() - rail.knownAt(made).getTime()).toBeLessThanOrEqual(20_000);
  }
});
