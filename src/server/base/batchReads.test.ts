/** Batched reads: which lookups share a query, and which answer each one gets. */
import { expect, test, vi } from 'vitest';
import { waitOptions } from '../../../tests/waiting.ts';
import { batchReads } from './batchReads.ts';

/** A reader whose queries end when the test ends them. */
function openReader() {
  const queries: { ids: string[]; end: ReturnType<typeof Promise.withResolvers<Map<string, number>>> }[] = [];
  const read = batchReads((ids: string[]) => {
    const end = Promise.withResolvers<Map<string, number>>();
    queries.push({ ids, end });
    return end.promise;
  });
  return { queries, read };
}

const nextRound = () => new Promise(setImmediate);

test('lookups that arrive while a query runs share the next one, each id once', async () => {
  const { queries, read } = openReader();
  const first = read('a');
  await nextRound();
  const later = [read('b'), read('c'), read('b')];
  await nextRound();
  expect(queries.map(({ ids }) => ids)).toEqual([['a']]);
  queries[0]!.end.resolve(new Map([['a', 1]]));
  expect(await first).toBe(1);
  await nextRound();
  expect(queries.map(({ ids }) => ids)).toEqual([['a'], ['b', 'c']]);
  queries[1]!.end.resolve(new Map([['b', 2]]));
  expect(await Promise.all(later)).toEqual([2, undefined, 2]);
});

test('a lookup does not wait for a query that gets no answer', async () => {
  const { queries, read } = openReader();
  void read('a');
  await nextRound();
  const later = read('b');
  await vi.waitFor(() => expect(queries).toHaveLength(2), waitOptions);
  queries[1]!.end.resolve(new Map([['b', 2]]));
  expect(await later).toBe(2);
});

test('a failed query rejects every lookup that shares it, and the next lookup starts a new query', async () => {
  const { queries, read } = openReader();
  const both = [read('a'), read('b')];
  await nextRound();
  queries[0]!.end.reject(new Error('the database is away'));
  for (const lookup of both) await expect(lookup).rejects.toThrow('the database is away');
  const again = read('a');
  await nextRound();
  queries[1]!.end.resolve(new Map([['a', 1]]));
  expect(await again).toBe(1);
});
