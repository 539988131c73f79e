/** The bank stops in time, even with open requests or a hanging step. */
import { createConnection } from 'node:net';
import { expect, test, vi } from 'vitest';
import { authApi } from '#contract/auth.ts';
import { hungUp } from '../../tests/rawRequest.ts';
import { openTestBank, type TestBank } from '../../tests/server.ts';
import { measureWithoutStalls, waitOptions } from '../../tests/waiting.ts';

/** Closes the bank and everything made for the test. Returns how many milliseconds the bank itself took to stop. */
async function timeStop({ bank, close }: TestBank): Promise<number> {
  const { stop } = bank;
  let tookMs = 0;
  bank.stop = async () => {
    tookMs = await measureWithoutStalls(stop);
  };
  await close();
  return tookMs;
}

test('a form that is still being sent does not delay the shutdown of the bank', async () => {
  const bank = await openTestBank();
  const { hostname, port } = new URL(bank.url);
  const socket = createConnection({ host: hostname, port: Number(port) });
  const closed = hungUp(socket);
  socket.write(
    [
      `POST ${authApi.register.path} HTTP/1.1`,
      'Host: x',
      'Content-Type: multipart/form-data; boundary=b',
      'Content-Length: 9000000',
      '',
      '--b',
      'Content-Disposition: form-data; name="avatar"; filename="x"',
      '',
      'half a pict',
    ].join('\r\n'),
  );
  const drip = setInterval(() => socket.write('x'), 50);
  await vi.waitFor(async () => {
    const text = await (await fetch(`${bank.url}/metrics`)).text();
    expect(text).toMatch(/larkspur_upload_bytes [1-9]/);
  }, waitOptions);
  // A stop that waited for the form would never end.
  expect(await timeStop(bank)).toBeLessThan(8_000);
  clearInterval(drip);
  await closed;
});

test('a shutdown step that hangs is skipped after its deadline', async () => {
  const bank = await openTestBank({ JOBS: 'off' });
  const { ledger } = bank.bank.parts;
  const { close } = ledger;
  ledger.close = () => close().then(() => new Promise(() => {}));
  expect(await timeStop(bank)).toBeLessThan(8_000);
});
