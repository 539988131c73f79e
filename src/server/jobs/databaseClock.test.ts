/** How the server judges a database whose clock jumps, compared with the uptime of its own machine. */
import os from 'node:os';
import { expect, onTestFinished, test, vi } from 'vitest';
import { compareWithUptime, jumpedAhead } from './databaseClock.ts';

const [minute, hour, day] = [60, 3_600, 86_400];

/**
 * Returns `passes(seconds, more)`. It lets `seconds` pass on both clocks, and `more` on the database's clock only. It returns
 * whether the database's clock then counts as right.
 */
function watched() {
  let [now, up] = [Date.UTC(2026, 10, 22), 5_000];
  const spy = vi.spyOn(os, 'uptime').mockImplementation(() => up);
  onTestFinished(() => spy.mockRestore());
  const error = vi.fn();
  const isRight = compareWithUptime({ error, warn: vi.fn() } as never);
  const passes = (seconds: number, more = 0) => {
    up += seconds;
    now += (seconds + more) * 1000;
    return isRight(new Date(now));
  };
  expect(passes(0)).toBe(true);
  return { passes, error };
}

test('while the database’s clock is ahead, the log says so every ten minutes [RC-95]', () => {
  const { passes, error } = watched();
  expect(passes(1, 3 * day)).toBe(false);
  for (let second = 0; second < 500; second++) expect(passes(1)).toBe(false);
  expect(error.mock.calls).toEqual([[{ minutes: 4_320 }, jumpedAhead]]);
  expect(passes(2 * minute)).toBe(false);
  expect(error).toHaveBeenCalledTimes(2);
  expect(passes(1, -3 * day)).toBe(true);
  expect(passes(1, hour)).toBe(false);
  expect(error).toHaveBeenCalledTimes(3);
});

test('an outage of a day, a correction by minutes, and a clock that is set back and corrected stop nothing [RC-95]', () => {
  const { passes, error } = watched();
  expect(passes(day)).toBe(true);
  for (const more of [10 * minute, 10 * minute, -3 * day, 3 * day, -20 * minute, 20 * minute])
    expect(passes(1, more)).toBe(true);
  expect(error).not.toHaveBeenCalled();
});

test('after a pause of the machine, which looks like a clock that jumped, the work waits for six hours at most [RC-95]', () => {
  const { passes } = watched();
  for (let night = 0; night < 2; night++) {
    expect(passes(1, 8 * hour)).toBe(false);
    expect(passes(5.9 * hour)).toBe(false);
    expect(passes(0.2 * hour)).toBe(true);
    expect(passes(day)).toBe(true);
  }
});

test('a clock that was behind for hours and then jumps ahead does not count as right minutes later [RC-95]', () => {
  const { passes } = watched();
  expect(passes(1, -hour)).toBe(true);
  expect(passes(5.9 * hour)).toBe(true);
  expect(passes(1, 2 * hour)).toBe(false);
  expect(passes(0.2 * hour)).toBe(false);
  expect(passes(5.9 * hour)).toBe(true);
});
