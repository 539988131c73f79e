/** The log of requests: one line each, without personal data, and with a reason for every failure of the bank. */
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { authApi } from '#contract/auth.ts';
import { transactionsApi } from '#contract/transactions.ts';
import { sendRaw } from '../../../tests/rawRequest.ts';
import { openTestBank } from '../../../tests/server.ts';
import { eventually } from '../../../tests/waiting.ts';
import { openBank } from '../bank.ts';

type Line = Record<string, unknown>;

test('every request has one line with id, route, status, time and kind of caller, a malformed one has only status and reason, and the line of a 5xx says why [RC-68]', async () => {
  const bank = await openTestBank();
  const customer = await bank.customer();
  const lines: Line[] = [];
  const stream = new Writable({
    write(chunk, _, done) {
      lines.push(JSON.parse(String(chunk)) as Line);
      done();
    },
  });
  const log = pino({ level: 'info' }, stream);
  const { config, publicUrl } = bank.bank.parts;
  const logged = await openBank({ ...config, jobs: false }, bank.test.connection, publicUrl, log);
  const url = await logged.app.listen({ port: 0, host: '127.0.0.1' });
  const { token, email } = customer;
  const call = async (path: string, init: RequestInit = {}): Promise<Line> => {
    lines.length = 0;
    await (await fetch(url + path, init)).text();
    return await eventually(() => lines.find(({ msg }) => msg === 'request'));
  };
  const authorization = `Bearer ${token}`;
  const line = await call(`${transactionsApi.listTransactions.path}?search=lunch`, {
    headers: { authorization },
  });
  expect(line).toMatchObject({
    level: 30,
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    method: 'GET',
    route: '/api/v1/user/transactions',
    status: 200,
    ms: expect.any(Number),
    caller: 'customer',
  });
  expect(Object.keys(line).sort()).toEqual(
    ['caller', 'hostname', 'id', 'level', 'method', 'ms', 'msg', 'pid', 'route', 'status', 'time'].sort(),
  );
  expect(
    await call(transactionsApi.transaction.path.replace('{id}', customer._id), {
      headers: { authorization },
    }),
  ).toMatchObject({ route: '/api/v1/user/transactions/:id', status: 404 });
  expect(await call('/no/such/page')).toMatchObject({ status: 404, caller: 'visitor' });
  // Node refuses 140 headers itself; of 129, it keeps all.
  const malformed = async () =>
    (await (await fetch(`${url}/metrics`)).text()).match(/_total{status="431"} (\d+)/)?.[1];
  const before = Number(await malformed());
  for (const count of [129, 140]) {
    const headers = Array.from({ length: count }, (_, n) => `X-${n}:`);
    await sendRaw(url, ['GET / HTTP/1.1', ...headers]);
  }
  expect(lines.filter(({ msg }) => msg === 'malformed request')).toMatchObject([
    { level: 30, status: 431, reason: 'too many headers' },
    { level: 30, status: 431, reason: 'HPE_HEADER_OVERFLOW' },
  ]);
  expect(Number(await malformed())).toBe(before + 2);
  // Of the late connections, only the one that sent something has a line.
  const late = Object.assign(new Error('timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  for (const sent of ['', 'G']) {
    const accepted = once(logged.app.server, 'connection') as Promise<[Socket]>;
    const client = createConnection(Number(new URL(url).port), '127.0.0.1');
    client.write(sent);
    const [socket] = await accepted;
    await eventually(() => socket.bytesRead === sent.length || undefined);
    logged.app.server.emit('clientError', late, socket);
    expect(String((await once(client, 'data'))[0])).toMatch(/^HTTP\/1.1 408 /);
  }
  expect(lines.filter(({ status }) => status === 408)).toMatchObject([{ reason: late.code }]);
  const body = JSON.stringify({ email, password: '123456' });
  await call(authApi.initiateLogin.path, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  });
  expect(JSON.stringify(lines)).not.toMatch(new RegExp(`${email}|lunch|123456|127\\.0\\.0\\.1`));

  // At the log level of a local bank, only failures have a line.
  log.level = 'warn';
  await bank.test.database.ownerPool.query('ALTER TABLE transactions RENAME TO hidden');
  expect(await call(transactionsApi.listTransactions.path, { headers: { authorization } })).toMatchObject({
    level: 50,
    status: 500,
    reason: '42P01 relation "transactions" does not exist',
  });
  const holder = await bank.test.database.ownerPool.connect();
  await holder.query('ALTER TABLE hidden RENAME TO transactions');
  await holder.query('BEGIN; LOCK TABLE transactions');
  expect(await call(transactionsApi.listTransactions.path, { headers: { authorization } })).toMatchObject({
    level: 40,
    status: 503,
    reason: '55P03 canceling statement due to lock timeout',
  });
  await holder.query('ROLLBACK');
  holder.release();
  await logged.stop();
  await bank.close();
});
