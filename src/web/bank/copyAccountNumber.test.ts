/** Copying an account number shows whether it is in the clipboard. */
import { afterEach, expect, test, vi } from 'vitest';
import * as appMessages from '#contract/messages/app.ts';
import { listenForToasts, type ToastMessage } from '#web/ui/showToast.ts';
import { copyAccountNumber } from './copyAccountNumber.ts';

afterEach(() => vi.unstubAllGlobals());

async function copyWith(clipboard: object | undefined): Promise<ToastMessage[]> {
  vi.stubGlobal('navigator', { clipboard });
  const said: ToastMessage[] = [];
  const stop = listenForToasts(message => said.push(message));
  await copyAccountNumber('482109375527');
  stop();
  return said;
}

test('a number is copied as its digits without gaps, and a toast confirms it', async () => {
  const writeText = vi.fn();
  expect(await copyWith({ writeText })).toMatchObject([{ title: appMessages.copied, tone: 'success' }]);
  expect(writeText).toHaveBeenCalledWith('482109375527');
});

test.each([
  ['refuses to copy', { writeText: () => Promise.reject(new DOMException('No', 'NotAllowedError')) }],
  ['has no clipboard', undefined],
])('a toast shows the number if the browser %s', async (_, clipboard) => {
  expect(await copyWith(clipboard)).toMatchObject([
    { title: appMessages.copyFailed, text: '482109375527', tone: 'error' },
  ]);
});
