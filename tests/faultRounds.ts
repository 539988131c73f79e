/** The progress of `npm run faults`, whose tests can take an hour each. `npm test` shows progress itself. */
import { expect } from 'vitest';

/** Prints that the current test has done this many of its rounds or trials. Some tests need more rounds than planned. */
export function reportProgress(done: number, planned: number): void {
  if (process.env.FAULT_ROUNDS === undefined) return;
  const time = new Date().toTimeString().slice(0, 8);
  process.stdout.write(
    `${time}  ${done} of ${Math.max(done, planned)}  ${expect.getState().currentTestName}\n`,
  );
}
