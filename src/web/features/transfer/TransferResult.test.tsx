/** The dialog's texts after a transfer succeeds or fails. 'Nothing was sent.' appears only if that is certain. */
import type { UnknownAction } from '@reduxjs/toolkit';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Transaction } from '#contract/entities.ts';
import * as appMessages from '#contract/messages/app.ts';
import * as stepUpMessages from '#contract/messages/stepUp.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { customerLoggedIn } from '#web/base/session.ts';
import { hostStepUps } from '#web/base/stepUp.ts';
import { makeStore } from '#web/base/store.ts';
import { describeNoWay } from '#web/features/stepUp/words.ts';
import { renderWith, success } from '../../../../tests/renderWith.tsx';
import { wren } from '../../../../tests/sessions.ts';
import { aTransaction } from '../../../../tests/transactions.ts';
import { waitOptions } from '../../../../tests/waiting.ts';
import { sendMoney } from './sendMoney.ts';
import { TransferResult } from './TransferResult.tsx';
import {
  selectTransfer,
  transferDone,
  transferQuestioned,
  transferRefused,
  transferStarted,
} from './transferSlice.ts';
import { words } from './words.ts';

const sent: Transaction = {
  _id: 't1',
  reference: 'LB-AAAA-BBBB-CCCC',
  type: 'transfer',
  status: 'completed',
  amount: 25,
  timestamp: '2026-11-20T12:00:00.000Z',
  description: 'Two atlases',
  receiver: { _id: '2', firstName: 'Ines', lastName: 'Caldeira' },
};
const sending = {
  kind: 'internal',
  body: { receiverAccountNumber: '730511842298', amount: 25, description: 'Two atlases' },
} as const;
const refused = (message: string, unconfirmed = false) => transferRefused({ message, unconfirmed });

async function open(end: UnknownAction) {
  const store = makeStore();
  store.dispatch(customerLoggedIn(wren));
  store.dispatch(transferStarted({ key: 'one', sending }));
  store.dispatch(end);
  renderWith(store, <TransferResult />);
  const dialog = await screen.findByRole('dialog');
  return { dialog, text: dialog.textContent ?? '', state: () => selectTransfer(store.getState()) };
}

test.each([
  [
    'success',
    transferDone({ transaction: sent, message: '' }),
    transferMessages.successfulTitle,
    transferMessages.successfulText,
    words.arrived,
  ],
  [
    'pending',
    transferDone({ transaction: { ...sent, type: 'external-transfer', status: 'pending' }, message: '' }),
    transferMessages.initiatedTitle,
    transferMessages.initiatedText,
    words.onItsWay,
  ],
  [
    'error',
    refused(transferMessages.insufficientBalance),
    transferMessages.failedTitle,
    transferMessages.insufficientBalance,
    transferMessages.nothingSent,
  ],
])(
  'a transfer that ended with %s shows its icon, a message and a subtitle, and closes with Close [T-16, T-18]',
  async (kind, end, ...said) => {
    const { dialog, text, state } = await open(end);
    for (const each of said) expect(text).toContain(each);
    expect(dialog.querySelector(`.Seal--${kind}`)).not.toBeNull();
    await userEvent.click(screen.getByRole('button', { name: appMessages.close }));
    expect(state()).toMatchObject({ success: false, error: false, transaction: null });
  },
);

test('the result of a payment to another bank says how long it can be canceled [BR-40]', async () => {
  const pending = { ...sent, type: 'external-transfer', status: 'pending' } as const;
  const detail = { ...aTransaction(pending), cancelUntil: '2026-11-20T22:00:00Z' };
  vi.stubGlobal('fetch', async (url: string) =>
    Response.json({ success: true, message: '', data: url.endsWith('/t1') ? detail : [] }),
  );
  await open(transferDone({ transaction: pending, message: '' }));
  await screen.findByText(/You can cancel this payment until Nov 20, 2026.* 5:00 PM\.$/, {}, waitOptions);
});

test('the line about canceling has its place before the bank says until when [BR-40]', async () => {
  const pending = { ...sent, type: 'external-transfer', status: 'pending' } as const;
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  const { dialog } = await open(transferDone({ transaction: pending, message: '' }));
  const reserved = dialog.querySelector('.ResultDialog-subtitle .TransferResult-reserved');
  expect(reserved?.textContent).toMatch(/^You can cancel this payment until Nov /);
});

test('the result repeats the description that the customer entered', async () => {
  expect((await open(transferDone({ transaction: sent, message: '' }))).text).toContain(
    'DescriptionTwo atlases',
  );
});

test('a refusal by the ledger says that nothing was sent', async () => {
  expect((await open(refused(transferMessages.insufficientBalance))).text).toContain(
    transferMessages.nothingSent,
  );
});

test('a customer who has no way to confirm reads once that nothing was sent [BR-60]', async () => {
  const reason = describeNoWay({
    _id: 'c1',
    methods: [],
    expiresAt: '2026-11-20T12:10:00Z',
    hasWaitingFactor: true,
    emailFrom: '2026-11-21T12:00:00Z',
  });
  expect((await open(refused(reason))).text.match(/Nothing was/g)).toHaveLength(1);
});

test('a server error does not say that nothing was sent, and tells the customer to check the transactions first', async () => {
  const text = (await open(refused(transferMessages.fallback, true))).text;
  expect(text).not.toContain(transferMessages.nothingSent);
  expect(text).toContain(words.checkFirst);
});

test('a transfer that could not be confirmed is not called failed', async () => {
  const text = (await open(refused(transferMessages.unconfirmed, true))).text;
  expect(text).toContain(transferMessages.unconfirmed);
  expect(text).not.toContain(transferMessages.nothingSent);
  expect(text).not.toContain(transferMessages.failedTitle);
});

test('the question about a press of an earlier session shows amount, receiver and day, does not focus its send button, and closes on Discard [T-37]', async () => {
  const pressedAt = Date.parse('2026-11-22T14:42:00Z');
  const { dialog, text, state } = await open(transferQuestioned({ key: 'one', sending, pressedAt }));
  for (const shown of ['$25.00', '7305 1184 2298', 'Two atlases', 'Nov 22, 2026', words.questionText])
    expect(text).toContain(shown);
  expect(screen.getByRole('button', { name: words.checkAndSend })).not.toBe(document.activeElement);
  await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
  await userEvent.click(screen.getByRole('button', { name: words.discard }));
  expect(state().question).toBeNull();
});

test('a saved receiver counts as paid, even while the list of payees does not contain the payment yet [PY-03]', async () => {
  const payee = { _id: 'ines', kind: 'internal', name: 'Ines Caldeira', accountNumber: '730511842298' };
  vi.stubGlobal(
    'fetch',
    async () => new Response(JSON.stringify({ success: true, message: '', data: [payee] })),
  );
  await open(transferDone({ transaction: sent, message: '' }));
  expect(await screen.findByText(/^Your payee Ines Caldeira\. /)).toHaveProperty(
    'textContent',
    'Your payee Ines Caldeira. Last paid Nov\u00a020,\u00a02026.',
  );
});

const refusal = (body: object) =>
  Response.json({ success: false, code: 'CONFLICT', ...body }, { status: 409 });

test.each([
  ['made', success(sent), words.arrived],
  [
    'refused',
    refusal({ message: `Too late. ${stepUpMessages.nothingDone}` }),
    `Too late. ${stepUpMessages.nothingDone}`,
  ],
])(
  'a customer who presses Enter after the last digit of a confirmation does not close the unread result of a transfer that was %s [T-16, BR-60]',
  async (_state, answer, text) => {
    const challenge = {
      _id: 'c',
      methods: ['totp'],
      expiresAt: '2026-11-20T12:10:00Z',
      hasWaitingFactor: false,
    };
    const asked = Response.json(
      { success: false, code: 'STEP_UP_REQUIRED', message: '', challenge },
      { status: 403 },
    );
    const answers = [asked, answer];
    vi.stubGlobal('fetch', async (_: string, { method }: RequestInit) =>
      method === 'POST' ? answers.shift()! : success([]),
    );
    onTestFinished(hostStepUps(async () => ({ proof: 'the proof' })));
    const store = makeStore();
    store.dispatch(customerLoggedIn(wren));
    renderWith(store, <TransferResult />);
    void store.dispatch(sendMoney(sending, 'Ines Caldeira'));
    const dialog = await screen.findByRole('dialog', {}, waitOptions);
    await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true), waitOptions);
    await userEvent.keyboard('{Enter}');
    expect(screen.getByRole('dialog')).toBe(dialog);
    expect(document.activeElement?.textContent).toBe(text);
  },
);
