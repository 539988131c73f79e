/** Health endpoints under frequent polling by load balancers. */
import Fastify from 'fastify';
import { expect, onTestFinished, test, vi } from 'vitest';
import { cloneDatabase } from '../../../tests/database.ts';
import { serveHealth } from './health.ts';

test('parallel readiness checks query the database once, and again a second later [RC-37]', async () => {
  const test = await cloneDatabase();
  const app = Fastify();
  // Only the time that passes until the database is connects again; it stands still while a busy machine answers fifty.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(async () => {
    vi.useRealTimers();
    await app.close();
    await test.drop();
  });
  const connects = vi.spyOn(test.database.pool, 'connect');
  serveHealth(app, test.database.reader, () => false);
  const ask = async () => (await app.inject('/readyz')).statusCode;
  expect(new Set(await Promise.all(Array.from({ length: 50 }, ask)))).toEqual(new Set([200]));
  vi.advanceTimersByTime(999);
  await ask();
  expect(connects).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  await ask();
  expect(connects).toHaveBeenCalledTimes(2);
});
