/** How paths are decoded for the rules about paths. */
import { expect, test } from 'vitest';
import { plainPath } from './routedPath.ts';

test('a stranger’s percent-encoded URL of 15,000 characters takes hardly longer to decode than one of 1,500 [RC-96]', () => {
  const decode = (escapes: number) => {
    const url = `/${'%61'.repeat(escapes)}`;
    const startedAt = process.cpuUsage();
    for (let n = 0; n < 500; n++) expect(plainPath(url).slice(0, 100)).toBe(`/${'a'.repeat(99)}`);
    return process.cpuUsage(startedAt).user;
  };
  decode(500);
  expect(decode(5_000)).toBeLessThan(4 * decode(500));
});

test('the rules for paths of the API also apply to a percent-encoded path, however long [RC-96]', () => {
  expect(plainPath('/%61pi/v1/x?%61')).toBe('/api/v1/x');
  expect(plainPath(`/%61pi/${'%2f'.repeat(5_000)}?a`)).toMatch(/^\/api\/\/+/);
});
