/** The panel that confirms one act. What a passkey confirms is tested in a browser. */
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import * as authMessages from '#contract/messages/auth.ts';
import * as stepUpMessages from '#contract/messages/stepUp.ts';
import type { StepUpChallenge, StepUpMethod } from '#contract/stepUp.ts';
import { customerLoggedIn } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { renderWith } from '../../../../tests/renderWith.tsx';
import { wren } from '../../../../tests/sessions.ts';
import { submitButtonOf } from '../../../../tests/submitButtonOf.ts';
import { StepUpPanel } from './StepUpPanel.tsx';

vi.mock('@simplewebauthn/browser', () => {
  let ceremony = Promise.withResolvers<never>();
  return {
    startAuthentication: () => {
      ceremony = Promise.withResolvers();
      return ceremony.promise;
    },
    WebAuthnAbortService: { cancelCeremony: () => ceremony.reject(new Error('Stopped')) },
  };
});

type Answer = { status: number; body: Record<string, unknown> };
const done: Answer = { status: 200, body: { success: true, message: '', data: { proof: 'the proof' } } };
const wrong: Answer = {
  status: 400,
  body: { success: false, code: 'VALIDATION', message: 'This code isn’t right' },
};

let count = 0;

/** Opens the panel. `answers` lists the bank's answers by the last part of the request's path. */
function open(
  methods: StepUpMethod[],
  answers: Record<string, Answer[]> = {},
  id = `c${++count}`,
  waits: Partial<StepUpChallenge> = {},
) {
  const sent: string[] = [];
  vi.stubGlobal('fetch', async (url: string, { body }: RequestInit) => {
    const call = url.split('/').at(-1)!;
    sent.push(`${call} ${typeof body === 'string' ? body : ''}`.trim());
    const { status, body: answer } = answers[call]?.shift() ?? done;
    return new Response(JSON.stringify(answer), { status });
  });
  const onEnd = vi.fn();
  const store = makeStore();
  store.dispatch(customerLoggedIn(wren));
  const expiresAt = '2026-11-23T12:00:00Z';
  const challenge = { _id: id, methods, expiresAt, hasWaitingFactor: false, ...waits };
  renderWith(
    store,
    <StepUpPanel challenge={challenge} confirms="Confirm $30,000.00 to Amara Lindqvist" onEnd={onEnd} />,
  );
  return { sent, onEnd };
}

const type = async (code: string) => {
  await userEvent.click(screen.getByLabelText('Digit 1 of 6'));
  await userEvent.keyboard(code);
};
const button = (name: RegExp | string) => screen.getByRole<HTMLButtonElement>('button', { name });

test('the panel names the act, mails one code, and counts down to the next one [BR-60]', async () => {
  const { sent, onEnd } = open(['email']);
  expect(screen.getByRole('dialog').getAttribute('aria-labelledby')).toBe(
    screen.getByRole('heading', { name: 'Confirm $30,000.00 to Amara Lindqvist' }).id,
  );
  expect(
    (await screen.findByRole<HTMLButtonElement>('button', { name: /^Send a new code in 4[0-5]s$/ })).disabled,
  ).toBe(true);
  expect(screen.getByText(/^We emailed a six-digit code to wren@larkspur.example/)).toBeTruthy();
  expect(sent).toEqual(['send']);
  await type('480213');
  await waitFor(() => expect(onEnd).toHaveBeenCalledWith({ proof: 'the proof' }));
  expect(sent[1]).toBe('verify {"method":"email","code":"480213"}');
});

test('after canceling, the focus is on the button that opened the panel [BR-60]', async () => {
  const challenge = {
    _id: 'asked',
    methods: ['totp' as const],
    expiresAt: '2026-11-23T12:00:00Z',
    hasWaitingFactor: false,
  };
  function Host() {
    const [isOpen, setIsOpen] = useState(false);
    return (
      <>
        <button type="button">First</button>
        <button type="button" onClick={() => setIsOpen(true)}>
          Send
        </button>
        {isOpen && <StepUpPanel challenge={challenge} confirms="Confirm" onEnd={() => setIsOpen(false)} />}
      </>
    );
  }
  const store = makeStore();
  store.dispatch(customerLoggedIn(wren));
  renderWith(store, <Host />);
  await userEvent.click(button('Send'));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Digit 1 of 6')));
  await userEvent.click(button('Cancel'));
  await waitFor(() => expect(document.activeElement).toBe(button('Send')));
});

test('the panel does not claim that an unsent code was mailed, and waits as long as the server says [BR-60]', async () => {
  const refused = {
    success: false,
    code: 'TOO_MANY',
    message: stepUpMessages.codeForOther,
    waitTime: 12,
  };
  open(['email'], { send: [{ status: 429, body: refused }] });
  await screen.findByText(stepUpMessages.codeForOther);
  expect(screen.queryByText(/^We emailed a/)).toBeNull();
  // The panel says three things, each once: what happened, why, and how long to wait.
  expect(
    screen.getByText('We haven’t emailed you a code for this yet. You can request one below.'),
  ).toBeTruthy();
  expect(screen.getAllByText(/\b1[0-2]s\b/)).toEqual([button(/^Send a new code in 1[0-2]s$/)]);
  expect(screen.queryByLabelText('Digit 1 of 6')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Confirm' })).toBeNull();
  expect(button(/^Send a new code in 1[0-2]s$/).disabled).toBe(true);
  // The box that had the focus is gone.
  expect(document.activeElement).toBe(button('Cancel'));
});

const busy = { success: false, code: 'BUSY', message: 'The bank is busy right now.' };
const used = { success: false, code: 'TOO_MANY', message: stepUpMessages.codeUsed, waitTime: 12 };
test.each([
  ['used the last code for the same act', 429, used, /^We haven’t emailed you a new code for this yet\. You/],
  ['got no answer', 502, {}, /^We may have emailed you a code\. To enter it, press “Send a new code\.”$/],
  ['read that the bank is busy', 503, busy, /^We haven’t emailed you a code for this yet\. You/],
])(
  'a customer who asked for a code and %s does not read that a mailed code was not mailed [BR-60]',
  async (_, status, body, lead) => {
    open(['email'], { send: [{ status, body }] });
    expect(await screen.findByText(lead)).toBeTruthy();
    expect(screen.queryByLabelText('Digit 1 of 6')).toBeNull();
  },
);

test('a customer who got no answer to the request for a code enters the mailed code after pressing the button that the panel names [BR-60]', async () => {
  const quota: Answer = { status: 429, body: { success: false, code: 'TOO_MANY', message: 'Too many' } };
  const mailed: Answer = {
    status: 429,
    body: { success: false, code: 'TOO_MANY', message: authMessages.codeTooSoon, data: { isMailed: true } },
  };
  open(['email'], { send: [{ status: 502, body: {} }, quota, mailed] });
  await screen.findByText(/^We may have emailed you a code/);
  await userEvent.click(button('Send a new code'));
  await screen.findByText('Too many');
  expect(screen.getByText(/^We may have emailed you a code/)).toBeTruthy();
  await userEvent.click(button('Send a new code'));
  expect(await screen.findByText(/^We emailed a six-digit code/)).toBeTruthy();
  expect(screen.getByLabelText('Digit 1 of 6')).toBeTruthy();
});

test('a customer who waited until another code can be sent still reads why none was [BR-60]', async () => {
  const refused = { success: false, code: 'TOO_MANY', message: stepUpMessages.codeForOther, waitTime: 1 };
  open(['email'], { send: [{ status: 429, body: refused }] });
  await screen.findByText(stepUpMessages.codeForOther);
  await waitFor(() => expect(button('Send a new code').disabled).toBe(false), { timeout: 5000 });
  expect(screen.getByText(stepUpMessages.codeForOther)).toBeTruthy();
});

test('when the boxes for an unsent code disappear, Cancel has the focus before the dialog can take it [BR-60]', async () => {
  const refused = { success: false, code: 'TOO_MANY', message: stepUpMessages.codeForOther, waitTime: 12 };
  open(['email'], { send: [{ status: 429, body: refused }] });
  let focused: Element | null | undefined;
  // Called in a microtask after the change, like the dialog's own rescue of the focus in a browser.
  const observer = new MutationObserver(() => {
    if (!screen.queryByLabelText('Digit 1 of 6')) focused ??= document.activeElement;
  });
  observer.observe(document.body, { childList: true, subtree: true });
  await screen.findByText(stepUpMessages.codeForOther);
  observer.disconnect();
  expect(focused).toBe(button('Cancel'));
});

test('a customer who asks for the same act again, even in another tab, types the code that was mailed for it [BR-60]', async () => {
  const { sent, onEnd } = open(['email'], {}, undefined, { codeAge: 20 });
  expect(screen.getByText(/^We emailed a six-digit code/)).toBeTruthy();
  expect(button(/^Send a new code in 2[0-5]s$/).disabled).toBe(true);
  await type('480213');
  await waitFor(() => expect(onEnd).toHaveBeenCalledWith({ proof: 'the proof' }));
  expect(sent).toEqual(['verify {"method":"email","code":"480213"}']);
});

test('a customer whose other tab mails the code at this moment types that code [BR-60]', async () => {
  const refused = {
    success: false,
    code: 'TOO_MANY',
    message: authMessages.codeTooSoon,
    waitTime: 44,
    data: { isMailed: true },
  };
  const { onEnd } = open(['email'], { send: [{ status: 429, body: refused }] });
  await screen.findByText(/^We emailed a six-digit code/);
  expect(screen.queryByText(authMessages.codeTooSoon)).toBeNull();
  expect(button(/^Send a new code in 4[0-4]s$/).disabled).toBe(true);
  await type('480213');
  await waitFor(() => expect(onEnd).toHaveBeenCalledWith({ proof: 'the proof' }));
});

test('after a wrong code, the boxes are empty again; the email method shows no old error and mails a code only after it was chosen [BR-60]', async () => {
  const { sent, onEnd } = open(['totp', 'email'], { verify: [wrong] });
  await type('111111');
  await screen.findByText('This code isn’t right');
  expect(screen.getByLabelText<HTMLInputElement>('Digit 1 of 6').value).toBe('');
  // The last digit already sent the code. A press on Confirm that comes too late leaves the reason on the screen.
  await userEvent.click(button('Confirm'));
  expect(screen.getByText('This code isn’t right')).toBeTruthy();
  expect(sent).toEqual(['verify {"method":"totp","code":"111111"}']);
  await userEvent.click(button('Email me a code instead'));
  expect(screen.queryByText('This code isn’t right')).toBeNull();
  await type('480213');
  await waitFor(() => expect(onEnd).toHaveBeenCalledWith({ proof: 'the proof' }));
  expect(sent.slice(1)).toEqual(['send', 'verify {"method":"email","code":"480213"}']);
});

const focusedBox = () => document.activeElement?.getAttribute('aria-label');

test('a customer types the next code at once: the first box has the focus after a wrong code and after sending a new code [BR-60]', async () => {
  const { sent } = open(['email'], { verify: [wrong] }, undefined, { codeAge: 50 });
  await type('111111');
  await screen.findByText('This code isn’t right');
  // A browser drops the focus from a box that is disabled, and focuses none.
  await waitFor(() => expect(focusedBox()).toBe('Digit 1 of 6'));
  await userEvent.keyboard('22');
  await userEvent.click(button('Send a new code'));
  await screen.findByRole('button', { name: /^Send a new code in/ });
  await waitFor(() => expect(focusedBox()).toBe('Digit 1 of 6'));
  // The digits were those of the former code.
  expect(screen.getByLabelText<HTMLInputElement>('Digit 1 of 6').value).toBe('');
  expect(sent).toEqual(['verify {"method":"email","code":"111111"}', 'send']);
});

/** A refusal after which the challenge can no longer be confirmed. */
const over = (message: string): Answer => ({
  status: 409,
  body: { success: false, code: 'CONFLICT', message, data: { isOver: true } },
});

test.each([
  ['Start again', 'again'],
  ['Cancel', { reason: stepUpMessages.usedUp }],
])(
  'after the last wrong code a customer reads that this confirmation can’t be used anymore, and can only start again or cancel: %s [BR-64]',
  async (name, end) => {
    const { onEnd } = open(['totp', 'email'], { verify: [over(stepUpMessages.usedUp)] });
    await type('111111');
    await screen.findByText(/this confirmation can’t be used anymore. Please start again/);
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      'Cancel',
      'Start again',
    ]);
    expect(screen.queryByLabelText('Digit 1 of 6')).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(button('Start again')));
    await userEvent.click(button(name));
    expect(onEnd).toHaveBeenCalledWith(end);
  },
);

test('a customer whose confirmation expired before a code could be mailed can only start again [BR-64]', async () => {
  open(['email'], { send: [over(stepUpMessages.gone)] });
  await screen.findByText(stepUpMessages.gone);
  expect(
    screen.queryByText('We haven’t emailed you a code for this yet. You can request one below.'),
  ).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(button('Start again')));
});

test('a customer who confirms with a passkey starts at “Confirm”, also after choosing another way first [BR-60]', async () => {
  vi.stubGlobal('PublicKeyCredential', () => undefined);
  open(['passkey', 'email']);
  await waitFor(() => expect(document.activeElement).toBe(button('Confirm')));
  await userEvent.click(button('Email me a code instead'));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Digit 1 of 6')));
  await userEvent.click(button('Use a passkey instead'));
  expect(document.activeElement).toBe(button('Confirm'));
});

test('Enter in a box of the code does what the Confirm button does, and a missing digit’s box gets the focus [BR-60]', async () => {
  const { sent } = open(['totp']);
  await type('48');
  await userEvent.click(submitButtonOf(screen.getByLabelText('Digit 1 of 6')));
  await screen.findByText('Enter all 6 digits.');
  expect(focusedBox()).toBe('Digit 3 of 6');
  expect(sent).toEqual([]);
});

test('a customer whose new app cannot confirm yet reads why a code is mailed, and when the app can confirm [BR-60]', async () => {
  open(['email'], {}, undefined, { hasWaitingFactor: true, factorFrom: '2099-11-24T17:00:01Z' });
  const lead = await screen.findByText(
    /^We emailed .* Your new authenticator app or passkey can’t confirm this/,
  );
  expect(lead.textContent).toContain('can’t confirm this until Nov 24, 2099, 12:01 PM.');
});

test('while the device waits for a passkey, a customer can use the app instead or cancel, and reads of no failure [BR-60]', async () => {
  const { onEnd } = open(['passkey', 'totp']);
  await userEvent.click(button('Confirm'));
  await screen.findByRole('button', { name: /Waiting for your device/ });
  await userEvent.click(button('Use my authenticator app instead'));
  expect(await screen.findByLabelText('Digit 1 of 6')).toBe(document.activeElement);
  await vi.dynamicImportSettled();
  expect(screen.queryByText(/^Your device didn’t finish/)).toBeNull();
  await userEvent.click(button('Use a passkey instead'));
  await userEvent.click(button('Confirm'));
  await screen.findByRole('button', { name: /Waiting for your device/ });
  await userEvent.click(button('Cancel'));
  await vi.dynamicImportSettled();
  expect(onEnd.mock.calls).toEqual([[undefined]]);
  expect(screen.queryByText(/^Your device didn’t finish/)).toBeNull();
});
