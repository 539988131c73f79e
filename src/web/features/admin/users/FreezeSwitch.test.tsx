/** The switch reports the bank's answer, even if a colleague acted first and nothing was done. */
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { User } from '#contract/entities.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import { adminLoggedIn } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { renderWith } from '../../../../../tests/renderWith.tsx';
import { ida } from '../../../../../tests/sessions.ts';
import { waitOptions } from '../../../../../tests/waiting.ts';
import { useUsersQuery } from '../adminCalls.ts';
import { words } from '../words.ts';
import { FreezeSwitch } from './FreezeSwitch.tsx';

const jun = { _id: 'u1', firstName: 'Jun', lastName: 'Takeda', isFrozen: false } as User;

test.each([
  [adminMessages.frozen, 'success'],
  [adminMessages.frozenBefore, 'error'],
])(
  'an administrator who freezes an account reads the bank’s own answer, %s, as a %s [A-67]',
  async (message, kind) => {
    const data = { userId: jun._id, isFrozen: true };
    vi.stubGlobal('fetch', () =>
      Promise.resolve(new Response(JSON.stringify({ success: true, message, data }))),
    );
    const onNotice = vi.fn();
    const store = makeStore();
    store.dispatch(adminLoggedIn(ida));
    renderWith(store, <FreezeSwitch user={jun} onNotice={onNotice} onAskFreeze={() => {}} />);
    await userEvent.click(screen.getByRole('switch'));
    await vi.waitFor(() => expect(onNotice).toHaveBeenCalledWith({ kind, message }), waitOptions);
  },
);

test('an administrator whose freeze got no answer reads that its result is unknown, and the row is read again [A-66]', async () => {
  let isFrozen = false;
  vi.stubGlobal('fetch', (_: string, { method }: RequestInit) => {
    if (method === 'PUT') {
      isFrozen = true;
      return Promise.reject(new TypeError('Failed to fetch'));
    }
    const data = { users: [{ ...jun, isFrozen }], totalUsers: 1, totalPages: 1, currentPage: 1 };
    return Promise.resolve(Response.json({ success: true, message: '', data }));
  });
  const onNotice = vi.fn();
  const store = makeStore();
  store.dispatch(adminLoggedIn(ida));
  function Row() {
    const user = useUsersQuery().data?.users[0];
    return user ? <FreezeSwitch user={user} onNotice={onNotice} onAskFreeze={() => {}} /> : null;
  }
  renderWith(store, <Row />);
  await userEvent.click(await screen.findByRole('switch', { checked: false }));
  await vi.waitFor(
    () => expect(onNotice).toHaveBeenCalledWith({ kind: 'unknown', message: words.actUnknown }),
    waitOptions,
  );
  expect(await screen.findByRole('switch', { checked: true })).toBeTruthy();
});

test.each([
  [false, true, 'Active', 'Switch on to freeze this account'],
  [true, true, 'Frozen', 'Switch off to unfreeze this account'],
  [false, false, 'Waiting', 'Switch on to freeze this account'],
])(
  'a switch with isFrozen %s and isApproved %s reads %s and says what switching does',
  (isFrozen, isApproved, label, title) => {
    renderWith(
      makeStore(),
      <FreezeSwitch user={{ ...jun, isFrozen, isApproved }} onNotice={() => {}} onAskFreeze={() => {}} />,
    );
    expect(screen.getByTitle(title).textContent).toBe(label);
    expect(screen.getByRole('switch', { checked: isFrozen })).toBeTruthy();
  },
);

test('an administrator who unfreezes a confirmed match with the sanctions list is asked for the reason that the bank requires [SX-09]', async () => {
  const message = adminMessages.unfreezeConfirmed.match;
  vi.stubGlobal('fetch', () =>
    Promise.resolve(Response.json({ success: false, code: 'CONFLICT', message }, { status: 409 })),
  );
  const onNotice = vi.fn();
  const onAskFreeze = vi.fn();
  const frozen = { ...jun, isFrozen: true };
  const store = makeStore();
  store.dispatch(adminLoggedIn(ida));
  renderWith(store, <FreezeSwitch user={frozen} onNotice={onNotice} onAskFreeze={onAskFreeze} />);
  await userEvent.click(screen.getByRole('switch'));
  await vi.waitFor(
    () => expect(onAskFreeze).toHaveBeenCalledWith({ user: frozen, isFrozen: false }),
    waitOptions,
  );
  expect(onNotice).not.toHaveBeenCalled();
});

test('an administrator whose switch would lift a freeze that the customer has added since reads that it changed, and nothing about a match [A-67, SD-14]', async () => {
  const message = adminMessages.freezeChanged;
  const bodies: unknown[] = [];
  vi.stubGlobal('fetch', (_: string, { body }: RequestInit) => {
    bodies.push(JSON.parse(body as string));
    return Promise.resolve(Response.json({ success: false, code: 'CONFLICT', message }, { status: 409 }));
  });
  const onNotice = vi.fn();
  const onAskFreeze = vi.fn();
  const store = makeStore();
  store.dispatch(adminLoggedIn(ida));
  renderWith(
    store,
    <FreezeSwitch user={{ ...jun, isFrozen: true }} onNotice={onNotice} onAskFreeze={onAskFreeze} />,
  );
  await userEvent.click(screen.getByRole('switch'));
  await vi.waitFor(() => expect(onNotice).toHaveBeenCalledWith({ kind: 'error', message }), waitOptions);
  expect(onAskFreeze).not.toHaveBeenCalled();
  expect(bodies).toEqual([{ isFrozen: false, isFrozenByStaff: true, isFrozenByCustomer: false }]);
});
