/** Back in a multi-step screen leads to the previous step, even after a reload. */
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { MemoryRouter } from '../../../../tests/memoryRouter.tsx';
import { useSteps } from './useSteps.ts';

type Entry = { pathname: string; state: { step: string } | null };
const first: Entry = { pathname: '/login', state: null };
const atCode: Entry = { pathname: '/login', state: { step: 'code' } };

const open = (history: Entry[]) =>
  renderHook(() => useSteps<'password' | 'code'>('password'), {
    wrapper: ({ children }: { children: ReactNode }) => (
      <MemoryRouter initialEntries={history}>{children}</MemoryRouter>
    ),
  }).result;

test('the browser’s Back leads to the previous step', () => {
  const steps = open([first]);
  act(() => steps.current.go('code'));
  expect(steps.current.step).toBe('code');
  act(() => steps.current.back());
  expect(steps.current.step).toBe('password');
});

test('after a reload at the code step and a request for another code, one press of Back leads to the password', () => {
  const steps = open([first, atCode]);
  act(() => steps.current.go('code'));
  expect(steps.current.step).toBe('code');
  act(() => steps.current.back());
  expect(steps.current.step).toBe('password');
});
