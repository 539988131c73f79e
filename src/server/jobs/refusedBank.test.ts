/** A mail server that refuses the bank itself, rather than one mail: a setting is wrong, or the provider blocks the bank. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../tests/database.ts';
import { aCustomer, testSecrets } from '../../../tests/person.ts';
import { newId } from '../base/uuid.ts';
import { approveAccount } from '../ledger/accounts.ts';
import { openLedger } from '../ledger/ledger.ts';
import { type Mailer, openMailer } from '../outside/mailer.ts';
import { deliver, mailMetrics } from './sendMail.ts';
import { sendNextTransferMails } from './transferMails.ts';

type Step = 'connection' | 'login' | 'sender' | 'receiver' | 'relaying';
/** The step at which the server refuses. The refusal is permanent, unless `isFull`. */
let refused: Step | undefined;
/** Whether the server refuses the receiver temporarily (452), as if the mailbox were full. */
let isFull: boolean;
let arrived: number;

const refusal = (step: Step, responseCode: number) =>
  refused === step ? Object.assign(new Error('refused'), { responseCode }) : null;
const server = new SMTPServer({
  allowInsecureAuth: true,
  disabledCommands: ['STARTTLS'],
  disableReverseLookup: true,
  onConnect: (_, answer) => answer(refusal('connection', 554)),
  onAuth: (_, __, answer) => answer(refusal('login', 535), { user: 'larkspur' }),
  onMailFrom: (_, __, answer) => answer(refusal('sender', 550)),
  onRcptTo: (_, __, answer) =>
    answer(
      refused === 'relaying'
        ? Object.assign(new Error('5.7.1 Relay access denied'), { responseCode: 554 })
        : refusal('receiver', isFull ? 452 : 550),
    ),
  onData(stream, _, answer) {
    stream.resume().once('end', () => {
      arrived++;
      answer();
    });
  },
});
server.on('error', () => {});

let bank: TestDatabase;
let mailer: Mailer;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  bank = await cloneDatabase();
});
afterAll(async () => {
  await new Promise<void>(resolve => server.close(resolve));
  await bank.drop();
});
beforeEach(() => {
  arrived = 0;
  isFull = false;
  mailMetrics.attempts.reset();
  const { port } = server.server.address() as AddressInfo;
  mailer = openMailer({
    smtpUrl: `smtp://larkspur:password@127.0.0.1:${port}`,
    from: 'no-reply@bank.example',
  });
});
afterEach(() => mailer.close());

/** How many attempts had each result. */
async function attempts(): Promise<Record<string, number>> {
  const { values } = await mailMetrics.attempts.get();
  return Object.fromEntries(
    values.filter(({ value }) => value > 0).map(({ labels, value }) => [labels.result, value]),
  );
}

const mail = {
  id: 'one',
  to: 'iris@mail.example',
  subject: 'Welcome',
  text: 'Welcome',
  html: '<p>Welcome</p>',
  images: [],
};

test.each([
  ['every connection', 'connection', 'EPROTOCOL 554'],
  ['the bank’s login', 'login', 'EAUTH 535'],
  ['the bank’s address', 'sender', 'EENVELOPE 550'],
] as const)('while the mail server refuses %s, no mail is lost', async (_, step, status) => {
  refused = step;
  const ledger = openLedger(bank.database);
  const { accountId, accountNumber } = await aCustomer(bank.database);
  await bank.database.inTransaction(tx => approveAccount(tx, accountId));
  const credit = { accountNumber, amountCents: 100n, description: 'A gift', address: '::1' };
  await ledger.credit({ adminId: newId(), sessionId: null, ...credit });
  await ledger.close();
  const send = () =>
    sendNextTransferMails({
      database: bank.database,
      mailer,
      publicUrl: 'https://bank.example',
      secrets: testSecrets,
      log: pino({ level: 'silent' }),
    });

  await expect(deliver(mailer, mail)).rejects.toThrow(status);
  await expect(send()).rejects.toThrow(status);
  refused = undefined;
  expect(await attempts()).toEqual({ failed: 2 });
  expect(await deliver(mailer, mail)).toBe('sent');
  await bank.database.ownerPool.query('UPDATE transfer_mails SET due_at = now()');
  await send();
  expect(arrived).toBe(2);
});

test('a mail whose receiver is refused permanently is not sent again', async () => {
  refused = 'receiver';
  expect(await deliver(mailer, mail)).toBe('refused');
  expect(await attempts()).toEqual({ refused: 1 });
});

test('a mail that the server gets but does not confirm is counted and reported as unconfirmed', async () => {
  const silent = {
    send: () => Promise.reject(Object.assign(new Error('x'), { code: 'ETIMEDOUT', isUnconfirmed: true })),
  };
  await expect(deliver(silent, mail)).rejects.toThrow(
    'The mail server has a mail and did not answer (ETIMEDOUT).',
  );
  expect(await attempts()).toEqual({ unconfirmed: 1 });
});

test('the error says why there is no connection to the mail server', async () => {
  const { port } = server.server.address() as AddressInfo;
  // The server of these tests does not understand TLS.
  const secure = openMailer({ smtpUrl: `smtps://127.0.0.1:${port}`, from: 'no-reply@bank.example' });
  await expect(deliver(secure, mail)).rejects.toThrow('ESOCKET ERR_SSL_WRONG_VERSION_NUMBER');
  secure.close();
});

test('a full mailbox does not count as a failure of the mail server', async () => {
  [refused, isFull] = ['receiver', true];
  await expect(deliver(mailer, mail)).rejects.toThrow('EENVELOPE 452');
  expect(await attempts()).toEqual({ deferred: 1 });
});

test('a mail that the server does not relay for the bank is sent once the rules of the server are repaired', async () => {
  refused = 'relaying';
  await expect(deliver(mailer, mail)).rejects.toMatchObject({ responseCode: 554 });
  refused = undefined;
  expect(await deliver(mailer, mail)).toBe('sent');
});
