// @vitest-environment jsdom
import { act, cleanup, render } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterEach, expect, test, vi } from 'vitest';
import { customerLoggedIn } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { RouterProvider } from '#web/router/RouterProvider.tsx';
import { createMemoryRouter } from '../../../../tests/memoryRouter.tsx';
import { wren } from '../../../../tests/sessions.ts';
import { DashboardShell } from './DashboardShell.tsx';

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

test('what a customer typed is gone when another customer logs in in another tab [ST-102]', () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  const store = makeStore();
  store.dispatch(customerLoggedIn(wren));
  const Form = () => <input name="receiver" />;
  const router = createMemoryRouter([
    { Component: DashboardShell, children: [{ index: true, Component: Form }] },
  ]);
  render(
    <Provider store={store}>
      <RouterProvider router={router} />
    </Provider>,
  );
  const field = () => document.querySelector<HTMLInputElement>('[name=receiver]');
  field()!.value = '730511842298';
  const newValue = JSON.stringify({ ...wren, _id: '2' });
  act(() => {
    dispatchEvent(new StorageEvent('storage', { key: 'user', newValue, storageArea: localStorage }));
  });
  expect(field()?.value).toBe('');
});
