// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useCountdown } from './useCountdown.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());
const pass = (ms: number) =>
  act(() => {
    vi.advanceTimersByTime(ms);
  });

test('the wait counts down second by second and ends at zero [L-14]', () => {
  const { result } = renderHook(() => useCountdown(45));
  expect(result.current.left).toBe(45);
  pass(1000);
  expect(result.current.left).toBe(44);
  pass(43_500);
  expect(result.current.left).toBe(1);
  pass(500);
  expect(result.current.left).toBe(0);
});

test('asking again starts a new wait, as long as the server says', () => {
  const { result } = renderHook(() => useCountdown(1));
  pass(1000);
  expect(result.current.left).toBe(0);
  act(() => result.current.restart(12));
  expect(result.current.left).toBe(12);
  pass(12_000);
  expect(result.current.left).toBe(0);
});

test('a tab that slept shows the right second when it wakes', () => {
  const { result } = renderHook(() => useCountdown(45));
  vi.setSystemTime(Date.now() + 40_000);
  pass(250);
  expect(result.current.left).toBe(5);
});
