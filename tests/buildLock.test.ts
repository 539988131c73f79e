/** Builds of one checkout wait for each other, and a lock of a process that is gone holds nobody up. */
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

/** Takes the lock this often at once; gives how many held it together at most. */
async function crowd(size: number): Promise<number> {
  let holding = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: size }, async () => {
      const release = await holdBuildLock(dist);
      most = Math.max(most, ++holding);
      await new Promise(setImmediate);
      holding--;
      await release();
    }),
  );
  return most;
}

test('of many who build at once one does, and nothing is left behind', async () => {
  expect(await crowd(12)).toBe(1);
  expect(readdirSync(dist)).toEqual([]);
});

test('a lock whose process is gone, or that is empty, is taken over by one', async () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  for (const left of [String(pid), '']) {
    writeFileSync(join(dist, 'building'), left);
    expect(await crowd(6)).toBe(1);
    expect(readdirSync(dist)).toEqual([]);
  }
});
