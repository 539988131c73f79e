/** The log of a server. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../tests/waiting.ts';
import { logConsole } from './log.ts';

test.for(['has no reader', 'is full', 'is full after a worker ended'])(
  'a server whose output is a pipe that %s exits when it is stopped [RC-07]',
  async state => {
    const program = `
    import { spawnSync } from 'node:child_process';
    import { flushLog, ignoreOutputErrors, openLog, unblockOutput } from '${new URL('./log.ts', import.meta.url).pathname}';
    ignoreOutputErrors();
    const log = openLog();
    if (${state.endsWith('ended')}) {
      spawnSync(process.execPath, ['--eval', 'process.stdout'], { stdio: 'inherit' });
      unblockOutput();
    }
    process.stderr.write('ready');
    process.stdin.once('data', async () => {
      // More than a pipe holds.
      log.warn('x'.repeat(2_000_000));
      log.warn('the last line');
      await flushLog(log);
      process.exit(3);
    });`;
    const server = spawn(process.execPath, ['--input-type=module', '--eval', program]);
    onTestFinished(() => void server.kill('SIGKILL'));
    await once(server.stderr, 'data');
    if (state === 'has no reader') server.stdout.destroy();
    else server.stdout.pause();
    server.stdin.write('stop');
    expect(await eventually(() => server.exitCode ?? undefined)).toBe(3);
  },
);

test('a stack trace that a library prints in an outage is one line of the log, without the row that PostgreSQL repeats [RC-68]', () => {
  const original = { ...console };
  onTestFinished(() => void Object.assign(console, original));
  const lines: string[] = [];
  logConsole(pino({ level: 'warn' }, { write: line => void lines.push(line) }));
  console.trace(
    Object.assign(new Error('Connection terminated'), { detail: 'Key (email)=(iris@mail.example)' }),
  );
  console.error('attempt %d of %d failed', 1, 3);
  const refused = new AggregateError(
    [new Error('connect ECONNREFUSED ::1:5432'), 'no route'],
    'all refused',
    {
      cause: new Error('the network is down'),
    },
  );
  console.warn(refused);
  console.error('failed', {
    error: Object.assign(new Error('duplicate key'), { detail: '(iris@mail.example)' }),
  });
  expect(lines.map(line => JSON.parse(line))).toMatchObject([
    {
      msg: 'a library printed a message',
      reason: expect.stringMatching(/^Error: Connection terminated\n +at .*log\.test\.ts/),
    },
    { reason: 'attempt 1 of 3 failed' },
    {
      reason: expect.stringMatching(
        /^AggregateError: all refused\n[\s\S]*\nconnect ECONNREFUSED ::1:5432\nno route\nthe network is down$/,
      ),
    },
    { reason: 'failed [object]' },
  ]);
  expect(lines.join('')).not.toContain('iris');
});
