/** Rate limits: remaining uses, refunds, and the end of a window. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { openRateLimit } from './rateLimit.ts';

test('a refund applies only to its own window, and neither a refused use nor a check is counted', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const [times, seconds] = [5, 60];
  const { left, check, count, spend } = openRateLimit({ times, seconds });
  const spendAll = () => Array.from({ length: times }, () => spend('wren'));
  const refused = expect.objectContaining({ code: 'TOO_MANY', waitTime: seconds });
  const [refund] = spendAll();
  for (let n = 0; n < 3; n++) expect(() => spend('wren')).toThrow(refused);
  refund!();
  const late = spend('wren');
  expect(() => spend('wren')).toThrow(refused);
  spend('jun');
  expect(left('jun')).toBe(times - 1);
  vi.advanceTimersByTime(seconds * 1000);
  late();
  spendAll();
  expect(() => spend('wren')).toThrow(refused);
  // A check counts nothing. A use counts, even beyond the quota.
  for (let n = 0; n <= times; n++) check('noor');
  for (let n = 0; n <= times; n++) count('noor');
  expect(() => check('noor')).toThrow(refused);
  vi.advanceTimersByTime(seconds * 1000);
  check('noor');
  expect(left('noor')).toBe(times);
});
