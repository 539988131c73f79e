/** The memory that a long statement takes while it is made. */
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { usedBytes } from '../../../tests/memory.ts';
import { openStatement } from './statement.ts';

test('a long statement does not keep its finished pages in memory [RX-34]', async () => {
  const count = 4_000;
  const at = new Date('2026-11-01T04:00:00Z');
  const statement = openStatement(
    {
      month: '2026-10',
      from: '2026-10-01',
      to: '2026-10-31',
      isSoFar: false,
      openingCents: 0n,
      closingCents: BigInt(count),
      inCents: BigInt(count),
      outCents: 0n,
      count,
      holder: 'Nora Quist',
      accountNumber: '100000000001',
      routingNumber: '800000006',
      at,
      pendingCount: 0,
    },
    () => {},
  );
  const addHalf = async () => {
    for (let n = 0; n < count / 2; n++) {
      statement.add([{ at, cents: 1n, name: 'Zoë Ünal', note: `Lunch ${n}`, reference: `LB-${n}` }]);
      // pdfkit emits its bytes in the next iteration of the event loop.
      if (n % 100 === 99) await setImmediate();
    }
  };
  await addHalf();
  const before = usedBytes();
  await addHalf();
  // A movement takes 0.2 KB. It would take 1.6 KB if every structure element were kept.
  expect((usedBytes() - before) / (count / 2)).toBeLessThan(600);
  await statement.end();
});
