/** The log of a server. */
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { logConsole } from './log.ts';

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
