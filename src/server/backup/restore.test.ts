/** Restores of a bank whose settings or clock changed. */
import { afterAll, expect, test } from 'vitest';
import { openEmbeddedBanks } from '../../../tests/embeddedBanks.ts';

const { backups, run, marksAt, close } = openEmbeddedBanks();
afterAll(close);

/** What PostgreSQL needs for the connections of three workers. */
const threeWorkers = { max_connections: '140' };

test('a bank with many workers is restored, also from a backup that was made when it had fewer [RC-46]', async () => {
  const few = await run('bank');
  await few.backUp();
  await few.mark('few');
  await few.stop();
  const many = await run('bank', backups, threeWorkers);
  await many.mark('many');
  await many.copy();
  expect(await marksAt(undefined, 'from few')).toEqual(['few', 'many']);
  await many.backUp();
  await many.stop();
  expect(await marksAt(undefined, 'from many')).toEqual(['few', 'many']);
});
