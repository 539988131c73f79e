/** The calls of all features together. */
import { expect, test, vi } from 'vitest';

const callFiles = import.meta.glob('/src/web/features/**/{*Calls.ts,RetainedData.tsx}');

test('each call is added to the client once, because RTK Query ignores a second definition and its tags [SD-30]', async () => {
  vi.resetModules();
  const { api } = await import('#web/base/api.ts');
  const inject = vi.spyOn(api, 'injectEndpoints');
  for (const load of Object.values(callFiles)) await load();

  const keep = (definition: unknown) => definition;
  const names = inject.mock.calls.flatMap(([{ endpoints }]) =>
    Object.keys(endpoints({ query: keep, mutation: keep } as never)),
  );
  expect(names.length).toBeGreaterThan(150);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});
