/** The build lock: builds of one checkout run one at a time, and the lock of a dead process blocks no build. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { holdBuildLock } from '#scripts/build/lock.ts';

let dist: string;
beforeEach(() => {
  dist = mkdtempSync(join(tmpdir(), 'larkspur-lock-'));
});
afterEach(() => rmSync(dist, { recursive: true, force: true }));

/** Acquires the lock `count` times concurrently; returns the largest number of holders at any moment. */
async function countConcurrentHolders(count: number): Promise<number> {
  let holding = 0;
  let max = 0;
  await Promise.all(
    Array.from({ length: count }, async () => {
      const release = await holdBuildLock(dist);
      max = Math.max(max, ++holding);
      await new Promise(setImmediate);
      holding--;
      await release();
    }),
  );
  return max;
}

test('concurrent builds run one at a time and leave no lock files', async () => {
  expect(await countConcurrentHolders(12)).toBe(1);
  expect(readdirSync(dist)).toEqual([]);
});

test('a lock that is empty or whose process is dead is taken over by exactly one build', async () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  for (const left of [String(pid), '']) {
    writeFileSync(join(dist, 'building'), left);
    expect(await countConcurrentHolders(6)).toBe(1);
    expect(readdirSync(dist)).toEqual([]);
  }
});
