/** The sandbox payment rail: when payments are decided, and how. */
import { v7 } from 'uuid';
import { expect, test } from 'vitest';
import { calendarDay } from '#contract/bankTime.ts';
import { addBusinessDays } from './businessDays.ts';
import { openSandboxRail, type Payment } from './rail.ts';

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

test('a payment takes three to seven business days, spread over that range, and skips holidays [M-09, M-10]', async () => {
  const rail = openSandboxRail(setClock(), realDay);
  const expectedDays = [3, 4, 5, 6, 7].map(days => addBusinessDays('2026-11-20', days));
  // Thanksgiving and two weekends are in between.
  expect(expectedDays).toEqual(['2026-11-25', '2026-11-27', '2026-11-30', '2026-12-01', '2026-12-02']);
  const known = await Promise.all(
    Array.from({ length: 200 }, async () => (await rail.submit(payment())).knownAt),
  );
  expect([...new Set(known.map(calendarDay))].sort()).toEqual(expectedDays);
  const hour = { hour: '2-digit', hourCycle: 'h23', timeZone: 'America/New_York' } as const;
  for (const at of known) expect(at.toLocaleTimeString('en-US', hour)).toBe('09');
});

test('every simulated day is a business day of the configured length [M-10, M-29]', async () => {
  const rail = openSandboxRail(setClock(), 20);
  const waits = await Promise.all(
    Array.from(
      { length: 200 },
      async () => (await rail.submit(payment())).knownAt.getTime() - friday.getTime(),
    ),
  );
  expect([...new Set(waits)].sort((one, other) => one - other)).toEqual([
    60_000, 80_000, 100_000, 120_000, 140_000,
  ]);
});

test('the expected date is a real business day, however short the simulated days are', async () => {
  const { knownAt, expectedAt } = await openSandboxRail(setClock(), realDay).submit(payment());
  expect(expectedAt).toEqual(knownAt);
  const shortDays = await openSandboxRail(setClock(), 20).submit(payment());
  expect(calendarDay(shortDays.expectedAt)).toBe('2026-12-02');
});

test('submitting a payment again, in any process, returns the same dates [M-14]', async () => {
  const clock = setClock();
  const once = payment();
  const first = await openSandboxRail(clock, realDay).submit(once);
  clock.at = new Date('2026-12-24T12:00:00Z');
  expect(await openSandboxRail(clock, realDay).submit(once)).toEqual(first);
});

test('the rail says when to ask again, and then settles the payment, or returns it if the number ends in 0000 [M-11, M-12, M-16]', async () => {
  const clock = setClock();
  const rail = openSandboxRail(clock, 20);
  const [good, bad] = [payment(), payment(friday, 'GB00BARC20000000')];
  for (const each of [good, bad]) {
    const { knownAt } = await rail.submit(each);
    clock.at = friday;
    expect(await rail.ask(each)).toEqual({ status: 'pending', askAgainAt: knownAt });
    clock.at = new Date(knownAt.getTime() - 1);
    expect(await rail.ask(each)).toEqual({
      status: 'pending',
      askAgainAt: new Date(knownAt.getTime() + 999),
    });
    clock.at = knownAt;
  }
  clock.at = new Date('2027-01-01T00:00:00Z');
  for (let asked = 0; asked < 2; asked++) {
    expect(await rail.ask(good)).toEqual({ status: 'settled' });
    expect(await rail.ask(bad)).toEqual({
      status: 'returned',
      reason: 'The other bank does not know this account',
    });
  }
});

test.each([
  ['a business day', '2026-11-20T15:00:00Z', '2026-11-20T22:00:00Z'],
  ['summer time', '2026-07-14T15:00:00Z', '2026-07-14T21:00:00Z'],
  ['the moment of a cut-off', '2026-11-20T22:00:00Z', '2026-11-23T22:00:00Z'],
  ['a weekend', '2026-11-21T15:00:00Z', '2026-11-23T22:00:00Z'],
  ['the evening before a holiday', '2026-11-25T23:00:00Z', '2026-11-27T22:00:00Z'],
])('the cut-off on %s is 5 PM in New York on a business day [BR-43]', (_, at, cutOff) => {
  expect(openSandboxRail(setClock(), realDay).cutOff(new Date(at))).toEqual(new Date(cutOff));
});

test('with simulated days the cut-off is the end of the day, and a payment settles at most one day later [BR-43]', async () => {
  const rail = openSandboxRail(setClock(), 20);
  for (let ms = 0; ms < 20_000; ms += 3_333) {
    const at = new Date(friday.getTime() + ms);
    const cutOff = rail.cutOff(at);
    expect(cutOff).toEqual(new Date(friday.getTime() + 20_000));
    const made = payment(at);
    const [atOnce, later] = [await rail.submit(made), await rail.submit({ ...made, submittedAt: cutOff })];
    expect(later.knownAt.getTime() - atOnce.knownAt.getTime()).toBeLessThanOrEqual(20_000);
  }
});
