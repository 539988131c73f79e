/** The page about a customer: what it shows, and the acts, notes and changes that staff make there. */
import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import * as adminMessages from '#contract/messages/admin.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import {
  answers,
  at,
  button,
  customer,
  dialog,
  enter,
  id,
  jun,
  person,
} from '../../../../../tests/adminDesk.tsx';
import { waitOptions } from '../../../../../tests/waiting.ts';
import { words } from '../words.ts';

describe('the page about a customer', () => {
  test('reports a rejection made on the page, whose customer is then gone', async () => {
    const other: Record<string, unknown> = {
      [`GET customers/${id(1)}`]: { ...jun, isApproved: false, state: 'pending' },
      [`GET users/${id(1)}/application`]: { ...jun, isApproved: false, registeredAt: at },
    };
    await enter('operator', customer, other);
    await person.click(await button('Review application'));
    await person.click(
      await within(await dialog('Application: Jun Takeda')).findByRole('button', { name: 'Reject' }),
    );
    const asked = await dialog('Reject the application of Jun Takeda?');
    await person.type(within(asked).getByRole('textbox', { name: /^Reason/ }), 'Not you');
    other[`GET customers/${id(1)}`] = {
      status: 404,
      code: 'NOT_FOUND',
      message: 'This customer no longer exists.',
    };
    await person.click(within(asked).getByRole('button', { name: 'Reject application' }));
    expect(await screen.findByText('This customer was deleted')).toBeTruthy();
    expect((await dialog('Success')).textContent).toContain('Done');
  });

  test('lets staff ask for another ID document if a stranger may use the account whose document is verified [G-24]', async () => {
    const verified = { ...jun, isApproved: true, isVerified: true, document: 'verified' };
    await enter('operator', customer, {
      [`GET customers/${id(1)}`]: verified,
      [`GET users/${id(1)}/application`]: { ...verified, isProvenByReset: true, registeredAt: at },
      [`GET users/${id(1)}/screening`]: [],
    });
    await person.click(await button('Review application'));
    const review = await dialog(/Jun Takeda/);
    await person.click(await within(review).findByRole('button', { name: /^Ask for a/ }));
    const asked = await dialog(/Jun Takeda/);
    expect(within(asked).queryByText('This ID document is already verified.')).toBeNull();
    expect(within(asked).getByRole('textbox', { name: /^Reason/ })).toBeTruthy();
  });

  test('shows the date of birth only in the profile, and records that it was viewed [A-59]', async () => {
    const call = `users/${id(1)}/application`;
    const other = { [`GET ${call}`]: { ...jun, registeredAt: at, dateOfBirth: '1991-05-02' } };
    const { requested } = await enter('viewer', `${customer}&tab=notes`, other);
    expect(await screen.findByText('Called at noon.')).toBeTruthy();
    expect(requested.filter(url => url.endsWith(call))).toEqual([]);
    await person.click(screen.getByRole('tab', { name: 'Profile' }));
    // Not the date in the answer of `customerRecord`.
    expect(await screen.findByText(/May 2, 1991/)).toBeTruthy();
    expect(requested.filter(url => url.endsWith(call))).toHaveLength(1);
  });

  test('does not replace the date of birth while an administrator compares it in the open review [A-59]', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const waiting = { ...jun, isApproved: false, state: 'pending' };
    const call = `users/${id(1)}/application`;
    const other: Record<string, unknown> = {
      [`GET customers/${id(1)}`]: waiting,
      [`GET ${call}`]: { ...waiting, registeredAt: at },
    };
    const { requested } = await enter('operator', customer, other);
    await person.click(await button('Review application'));
    const review = await dialog('Application: Jun Takeda');
    expect(await within(review).findByText(/May 2, 1990/)).toBeTruthy();
    const asked = (path: string) => requested.filter(url => url.endsWith(path)).length;
    const before = { application: asked(call), record: asked(`customers/${id(1)}`) };
    other[`GET ${call}`] = { ...waiting, registeredAt: at, dateOfBirth: '1992-05-02' };
    await vi.advanceTimersByTimeAsync(30_000);
    await waitFor(() => expect(asked(`customers/${id(1)}`)).toBeGreaterThan(before.record), waitOptions);
    expect(asked(call)).toBe(before.application);
    await person.click(within(review).getByRole('button', { name: 'Close' }));
    expect(await screen.findByText(/May 2, 1992/)).toBeTruthy();
  });

  test('shows states, balance, identity, why the account is frozen, and waiting requests [SD-01]', async () => {
    await enter('operator', customer);
    expect(await screen.findByRole('heading', { name: 'Jun Takeda' })).toBeTruthy();
    for (const text of [
      'Approved',
      'ID document: Under review',
      '$250,000.00',
      '18 Meadow Row, Albany, New York 12207',
      'Frozen by Tove Asklund on Nov 20, 2026, 1:05 PM',
      'Three payments to a reported account.',
      '1 request about this customer is waiting.',
    ])
      expect(screen.getByText(text)).toBeTruthy();
  });

  test('says when the customer froze the account [SD-01, SD-14]', async () => {
    const { frozenBy: _, frozenReason: __, ...frozen } = jun;
    await enter('viewer', customer, {
      [`GET customers/${id(1)}`]: { ...frozen, isFrozenByCustomer: true },
    });
    expect(await screen.findByText('Frozen by the customer on Nov 20, 2026, 1:05 PM')).toBeTruthy();
  });

  test('who froze the account can also be frozen by staff, who then only unfreeze [SD-14]', async () => {
    const { frozenBy: _, frozenReason: __, ...frozen } = jun;
    const own = { ...frozen, isFrozenByCustomer: true };
    const other: Record<string, unknown> = {
      [`GET customers/${id(1)}`]: own,
      [`PUT freeze/${id(1)}`]: { userId: id(1), isFrozen: true },
    };
    const { sent } = await enter('operator', customer, other);
    expect(await button('Unfreeze account')).toBeTruthy();
    await person.click(await button('Freeze account'));
    const asked = await dialog('Freeze the account of Jun Takeda?');
    expect(asked.textContent).toContain('The customer froze this account and can unfreeze it.');
    await person.type(within(asked).getByRole('textbox', { name: /^Reason/ }), 'Listed');
    other[`GET customers/${id(1)}`] = { ...own, isFrozenByStaff: true, frozenReason: 'Listed' };
    await person.click(within(asked).getByRole('button', { name: 'Freeze account' }));
    expect(await screen.findByText('Frozen by the customer and by staff')).toBeTruthy();
    expect(sent.map(({ body }) => body)).toEqual([{ isFrozen: true, reason: 'Listed' }]);
    await waitFor(() => expect(screen.queryByRole('dialog', { name: /^Freeze/ })).toBeNull(), waitOptions);
    expect(screen.queryByRole('button', { name: 'Freeze account', hidden: true })).toBeNull();
  });

  test('is opened from the details of a user [SD-01]', async () => {
    const { address } = await enter('operator', '?view=users');
    await person.click(await button('View Jun Takeda'));
    await person.click(await screen.findByRole('link', { name: 'Open full page' }));
    await waitFor(() => expect(address.search).toBe(customer), waitOptions);
  });

  test('sends the reason for an act to the bank [SD-08]', async () => {
    const { sent } = await enter('operator', customer, {
      [`PUT freeze/${id(1)}`]: { userId: id(1), isFrozen: false },
    });
    await person.click(await button('Unfreeze account'));
    const asked = await dialog('Unfreeze the account of Jun Takeda?');
    await person.type(
      within(asked).getByRole('textbox', { name: /^Reason/ }),
      'Identity confirmed by phone.',
    );
    await person.click(within(asked).getByRole('button', { name: 'Unfreeze account' }));
    await waitFor(
      () =>
        expect(sent.map(({ body }) => body)).toEqual([
          {
            isFrozen: false,
            reason: 'Identity confirmed by phone.',
            isFrozenByStaff: true,
            isFrozenByCustomer: false,
          },
        ]),
      waitOptions,
    );
  });

  test('takes notes, and says that the customer gets them in a copy of all data [SD-08, ST-98]', async () => {
    const { sent } = await enter('support', `${customer}&tab=notes`);
    const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'New note' });
    const hint =
      'Colleagues read notes, and the customer gets them in a copy of all data. Write suspicions into an alert or a match.';
    expect(screen.getByText(hint)).toBeTruthy();
    await person.type(field, 'Sends a new ID next week.');
    await person.click(await button('Save note'));
    await waitFor(() => expect(field.value).toBe(''), waitOptions);
    expect(sent).toMatchObject([
      { call: `POST users/${id(1)}/notes`, body: { text: 'Sends a new ID next week.' } },
    ]);
  });

  test('ends one session [SD-08]', async () => {
    const { sent } = await enter('support', `${customer}&tab=sessions`);
    await person.click(await button('End session on Chrome on Windows'));
    const asked = await dialog('End this session?');
    await person.click(within(asked).getByRole('button', { name: 'End session' }));
    await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ sessionId: id(7) }]), waitOptions);
  });

  test('sends an email again, but no security email [SD-08]', async () => {
    const { sent } = await enter('support', `${customer}&tab=mails`);
    await person.click(await button('Send again: You received $75.00'));
    await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ mailId: id(8) }]), waitOptions);
    expect(screen.queryByRole('button', { name: /login code/ })).toBeNull();
  });

  test('lists acts with who did them and why [SD-08]', async () => {
    await enter('viewer', `${customer}&tab=history`);
    const act = await screen.findByRole('row', { name: /Account frozen/ });
    expect(act.textContent).toContain('Tove Asklund');
    expect(act.textContent).toContain('Three payments to a reported account.');
  });

  test('says after a lost answer that the account is unfrozen now, without a button that repeats it [A-66, A-67]', async () => {
    const other: Record<string, unknown> = { [`PUT freeze/${id(1)}`]: new TypeError('Failed to fetch') };
    await enter('operator', customer, other);
    await person.click(await button('Unfreeze account'));
    const asked = await dialog('Unfreeze the account of Jun Takeda?');
    other[`GET customers/${id(1)}`] = { ...jun, isFrozen: false };
    await person.click(within(asked).getByRole('button', { name: 'Unfreeze account' }));
    expect(await within(asked).findByText(adminMessages.unfrozenBefore)).toBeTruthy();
    expect(within(asked).queryByRole('button', { name: 'Unfreeze account' })).toBeNull();
  });

  test('adds an act to the history when it is done on the page [SD-08]', async () => {
    const history = `GET users/${id(1)}/history`;
    const other: Record<string, unknown> = { [`PUT freeze/${id(1)}`]: { userId: id(1), isFrozen: false } };
    await enter('operator', `${customer}&tab=history`, other);
    await screen.findByRole('row', { name: /Account frozen/ });
    await person.click(await button('Unfreeze account'));
    const asked = await dialog('Unfreeze the account of Jun Takeda?');
    const { records, hasMore } = answers[history] as { records: object[]; hasMore: boolean };
    other[history] = {
      records: [{ ...records[0], _id: '10', action: 'customer.unfrozen' }, ...records],
      hasMore,
    };
    other[`GET customers/${id(1)}`] = { ...(answers[`GET customers/${id(1)}`] as object), isFrozen: false };
    await person.click(within(asked).getByRole('button', { name: 'Unfreeze account' }));
    expect(
      await screen.findByRole('row', { name: /Account unfrozen/, hidden: true }, waitOptions),
    ).toBeTruthy();
  });
});

test('once the removal of second factors is canceled, staff no longer read that they will be removed [A-68]', async () => {
  const withApp = { ...jun, factors: { hasApp: true, passkeys: 0 } };
  const asked = { ...withApp, factorReset: { effectiveAt: at, requestedBy: 'Ida Berg' } };
  const other: Record<string, unknown> = { [`GET customers/${id(1)}`]: withApp };
  await enter('operator', customer, other);
  await person.click(await button('Remove second factors'));
  const form = await dialog(/^Remove the second factors/);
  await person.type(within(form).getByRole('textbox'), 'Lost phone.');
  other[`GET customers/${id(1)}`] = asked;
  await person.click(within(form).getByRole('button', { name: 'Remove second factors' }));
  expect(await button('Cancel the removal')).toBeTruthy();
  expect(screen.getByText('Done')).toBeTruthy();
  // A freeze cancels the removal.
  other[`GET customers/${id(1)}`] = withApp;
  act(() => {
    window.dispatchEvent(new Event('visibilitychange'));
  });
  await waitFor(() => expect(screen.queryByText('Done')).toBeNull(), waitOptions);
});

test('after a lost answer about a removal of second factors, staff read the state that the page shows, not that the result is unknown [A-66, A-67, A-68]', async () => {
  const withApp = { ...jun, factors: { hasApp: true, passkeys: 0 } };
  const asked = { ...withApp, factorReset: { effectiveAt: at, requestedBy: 'Ida Berg' } };
  const lost = new TypeError('Failed to fetch');
  const other: Record<string, unknown> = {
    [`GET customers/${id(1)}`]: withApp,
    [`POST users/${id(1)}/reset-factors`]: lost,
    [`DELETE users/${id(1)}/reset-factors`]: lost,
  };
  const { sent } = await enter('operator', customer, other);
  await person.click(await button('Remove second factors'));
  const form = await dialog(/^Remove the second factors/);
  await person.type(within(form).getByRole('textbox'), 'Lost phone.');
  other[`GET customers/${id(1)}`] = asked;
  await person.click(within(form).getByRole('button', { name: 'Remove second factors' }));
  expect(await within(form).findByText(/^The second factors will be removed on/)).toBeTruthy();
  expect(within(form).queryByRole('button', { name: 'Remove second factors' })).toBeNull();
  await person.click(within(form).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), waitOptions);
  const cancel = await button('Cancel the removal');
  other[`GET customers/${id(1)}`] = withApp;
  await person.click(cancel);
  await waitFor(() => expect(cancel.isConnected).toBe(false), waitOptions);
  expect(screen.queryByText(words.actUnknown)).toBeNull();
  expect(document.activeElement?.textContent).toBe('Second factors');
  expect(sent).toHaveLength(2);
});

test('staff who press Esc in a form or a question with a typed reason are asked before it is discarded [G-16]', async () => {
  await enter('operator', customer);
  const leave = async (name: string | RegExp, field: RegExp) => {
    await person.type(within(await dialog(name)).getByLabelText(field), 'Saw the passport');
    await person.keyboard('{Escape}');
    const asks = await dialog('Leave without saving?');
    await person.click(within(asks).getByRole('button', { name: 'Stay' }));
    expect(within(await dialog(name)).getByLabelText<HTMLTextAreaElement>(field).value).toContain('Saw');
    await person.keyboard('{Escape}');
    await person.click(await button('Leave without saving'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), waitOptions);
  };
  await person.click(await button('Change name or email'));
  await leave('Change name or email', /^Proof/);
  await person.click(await button('Unfreeze account'));
  await leave(/Unfreeze/, /^Reason/);
});

test('an operator whose own request is waiting reads so, with a link to it, when the act is repeated [SD-03]', async () => {
  const message = staffMessages.ownSameRequest;
  const call = `PUT users/${id(1)}/details`;
  const refusal = { status: 409, code: 'CONFLICT', message, data: { requestId: id(3) } };
  await enter('operator', customer, { [call]: refusal });
  await person.click(await button('Change name or email'));
  const form = await dialog('Change name or email');
  await person.type(within(form).getByLabelText('Email'), 'x');
  await person.type(within(form).getByLabelText(/^Proof/), 'Saw the passport');
  await person.click(within(form).getByRole('button', { name: 'Save changes' }));
  const notice = await dialog('Waiting for a second person');
  expect(notice.textContent).toContain(message);
  const link = within(notice).getByRole<HTMLAnchorElement>('link', { name: 'View request' });
  expect(link.search).toContain(id(3));
});

test('an operator who changes an email and a name together reads before the press that the email must come first [SD-03]', async () => {
  await enter('operator', customer);
  await person.click(await button('Change name or email'));
  const form = within(await dialog('Change name or email'));
  await person.type(form.getByLabelText('Email'), 'x');
  expect(form.queryByText(staffMessages.emailAlone)).toBeNull();
  await person.type(form.getByLabelText('Last name'), 'ni');
  expect(form.getByText(staffMessages.emailAlone)).toBeTruthy();
});

test('another part of the customer’s page asks before it discards a note that was started [G-16]', async () => {
  const { address } = await enter('support', `${customer}&tab=notes`);
  await person.type(await screen.findByRole('textbox', { name: /^New note/ }), 'Called.');
  await person.click(screen.getByRole('tab', { name: 'Emails' }));
  await person.click(await button('Leave without saving'));
  await waitFor(() => expect(address.search).toBe(`${customer}&tab=mails`), waitOptions);
});

test('a name is changed with a proof, and the form says that the document must be verified again and who reads the proof [SD-28, SD-29, ST-98]', async () => {
  const call = `PUT users/${id(1)}/details`;
  const verified = { ...jun, isVerified: true, document: 'verified' };
  const { sent } = await enter('operator', customer, {
    [`GET customers/${id(1)}`]: verified,
    [`GET users/${id(1)}/changes`]: [],
    [call]: verified,
  });
  await person.click(await button('Change name or email'));
  const form = await dialog('Change name or email');
  expect(form.textContent).toContain('After a name change, the ID document must be verified again.');
  expect(form.textContent).toContain('Colleagues read this, and the customer gets it in a copy of all data.');
  await person.type(within(form).getByLabelText('Last name'), 'ni');
  await person.type(within(form).getByLabelText(/^Proof/), 'Saw the passport');
  await person.click(within(form).getByRole('button', { name: 'Save changes' }));
  await waitFor(
    () => expect(sent).toMatchObject([{ call, body: { lastName: 'Takedani', reason: 'Saw the passport' } }]),
    waitOptions,
  );
});
