/** The log of a server. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../tests/waiting.ts';
import { logConsole } from './log.ts';

const openingLog = `
  import { spawnSync } from 'node:child_process';
  import { readSync, writeSync } from 'node:fs';
  import { flushLog, ignoreOutputErrors, openLog, unblockOutput } from '${new URL('./log.ts', import.meta.url).pathname}';
  ignoreOutputErrors();
  const log = openLog();
  const soon = performance.now() + 500;`;

/** A program with the server's log. When something is written to its input, it calls `work` and exits with 3. */
const programThat = (work: string) => `${openingLog}
  process.stderr.write('ready');
  process.stdin.once('data', async () => {
    ${work}
    process.exit(3);
  });`;

async function startProgram(work: string) {
  const server = spawn(process.execPath, ['--input-type=module', '--eval', programThat(work)]);
  onTestFinished(() => void server.kill('SIGKILL'));
  await once(server.stderr, 'data');
  return server;
}

// More than a pipe holds.
const logMuch = "log.warn('x'.repeat(2_000_000)); log.warn('the last line');";
const endWorker = `
  spawnSync(process.execPath, ['--eval', 'process.stdout'], { stdio: 'inherit' });
  unblockOutput();`;
// Again and again, because this process reads a part ahead.
const fillOutput = `
  for (let round = 0; round < 20; round++) {
    try { for (;;) writeSync(1, 'x'.repeat(512)); } catch {}
    await new Promise(resolve => setTimeout(resolve, 20));
  }`;

test.for([
  ['has no reader', `${logMuch} await flushLog(log, soon);`],
  ['is full', `${logMuch} await flushLog(log, soon);`],
  ['is full after a worker ended', `${endWorker} ${logMuch} await flushLog(log, soon);`],
  ['has become full just before', `${fillOutput} log.warn('the last line');`],
] as const)(
  'a server whose output is a pipe that %s exits when it is stopped [RC-07]',
  async ([state, work]) => {
    const server = await startProgram(work);
    if (state === 'has no reader') server.stdout.destroy();
    else server.stdout.pause();
    server.stdin.write('stop');
    expect(await eventually(() => server.exitCode ?? undefined)).toBe(3);
  },
);

test('a slow reader of the log gets all lines of a server that stops, and a reader that is too slow does not delay the exit [RC-07]', async () => {
  const logLines = "for (let i = 0; i < 12_000; i++) log.warn('x'.repeat(50)); log.warn('the last line');";
  const started = await Promise.all(
    ['Infinity', 'performance.now()'].map(endsAt =>
      startProgram(`${logLines} await flushLog(log, ${endsAt}, 2_000);`),
    ),
  );
  const outputs = started.map(async server => {
    server.stdin.write('stop');
    let [output, reads] = ['', 0];
    for await (const part of server.stdout) {
      output += part;
      // In all longer than the server waits for a reader that reads nothing.
      if (++reads < 8) await sleep(400);
    }
    return output;
  });
  const [patient, hasty] = await Promise.all(outputs);
  expect(patient?.slice(-100)).toMatch(/the last line"}\n$/);
  expect(hasty?.slice(-100)).not.toContain('the last line');
});

test('the lines of two processes that share a full pipe do not mix [RC-68]', async () => {
  const writer = `${openingLog}
    for (let i = 0; i < 4_000; i++) log.warn('x'.repeat(100 + i % 300));
    await flushLog(log, Infinity, 60_000);`;
  const reader = `
    import { readSync, writeSync } from 'node:fs';
    const part = Buffer.alloc(5_000);
    for (let reads = 0, length; (length = readSync(0, part)) > 0; reads++) {
      writeSync(1, part, 0, length);
      if (reads < 300) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4);
    }`;
  const node = '"$0" --input-type=module --eval';
  const { stdout } = await promisify(execFile)(
    'sh',
    ['-c', `{ ${node} "$1" & ${node} "$1" & wait; } | ${node} "$2"`, process.execPath, writer, reader],
    { maxBuffer: 10_000_000 },
  );
  const lines = stdout.split('\n').filter(line => line !== '');
  expect(lines.filter(line => !/^\{"level":40,"[^{}]*x"\}$/.test(line))).toEqual([]);
  expect(lines).toHaveLength(8_000);
});

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
