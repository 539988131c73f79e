/** The rail's folder on a disk that hangs, as a network disk can. */
import { execFileSync } from 'node:child_process';
import { pbkdf2 } from 'node:crypto';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { bank } from '#contract/constants.ts';
import { eventually } from '../../../../tests/waiting.ts';
import { systemClock } from '../clock.ts';
import { openBankRail } from './bankRail.ts';
import type { OutgoingFile, PaymentRail } from './rail.ts';

const answerMs = 5_000;
const refused = { code: 'BUSY', cause: { message: expect.stringContaining('does not answer') } };
const file: OutgoingFile = { name: 'payments.xml', messageId: 'one', content: 'a file', madeAt: new Date() };

let root: string;
let rail: PaymentRail;
const folder = (name: 'in' | 'out') => join(root, 'rail', name);
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'larkspur-rail-'));
  for (const name of ['in', 'out'] as const) mkdirSync(folder(name), { recursive: true });
  const settings = { railDaySeconds: 1, railFormat: 'iso20022', routingNumber: bank.routingNumber } as const;
  rail = openBankRail(systemClock, { ...settings, dataDir: root }, new Map());
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(root, { recursive: true });
});

/** Ends the reads of a pipe: they hang until someone opens the pipe for writing. Reads that begin only now find no pipe. */
function release(pipe: string): void {
  const writer = openSync(pipe, 'r+');
  rmSync(pipe);
  closeSync(writer);
}
/** Waits until the disk answers again. */
const recovered = () =>
  eventually(() =>
    rail.listIncoming().then(
      () => true as const,
      () => undefined,
    ),
  );

test('a name that leads out of the folder is neither written, read nor moved [RF-31]', async () => {
  writeFileSync(join(root, 'secret'), 'a secret');
  const up = ['../secret', '../../secret', '/etc/passwd', '..', '.', '', 'in/../../../secret', 'a\0.xml'];
  for (const name of up) {
    await expect(rail.send({ ...file, name })).rejects.toThrow('is not the name of a rail file');
    await expect(rail.readIncoming(name)).rejects.toThrow('is not the name of a file');
    await expect(rail.fileAway(name, 'archive', Buffer.from('a secret'))).rejects.toThrow('is not the name');
  }
  for (const name of ['.hidden.xml', 'payments.draft', 'Payments.xml', 'a b.xml', 'payments'])
    await expect(rail.send({ ...file, name })).rejects.toThrow('is not the name of a rail file');
  expect(readdirSync(root).sort()).toEqual(['rail', 'secret']);
  expect(readdirSync(join(root, 'rail')).sort()).toEqual(['in', 'out']);
  expect([...readdirSync(folder('in')), ...readdirSync(folder('out'))]).toEqual([]);
  // Another bank can choose any name that stays in the folder.
  writeFileSync(join(folder('in'), 'May 1, 2.ach'), 'theirs');
  expect(String(await rail.readIncoming('May 1, 2.ach'))).toBe('theirs');
});

test('while the disk of the rail hangs, callers are refused within seconds and a thread stays free for other work; once the disk answers, the rail works again [RF-35]', async () => {
  const path = join(folder('in'), 'hanging.xml');
  execFileSync('mkfifo', [join(root, 'pipe')]);
  writeFileSync(path, '');
  const reads = Array.from({ length: 10 }, () => rail.readIncoming('hanging.xml'));
  // Blocks this thread for half a second: a thread of the pool finds the file, but the read cannot begin. Then the file
  // becomes a pipe, and reading it hangs.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
  renameSync(join(root, 'pipe'), path);
  try {
    const hanging = reads.map(read => expect(read).rejects.toMatchObject(refused));
    await vi.advanceTimersByTimeAsync(answerMs);
    await Promise.all(hanging);
    await expect(rail.send(file)).rejects.toMatchObject(refused);
    await expect(rail.listIncoming(1)).rejects.toMatchObject(refused);
    // One thread is still free, for example to hash a password.
    await promisify(pbkdf2)('password', 'salt', 1, 32, 'sha256');
  } finally {
    // Other tests of this process need the threads, too.
    release(path);
  }
  await recovered();
  await rail.send(file);
  expect(readdirSync(folder('out'))).toEqual([file.name]);
});

test('a send that the disk did not answer in time writes nothing later, so the other side gets the file once [RF-35]', async () => {
  const received: string[] = [];
  /** The adapter to the other side takes what is in `out`. */
  const take = () => {
    for (const name of readdirSync(folder('out'))) {
      received.push(name);
      rmSync(join(folder('out'), name));
    }
  };
  const pipe = join(root, 'pipe');
  execFileSync('mkfifo', [pipe]);
  // These reads occupy every thread, so none is left for the send.
  const threads = Number(process.env.UV_THREADPOOL_SIZE ?? 4);
  const blocked = Array.from({ length: threads }, () => readFile(pipe));
  try {
    const sending = expect(rail.send(file)).rejects.toMatchObject(refused);
    await vi.advanceTimersByTimeAsync(answerMs);
    await sending;
  } finally {
    release(pipe);
  }
  await Promise.allSettled(blocked);
  await recovered();
  take();
  await rail.send(file);
  take();
  expect(received).toEqual([file.name]);
});
