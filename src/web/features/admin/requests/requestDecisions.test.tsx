/** How requests for a second approval are announced, approved, declined and withdrawn, also if a colleague is faster. */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import type { Approval } from '#contract/fourEyes.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import {
  at,
  button,
  credit,
  customer,
  dialog,
  enter,
  id,
  jun,
  person,
  transfer,
} from '../../../../../tests/adminDesk.tsx';
import { waitOptions } from '../../../../../tests/waiting.ts';

describe('a request for a second approval', () => {
  test('is approved with one press [SD-02]', async () => {
    const { sent } = await enter('operator', `?view=requests&request=${id(2)}`, {
      [`POST requests/${id(2)}/approve`]: { ...credit, status: 'done' },
    });
    await person.click(await button('Approve'));
    await waitFor(
      () => expect(sent.map(({ call }) => call)).toEqual([`POST requests/${id(2)}/approve`]),
      waitOptions,
    );
    expect(await screen.findByText('Done', { selector: '.Banner *' })).toBeTruthy();
  });

  test('names a deleted customer by the account number, and does not fetch the account again [SD-02]', async () => {
    const deletion: Approval = { ...credit, kind: 'deletion' };
    const erased: Approval = {
      ...deletion,
      status: 'done',
      customer: { ...credit.customer!, name: '' },
    };
    const other: Record<string, unknown> = { [`GET requests/${id(2)}`]: deletion };
    Object.defineProperty(other, `POST requests/${id(2)}/approve`, {
      get: () => {
        other[`GET requests/${id(2)}`] = erased;
        return erased;
      },
    });
    const { requested } = await enter('operator', `?view=requests&request=${id(2)}`, other);
    const asked = () => requested.filter(url => url.endsWith(`/customers/${id(1)}`)).length;
    await waitFor(() => expect(asked()).toBe(1), waitOptions);
    await person.click(await button('Approve'));
    const sheet = await dialog('Delete account 4821 0937 5527');
    expect(sheet.textContent).toContain('Deleted customer, account 4821 0937 5527');
    expect(within(sheet).queryByRole('link')).toBeNull();
    expect(asked()).toBe(1);
  });

  test('is declined with a reason and not without one [SD-02]', async () => {
    const { sent } = await enter('operator', `?view=requests&request=${id(2)}`, {
      [`POST requests/${id(2)}/decline`]: { ...credit, status: 'declined' },
    });
    await person.click(await button('Decline'));
    const asked = await dialog('Decline this request?');
    await person.click(within(asked).getByRole('button', { name: 'Decline' }));
    expect(within(asked).getByText('Enter a reason')).toBeTruthy();
    expect(sent).toEqual([]);
    await person.type(
      within(asked).getByRole('textbox', { name: /^Reason/ }),
      'The payments were not disputed.',
    );
    await person.click(within(asked).getByRole('button', { name: 'Decline' }));
    await waitFor(
      () => expect(sent.map(({ body }) => body)).toEqual([{ reason: 'The payments were not disputed.' }]),
      waitOptions,
    );
  });

  test('that a colleague decides loses its buttons in the open dialog [SD-02]', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const other: Record<string, unknown> = {};
    await enter('operator', `?view=requests&request=${id(2)}`, other);
    expect(await button('Approve')).toBeTruthy();
    other[`GET requests/${id(2)}`] = { ...credit, status: 'declined' };
    await vi.advanceTimersByTimeAsync(30_000);
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull(), waitOptions);
  });

  test('that a colleague declines makes the transaction reversible again in its open dialog [SD-02]', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const story = { ...transfer, timeline: [{ step: 'posted', at }] };
    const other: Record<string, unknown> = {
      [`GET transactions/${id(4)}`]: { ...story, reversalRequestId: id(2) },
    };
    await enter('operator', `?view=transactions&transaction=${id(4)}`, other);
    expect(await screen.findByText('Waiting for a second person')).toBeTruthy();
    other[`GET transactions/${id(4)}`] = story;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await button('Reverse')).toBeTruthy();
  });

  test('that a colleague approved first shows that approval after the decline is refused [SD-02, A-67]', async () => {
    const other: Record<string, unknown> = {
      [`POST requests/${id(2)}/decline`]: {
        status: 409,
        code: 'CONFLICT',
        message: 'This request was already decided or withdrawn.',
      },
    };
    await enter('operator', `?view=requests&request=${id(2)}`, other);
    await person.click(await button('Decline'));
    const asked = await dialog('Decline this request?');
    await person.type(within(asked).getByRole('textbox', { name: /^Reason/ }), 'No papers');
    other[`GET requests/${id(2)}`] = {
      ...credit,
      status: 'done',
      decidedBy: { _id: id(5), name: 'Ivo Marsh' },
      decidedAt: at,
    };
    await person.click(within(asked).getByRole('button', { name: 'Decline' }));
    expect(await within(asked).findByText('Ivo Marsh already approved this request.')).toBeTruthy();
    expect(asked.textContent).not.toContain('Nothing is changed');
    expect(within(asked).queryByRole('button', { name: 'Decline' })).toBeNull();
    await person.click(within(asked).getByRole('button', { name: 'Close' }));
    expect(await screen.findByText('Decided by')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull();
    const sheet = await dialog('Credit Jun Takeda');
    await waitFor(() => expect(sheet.contains(document.activeElement)).toBe(true), waitOptions);
  });

  test('whose approval fails loses its buttons at once, before it is read again [SD-02, A-67]', async () => {
    const message = 'This request failed: the balance is too small.';
    const other: Record<string, unknown> = {
      [`POST requests/${id(2)}/approve`]: { status: 409, code: 'CONFLICT', message },
    };
    await enter('operator', `?view=requests&request=${id(2)}`, other);
    const approve = await button('Approve');
    const reading = Promise.withResolvers<Approval>();
    other[`GET requests/${id(2)}`] = reading.promise;
    await person.click(approve);
    expect(await screen.findByText(message)).toBeTruthy();
    expect(approve.isConnected).toBe(false);
    reading.resolve({ ...credit, status: 'failed' });
    await waitFor(
      () => expect(document.body.textContent).toContain(staffMessages.requestStates.failed),
      waitOptions,
    );
    expect(screen.getByText(message)).toBeTruthy();
  });

  test('that a colleague declined first keeps the focus in its dialog after the approval is refused, and says so [SD-02, A-67]', async () => {
    const other: Record<string, unknown> = {
      [`POST requests/${id(2)}/approve`]: { status: 409, code: 'CONFLICT', message: 'Already decided.' },
    };
    await enter('operator', `?view=requests&request=${id(2)}`, other);
    const approve = await button('Approve');
    other[`GET requests/${id(2)}`] = { ...credit, status: 'declined' };
    await person.click(approve);
    await waitFor(() => expect(approve.isConnected).toBe(false), waitOptions);
    const sheet = await dialog('Credit Jun Takeda');
    expect(document.activeElement).toBe(sheet);
    expect(await within(sheet).findByText('Declined')).toBeTruthy();
    expect(within(sheet).getByText('Already decided.')).toBeTruthy();
  });

  test('for a credit that a colleague just made pays nothing at the first press, and shows that credit before the second [ST-81]', async () => {
    const path = `requests/${id(2)}`;
    const other: Record<string, unknown> = {
      [`POST ${path}/approve`]: { status: 409, code: 'CONFLICT', message: 'Nothing was changed.' },
    };
    const { sent } = await enter('operator', `?view=requests&request=${id(2)}`, other);
    const approve = await button('Approve');
    const sameCredit = { _id: id(4), reference: 'LB-4', amount: 150_000, description: '', timestamp: at };
    other[`GET ${path}`] = { ...credit, sameCredit };
    await person.click(approve);
    expect(await screen.findByText('Nothing was changed.')).toBeTruthy();
    expect(await screen.findByText(/^The same credit was made on .* \(LB-4\)/)).toBeTruthy();
    other[`POST ${path}/approve`] = { ...credit, status: 'done' };
    await person.click(await button('Approve'));
    expect(await screen.findByText('Done', { selector: '.Banner *' })).toBeTruthy();
    expect(sent.map(({ body }) => body)).toEqual([{ sameCreditId: null }, { sameCreditId: id(4) }]);
  });

  test('is announced before a credit whose amount is large enough to need one [SD-03]', async () => {
    await enter('operator', '?view=credit');
    const note = /after a second person approves the credit/;
    await person.type(await screen.findByLabelText(/^Amount/), '99999');
    expect(screen.queryByText(note)).toBeNull();
    await person.clear(screen.getByLabelText(/^Amount/));
    await person.type(screen.getByLabelText(/^Amount/), '100000');
    expect(await screen.findByText(note)).toBeTruthy();
  });

  test('that failed says why, and does not call it an answer [SD-02]', async () => {
    const failed = { ...credit, status: 'failed', outcome: staffMessages.reversalClosed };
    await enter('operator', `?view=requests&request=${id(2)}`, { [`GET requests/${id(2)}`]: failed });
    expect(await screen.findByText('Why it failed')).toBeTruthy();
    expect(screen.queryByText('Answer')).toBeNull();
  });

  test('that expired says when, and that nothing was changed [SD-02]', async () => {
    await enter('operator', `?view=requests&request=${id(2)}`, {
      [`GET requests/${id(2)}`]: { ...credit, status: 'expired' },
    });
    const sheet = await dialog('Credit Jun Takeda');
    expect(
      await within(sheet).findByText(/^It was not decided in time, so nothing was changed/),
    ).toBeTruthy();
    expect(within(sheet).getByText('Expired on').parentElement!.textContent).toContain('Nov 27, 2026');
    expect(within(sheet).queryByRole('button', { name: 'Approve' })).toBeNull();
  });

  test('can be withdrawn, but not approved, by the person who made it [SD-02]', async () => {
    await enter('operator', `?view=requests&request=${id(3)}`);
    expect(await button('Withdraw')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull();
    expect(screen.getByText(/^You made this request/)).toBeTruthy();
  });

  test('is reported to an administrator whose act needs a second person [SD-03]', async () => {
    const { sent } = await enter('operator', customer, {
      [`DELETE users/${id(1)}`]: { approval: credit },
      [`GET customers/${id(1)}`]: { ...jun, inGoals: 500 },
    });
    await person.click(await button('Delete User'));
    const asked = await dialog('Delete User');
    expect(asked.textContent).toContain('$500.00 of the balance is in savings goals.');
    expect(await within(asked).findByText(/^This waits until a second operator/)).toBeTruthy();
    await person.click(within(asked).getByRole('button', { name: 'Delete User' }));
    expect(within(asked).getByText('Enter a reason')).toBeTruthy();
    await person.type(within(asked).getByRole('textbox', { name: /^Reason/ }), 'Asked in writing');
    await person.click(within(asked).getByRole('button', { name: 'Delete User' }));
    expect(sent.map(({ body }) => body)).toEqual([{ reason: 'Asked in writing' }]);
    const waiting = await dialog('Waiting for a second person');
    expect(waiting.textContent).toContain('Nothing has changed yet.');
    expect(within(waiting).getByRole('link', { name: 'View request' }).getAttribute('href')).toContain(
      `request=${id(2)}`,
    );
  });
});
