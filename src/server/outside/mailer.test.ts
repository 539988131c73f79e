/** A mail server that answers late, or not at all: which mails wait for it, which do not, and what is delivered later. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { eventually } from '../../../tests/waiting.ts';
import { type Mailer, openMailer } from './mailer.ts';

/** The recipients whose mails the server has. */
let arrived: string[];
/** Functions that send the delayed answers: to a whole mail, or to RCPT TO. */
let held: (() => void)[];
/** What the server answers only after `release`. */
let holds: 'recipients' | 'mails' | undefined;
function release() {
  holds = undefined;
  for (const answer of held.splice(0)) answer();
}

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['AUTH', 'STARTTLS'],
  disableReverseLookup: true,
  onRcptTo(_, __, answer) {
    if (holds === 'recipients') held.push(answer);
    else answer();
  },
  onData(stream, { envelope }, answer) {
    stream.resume().once('end', () => {
      arrived.push(envelope.rcptTo[0]!.address);
      if (holds === 'mails') held.push(answer);
      else answer();
    });
  },
});
server.on('error', () => {});

let mailer: Mailer;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
});
afterAll(() => new Promise<void>(resolve => server.close(resolve)));
beforeEach(() => {
  [arrived, held, holds] = [[], [], undefined];
  const { port } = server.server.address() as AddressInfo;
  mailer = openMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from: 'no-reply@bank.example' });
});
afterEach(() => mailer.close());

const send = (name: string, isBulk = false) =>
  mailer.send({ to: `${name}@mail.example`, subject: 's', text: 't', html: 'h', isBulk }).then(
    () => 'accepted',
    (error: Error & { code?: string; isUnconfirmed?: boolean }) =>
      `${error.code}${error.isUnconfirmed ? ', unconfirmed' : ''}`,
  );

test('two urgent mails may wait up to a minute for the server’s answer; others are given up after 15 seconds, so that other mails get their connections', async () => {
  holds = 'mails';
  const waiting = ['a', 'b', 'c', 'd', 'e'].map(name => send(name));
  await eventually(() => arrived.length === 5 || undefined);
  holds = undefined;
  // Mails about transfers have connections of their own. A code waits until one of the other five connections is free.
  expect(await send('bulk', true)).toBe('accepted');
  expect(await send('code')).toBe('accepted');
  expect(arrived.slice(5)).toEqual(['bulk@mail.example', 'code@mail.example']);
  release();
  const results = await Promise.all(waiting);
  expect(results.filter(result => result === 'accepted')).toHaveLength(2);
  expect(results.filter(result => result === 'ETIMEDOUT, unconfirmed')).toHaveLength(3);
  // A connection that waited long is used again.
  expect(await Promise.all(['f', 'g', 'h'].map(name => send(name)))).toEqual(Array(3).fill('accepted'));
});

test('a mail that is not sent within 60 seconds fails and is not delivered later, so its retry is no second copy', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  holds = 'recipients';
  const late = ['a', 'b', 'c', 'd', 'e', 'queued'].map(name => send(name));
  await eventually(() => held.length === 5 || undefined);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await Promise.all(late)).toEqual(Array(6).fill('ETIMEDOUT'));
  vi.useRealTimers();
  release();
  expect(await send('next')).toBe('accepted');
  expect(arrived).toEqual(['next@mail.example']);
});

test('a server that has a mail and closes the connection leaves the mail unconfirmed', async () => {
  holds = 'mails';
  const sending = send('a');
  await eventually(() => arrived.length === 1 || undefined);
  for (const connection of server.connections) connection.close();
  expect(await sending).toBe('ECONNECTION, unconfirmed');
});
