/** The countdown of a wait follows the clock, also in a suspended tab. */
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useCountdown } from './useCountdown.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());
const pass = (ms: number) =>
  act(() => {
    vi.advanceTimersByTime(ms);
  });
const inSeconds = (seconds: number) => Date.now() + seconds * 1000;
const countdown = (seconds: number) =>
  renderHook(endsAtMs => useCountdown(endsAtMs), { initialProps: inSeconds(seconds) });

test('the wait counts down second by second and ends at zero [L-14]', () => {
  const { result } = countdown(45);
  expect(result.current).toBe(45);
  pass(1000);
  expect(result.current).toBe(44);
  pass(43_500);
  expect(result.current).toBe(1);
  pass(500);
  expect(result.current).toBe(0);
});

test('requesting another code starts a new wait of the length that the server says', () => {
  const { result, rerender } = countdown(1);
  pass(1000);
  expect(result.current).toBe(0);
  rerender(inSeconds(12));
  expect(result.current).toBe(12);
  pass(12_000);
  expect(result.current).toBe(0);
});

test('a suspended tab shows the right second when it resumes', () => {
  const { result } = countdown(45);
  vi.setSystemTime(Date.now() + 40_000);
  pass(250);
  expect(result.current).toBe(5);
});

test('a wait that is already over shows no countdown', () => {
  expect(countdown(-3).result.current).toBe(0);
});
