/** Runs a program from `node_modules/.bin` until it exits, and writes its output to the log file of a part of `npm test`. */
import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestEvent } from './events.ts';

/** The folder of the log files, from the root of the checkout. Git ignores it. */
export const logs = join('test-results', 'logs');

/** The result of a program: its exit code, null if it was killed or could not start, and the path of its output. */
export type Ended = { code: number | null; log: string };

export async function runProgram(
  logName: string,
  [program, ...args]: [program: string, ...args: string[]],
  { onEvent }: { onEvent?: (event: TestEvent) => void } = {},
): Promise<Ended> {
  mkdirSync(logs, { recursive: true });
  const log = join(logs, `${logName}.log`);
  const file = createWriteStream(log);
  const child = spawn(join('node_modules', '.bin', program), args, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, FORCE_COLOR: undefined, NO_COLOR: '1' },
  });
  child.on('message', event => onEvent?.(event as TestEvent));
  const ended = new Promise<number | null>(resolve => {
    child.once('error', error => {
      file.write(`${error.message}\n`);
      resolve(null);
    });
    child.once('close', resolve);
  });
  for (const output of [child.stdout!, child.stderr!]) output.pipe(file, { end: false });
  const code = await ended;
  await new Promise<void>(resolve => file.end(resolve));
  return { code, log };
}
