/** Measures whether other programs use the machine, because a round that they disturb says nothing about the bank's speed. */
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** A machine on which other programs use less than this share of the processors is quiet. */
const quietShare = 0.18;
const sampleMs = 400;
const waitMs = 30_000;

function readTimes(): { idle: number; all: number } {
  const times = cpus().map(cpu => cpu.times);
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  return { idle: sum(times.map(({ idle }) => idle)), all: sum(times.map(time => sum(Object.values(time)))) };
}

/** Whether the machine is quiet. Call it while the bank and the browser do nothing. */
export async function isQuiet(): Promise<boolean> {
  const before = readTimes();
  await sleep(sampleMs);
  const after = readTimes();
  return 1 - (after.idle - before.idle) / (after.all - before.all) < quietShare;
}

/**
 * Waits up to half a minute until the machine is quiet. The bank's own background work counts too, so this also waits for its
 * end. Returns whether the machine is quiet.
 */
export async function becomesQuiet(): Promise<boolean> {
  for (let tries = 0; tries < waitMs / sampleMs; tries++) if (await isQuiet()) return true;
  return false;
}

/**
 * Runs `round` until `wanted` rounds were on a quiet machine, at most `4 * wanted` times. Returns the quiet rounds' results.
 */
export async function runWhileQuiet<T>(wanted: number, round: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let tries = 0; tries < 4 * wanted && results.length < wanted; tries++) {
    const wasQuiet = await becomesQuiet();
    const result = await round();
    if (wasQuiet && (await isQuiet())) results.push(result);
  }
  return results;
}

export const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;

/** The median, and the smallest and largest value. */
export const withSpread = (values: number[]): string =>
  `${median(values).toFixed(0)} (${Math.min(...values).toFixed(0)}-${Math.max(...values).toFixed(0)})`;
