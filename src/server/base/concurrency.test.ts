/** Limits on concurrent calls: who runs, who waits and in which order, and who is refused. */
import { expect, test } from 'vitest';
import { type CallSource, limitConcurrency, limitConcurrencyByKey } from './concurrency.ts';

test('two calls run, three wait in order, and the sixth is refused', async () => {
  const limited = limitConcurrency({ maxRunning: 2, maxWaiting: 3, waitTime: 7 });
  const begun: number[] = [];
  const finish: (() => void)[] = [];
  const work = (n: number) =>
    limited(async () => {
      begun.push(n);
      await new Promise<void>(resolve => finish.push(resolve));
      if (n === 1) throw new Error('one fails');
      return n;
    });
  const all = [work(1), work(2), work(3), work(4), work(5)];
  await expect(work(6)).rejects.toMatchObject({ code: 'BUSY', waitTime: 7 });
  expect(begun).toEqual([1, 2]);
  finish[0]!();
  await expect(all[0]).rejects.toThrow('one fails');
  expect(begun).toEqual([1, 2, 3]);
  for (let n = 1; n < 5; n++) {
    finish[n]!();
    expect(await all[n]).toBe(n + 1);
  }
  expect(begun).toEqual([1, 2, 3, 4, 5]);
  const after = work(7);
  expect(begun).toContain(7);
  finish[5]!();
  expect(await after).toBe(7);
});

test('a key without free slots delays no other key, and its slots are free again afterward', async () => {
  const limited = limitConcurrencyByKey({ maxRunning: 1, maxWaiting: 1, waitTime: 7 });
  const finish: (() => void)[] = [];
  const work = (key: string) => limited(key, () => new Promise<void>(resolve => finish.push(resolve)));
  for (let round = 0; round < 2; round++) {
    const [first, second] = [work('one'), work('one')];
    await expect(work('one')).rejects.toMatchObject({ code: 'BUSY', waitTime: 7 });
    const other = work('other');
    expect(finish).toHaveLength(2);
    for (const end of finish.splice(0)) end();
    await Promise.all([first, other]);
    finish.splice(0)[0]!();
    await second;
  }
});

test('a group runs at most its share of calls, other groups use the remaining slots, and a call that ends lets the next call of its group run', async () => {
  const limited = limitConcurrency({ maxRunning: 3, maxOfGroup: 2, maxWaiting: 4, waitTime: 7 });
  const begun: string[] = [];
  const finish = new Map<string, () => void>();
  const work = (name: string) =>
    limited(
      () => {
        begun.push(name);
        return new Promise<void>(resolve => finish.set(name, resolve));
      },
      { group: name[0]! },
    );
  const end = async (name: string) => {
    finish.get(name)!();
    await all.get(name);
  };
  const names = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'];
  const all = new Map(names.map(name => [name, work(name)]));
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  await end('b1');
  expect(begun.slice(3)).toEqual(['b2']);
  await end('b2');
  expect(begun.slice(4)).toEqual(['c1']);
  await end('c1');
  expect(begun).toHaveLength(5);
  await end('a2');
  expect(begun.slice(5)).toEqual(['a3']);
  for (const name of ['a1', 'a3', 'a4']) await end(name);
  expect(begun).toEqual([...names.slice(0, 2), 'b1', 'b2', 'c1', 'a3', 'a4']);
});

/** Fills the only slot. `wait` queues a call; `served` lists the calls that ran, in order. */
async function occupied(maxWaiting: number) {
  const limited = limitConcurrency({ maxRunning: 1, maxWaiting, waitTime: 7 });
  let free = () => {};
  const first = limited(() => new Promise<void>(resolve => (free = resolve)));
  const served: string[] = [];
  const refused: string[] = [];
  const calls: Promise<unknown>[] = [first];
  return {
    served,
    refused,
    wait: (name: string, source: CallSource): void => {
      const call = limited(async () => served.push(name), source);
      calls.push(call.catch(() => refused.push(name)));
    },
    serveAll: async () => {
      free();
      await Promise.all(calls);
    },
  };
}

test('groups are served in rotation, and a full queue refuses the newest call of the largest group', async () => {
  const { wait, serveAll, served, refused } = await occupied(4);
  for (const n of [1, 2, 3, 4, 5]) wait(`flood ${n}`, { group: 'flood' });
  wait('a', { group: 'a' });
  wait('b', { group: 'b' });
  wait('b 2', { group: 'b' });
  await serveAll();
  expect(served).toEqual(['flood 1', 'a', 'b', 'flood 2']);
  expect(refused.sort()).toEqual(['b 2', 'flood 3', 'flood 4', 'flood 5']);
});

test('trusted calls have their own places in the queue and alternate with other calls', async () => {
  const { wait, serveAll, served, refused } = await occupied(3);
  for (const n of [1, 2, 3, 4]) wait(`other ${n}`, { group: `${n}` });
  for (const n of [1, 2]) wait(`trusted ${n}`, { group: 'same', isTrusted: true });
  await serveAll();
  expect(served).toEqual(['trusted 1', 'other 1', 'trusted 2', 'other 2', 'other 3']);
  expect(refused).toEqual(['other 4']);
});
