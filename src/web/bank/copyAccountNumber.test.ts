/** Copying an account number says whether it is in the clipboard. Sharing the account's details opens the device's dialog. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as appMessages from '#contract/messages/app.ts';
import { listenForToasts, type ToastMessage } from '#web/ui/showToast.ts';
import { copyAccountNumber, shareAccountDetails } from './copyAccountNumber.ts';
import * as words from './words.ts';

const number = '482109375527';
const account = { name: 'Jun Takeda', routingNumber: '800000006', accountNumber: number };
const details =
  'Larkspur Bank\nAccount holder: Jun Takeda\nRouting number: 800000006\nAccount number: 482109375527';
const copyRefused =
  'The browser did not allow copying. Press “Add money”: you can select the details there and copy them.';
const refuse = (name: string) => () => Promise.reject(new DOMException('No', name));

let toasts: ToastMessage[];
let stopListening: () => void;
beforeEach(() => {
  toasts = [];
  stopListening = listenForToasts(message => toasts.push(message));
});
afterEach(() => {
  stopListening();
  vi.unstubAllGlobals();
});

test('a customer who copies the account number does not read that it was copied until the clipboard has it', async () => {
  let finish = () => {};
  const writeText = vi.fn(
    () =>
      new Promise<void>(resolve => {
        finish = resolve;
      }),
  );
  vi.stubGlobal('navigator', { clipboard: { writeText } });
  const copied = copyAccountNumber(number);
  expect(writeText).toHaveBeenCalledExactlyOnceWith(number);
  await new Promise(resolve => setTimeout(resolve));
  expect(toasts).toEqual([]);
  finish();
  await copied;
  expect(toasts).toMatchObject([{ title: appMessages.copied, tone: 'success' }]);
});

test.each([
  ['refuses to copy', { writeText: refuse('NotAllowedError') }],
  ['has no clipboard', undefined],
])(
  'a toast shows the number, and the text to share and where to select it, if the browser %s [O-08]',
  async (_, clipboard) => {
    vi.stubGlobal('navigator', { clipboard });
    await copyAccountNumber(number);
    await shareAccountDetails(account);
    expect(toasts).toMatchObject([
      { title: appMessages.copyFailed, text: number, tone: 'error' },
      { title: copyRefused, text: details, tone: 'error' },
    ]);
  },
);

test('a customer shares the details through the device’s share dialog, and nothing is copied, even if the dialog is closed', async () => {
  const clipboard = { writeText: vi.fn() };
  for (const answer of [() => Promise.resolve(), refuse('AbortError')]) {
    const share = vi.fn(answer);
    vi.stubGlobal('navigator', { share, clipboard });
    await shareAccountDetails(account);
    expect(share).toHaveBeenCalledExactlyOnceWith({ text: details });
  }
  expect(clipboard.writeText).not.toHaveBeenCalled();
  expect(toasts).toEqual([]);
});

test('if the device refuses to share the details, they are copied [O-08]', async () => {
  const writeText = vi.fn(async () => {});
  vi.stubGlobal('navigator', { share: refuse('NotAllowedError'), clipboard: { writeText } });
  await shareAccountDetails(account);
  expect(writeText).toHaveBeenCalledExactlyOnceWith(details);
  expect(toasts).toMatchObject([{ title: words.detailsCopied, tone: 'success' }]);
});
