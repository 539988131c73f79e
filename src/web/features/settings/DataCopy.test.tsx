/** Requesting a copy of all data when the answer is lost. */
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { ExportJob } from '#contract/records.ts';
import { customerLoggedIn } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { renderWith } from '../../../../tests/renderWith.tsx';
import { wren } from '../../../../tests/sessions.ts';
import { waitOptions } from '../../../../tests/waiting.ts';
import { DataCopy } from './DataCopy.tsx';

test('a customer whose answer is lost reads no error once the copy is being made, and none when it is ready [RX-31]', async () => {
  const making = {
    _id: '1',
    createdAt: '2026-11-20T15:00:00.000Z',
    isReady: false,
    progress: 21,
  } as ExportJob;
  let copies: ExportJob[] = [];
  let isLost = true;
  vi.stubGlobal('fetch', async (_: string, { method }: RequestInit) => {
    if (method !== 'GET') {
      if (!isLost) copies = [making];
      throw new TypeError('connection lost');
    }
    return Response.json({ success: true, message: '', data: copies });
  });
  const store = makeStore();
  store.dispatch(customerLoggedIn(wren));
  renderWith(store, <DataCopy />);
  const request = await screen.findByRole('button', {}, waitOptions);
  await userEvent.click(request);
  // Nothing is being made, so the error stays.
  await screen.findByRole('alert', {}, waitOptions);
  isLost = false;
  await userEvent.click(request);
  await screen.findByRole('progressbar', {}, waitOptions);
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull(), waitOptions);
  copies = [{ ...making, isReady: true, size: 2_000, expiresAt: '2026-11-27T15:00:00.000Z' }];
  await screen.findByText('2 KB', { exact: false }, waitOptions);
  expect(screen.queryByRole('alert')).toBeNull();
});
