/** The queue of applications: approving one or several, rejecting one, lost answers, and sanctions matches. */
import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import * as adminMessages from '#contract/messages/admin.ts';
import {
  at,
  button,
  customer,
  dialog,
  enter,
  id,
  jun,
  page,
  person,
} from '../../../../../tests/adminDesk.tsx';
import { waitOptions } from '../../../../../tests/waiting.ts';

describe('the approvals', () => {
  const waiting = (n: number, firstName: string, isViewed: boolean) => ({
    _id: id(n),
    firstName,
    lastName: 'Field',
    email: `${firstName}@mail.example`,
    accountNumber: jun.accountNumber,
    avatar: { url: '' },
    idCard: isViewed ? { url: '/id' } : null,
    waitingSince: at,
    ...(isViewed && { isViewed }),
  });
  const queue = {
    ...page,
    customers: [waiting(5, 'Ada', true), waiting(6, 'Bo', false), waiting(7, 'Cy', true)],
    totalCustomers: 3,
    ready: 3,
  };

  test('approve the selected viewed applications with one press, each with its own result [SD-17]', async () => {
    const { sent } = await enter('operator', '?view=approvals', {
      'GET approvals': queue,
      [`PUT approve/${id(7)}`]: { status: 409, code: 'CONFLICT', message: 'Decide the match first.' },
    });
    expect(await screen.findByRole('checkbox', { name: 'Select Ada Field' })).toBeTruthy();
    expect(screen.queryByRole('checkbox', { name: 'Select Bo Field' })).toBeNull();
    await person.click(
      screen.getByRole('checkbox', { name: 'Select the 2 applications on this page that you viewed' }),
    );
    await person.click(await button('Approve 2 selected'));
    expect(await screen.findByText('1 account was approved, 1 was not approved')).toBeTruthy();
    const approved = screen.getByRole<HTMLAnchorElement>('link', { name: 'Ada Field' });
    expect(approved.parentElement!.textContent).toBe('Ada Field: Done');
    expect(approved.search).toBe(`?view=customer&customer=${id(5)}`);
    const refused = screen.getByRole<HTMLAnchorElement>('link', { name: 'Cy Field' });
    expect(refused.parentElement!.textContent).toBe('Cy Field: Decide the match first.');
    expect(refused.search).toBe(`?view=customer&customer=${id(7)}`);
    expect(sent.map(({ call }) => call)).toEqual([`PUT approve/${id(5)}`, `PUT approve/${id(7)}`]);
    expect(sent[0]!.body).toEqual({ isIdRequested: false, isProvenByReset: false });
    const isSelected = (name: string) =>
      screen.getByRole<HTMLInputElement>('checkbox', { name: `Select ${name} Field` }).checked;
    expect(['Ada', 'Cy'].map(isSelected)).toEqual([false, true]);
    expect(await button('Approve 1 selected')).toBeTruthy();
  });

  test('leave the focus in a review that was opened while the selected applications are approved [SD-17]', async () => {
    const approved = Promise.withResolvers<object>();
    await enter('operator', '?view=approvals', {
      'GET approvals': queue,
      [`PUT approve/${id(5)}`]: approved.promise,
      [`GET users/${id(6)}/application`]: { ...jun, _id: id(6), isApproved: false, registeredAt: at },
      [`GET users/${id(6)}/screening`]: [],
    });
    await person.click(await screen.findByRole('checkbox', { name: 'Select Ada Field' }));
    await person.click(await button('Approve 1 selected'));
    await person.click(await button('Review Bo Field'));
    const review = await dialog('Application: Bo Field');
    await waitFor(() => expect(review.contains(document.activeElement)).toBe(true), waitOptions);
    approved.resolve({});
    expect(await screen.findByText('1 account was approved')).toBeTruthy();
    expect(review.contains(document.activeElement)).toBe(true);
  });

  test('mark a frozen applicant, in the row and in the review [SD-14]', async () => {
    await enter('operator', '?view=approvals', {
      'GET approvals': { ...queue, customers: [{ ...waiting(5, 'Ada', false), isFrozen: true }] },
      [`GET users/${id(5)}/application`]: { ...jun, _id: id(5), isApproved: false, registeredAt: at },
      [`GET users/${id(5)}/screening`]: [],
    });
    expect((await screen.findByRole('row', { name: /Ada Field/ })).textContent).toContain('Frozen');
    await person.click(await button('Review Ada Field'));
    expect(await within(await dialog('Application: Ada Field')).findByText('Frozen')).toBeTruthy();
  });

  test('mark a customer whose email was first confirmed after a password reset, who cannot be selected, and open the review before the approval [A-46, A-48, SD-17]', async () => {
    const doubtful = { ...waiting(5, 'Ada', true), isProvenByReset: true };
    const application = { ...jun, _id: id(5), isApproved: false, isProvenByReset: true, registeredAt: at };
    const { sent } = await enter('operator', '?view=approvals', {
      'GET approvals': { ...queue, customers: [doubtful, waiting(7, 'Cy', true)] },
      [`GET users/${id(5)}/application`]: application,
      [`GET users/${id(5)}/screening`]: [],
    });
    const text = 'Email confirmed only after a password reset';
    expect((await screen.findByRole('row', { name: /Ada Field/ })).textContent).toContain(text);
    expect(screen.getByRole('checkbox', { name: 'Select Cy Field' })).toBeTruthy();
    expect(screen.queryByRole('checkbox', { name: 'Select Ada Field' })).toBeNull();
    await person.click(await button('Approve Ada Field'));
    const review = await dialog('Application: Ada Field');
    const banner = (await within(review).findByText(text)).closest('.Banner')!;
    expect(banner.textContent).toContain('Before you decide, call the phone number below.');
    expect(banner.textContent).not.toContain('may not be the one');
    expect(review.textContent).toContain(
      `After a reset${text}. The person may not be the one who registered.`,
    );
    expect(review.textContent).not.toContain('Confirmed by code');
    expect(sent).toEqual([]);
  });

  test('do not send a phone number that the customer may have changed, once the customer is approved [G-24]', async () => {
    const approved = { ...jun, isProvenByReset: true, registeredAt: at };
    await enter('operator', customer, {
      [`GET users/${id(1)}/application`]: approved,
      [`GET users/${id(1)}/screening`]: [],
    });
    await person.click(await button('Review application'));
    const review = await dialog(/Jun Takeda/);
    const banner = (await within(review).findByText('Email confirmed only after a password reset')).closest(
      '.Banner',
    )!;
    expect(banner.textContent).toContain('The phone number may have been changed since the approval.');
    expect(banner.textContent).not.toContain('call the phone number below');
  });

  test('refuse the first press if the password was reset after the review was opened, which then says so [G-24]', async () => {
    const application = { ...jun, _id: id(5), isApproved: false, registeredAt: at };
    const other: Record<string, unknown> = {
      'GET approvals': queue,
      [`GET users/${id(5)}/application`]: { ...application, isEmailProven: false },
      [`GET users/${id(5)}/screening`]: [],
      [`PUT approve/${id(5)}`]: { status: 409, code: 'CONFLICT', message: adminMessages.resetSince },
    };
    const { sent } = await enter('operator', '?view=approvals', other);
    await person.click(await button('Review Ada Field'));
    const review = await dialog('Application: Ada Field');
    await within(review).findByText('Not confirmed');
    other[`GET users/${id(5)}/application`] = { ...application, isProvenByReset: true };
    await person.click(within(review).getByRole('button', { name: 'Approve Ada Field' }));
    expect(await within(review).findByText('Email confirmed only after a password reset')).toBeTruthy();
    expect(within(review).getByText(adminMessages.resetSince)).toBeTruthy();
    await person.click(within(review).getByRole('button', { name: 'Approve Ada Field' }));
    await waitFor(
      () =>
        expect(sent.map(({ body }) => body)).toEqual([
          { isIdRequested: false, isProvenByReset: false },
          { isIdRequested: false, isProvenByReset: true },
        ]),
      waitOptions,
    );
  });

  test('say that a selection is of one page, and keep it while another page is shown [SD-17]', async () => {
    const rows = [waiting(5, 'Ada', true), waiting(7, 'Cy', true)];
    await enter('operator', '?view=approvals', {
      'GET approvals': (url: string) => ({
        currentPage: url.includes('page=2') ? 2 : 1,
        totalPages: 2,
        totalCustomers: 2,
        ready: 2,
        customers: [rows[url.includes('page=2') ? 1 : 0]],
      }),
    });
    const all = { name: 'Select the 1 application on this page that you viewed' };
    await person.click(await screen.findByRole('checkbox', all));
    await person.click(await button('Next'));
    await screen.findByText('Cy Field', undefined, waitOptions);
    await person.click(screen.getByRole('checkbox', all));
    await person.click(await button('Previous'));
    await screen.findByText('Ada Field', undefined, waitOptions);
    expect(await button('Approve 1 selected')).toBeTruthy();
  });

  test('say what was approved before and what is unknown after lost answers, and the list is read again [A-66]', async () => {
    const other: Record<string, unknown> = {
      'GET approvals': queue,
      [`PUT approve/${id(5)}`]: new Response(
        JSON.stringify({ success: true, message: adminMessages.approvedBefore, data: null }),
      ),
      [`PUT approve/${id(7)}`]: new TypeError('Failed to fetch'),
    };
    const { requested } = await enter('operator', '?view=approvals', other);
    await person.click(
      await screen.findByRole('checkbox', { name: 'Select the 2 applications on this page that you viewed' }),
    );
    const reads = () => requested.filter(url => url.endsWith('/approvals')).length;
    const before = reads();
    other['GET approvals'] = new TypeError('Failed to fetch');
    await person.click(await button('Approve 2 selected'));
    expect(
      await screen.findByText('0 accounts were approved, 1 was already approved, the result of 1 is unknown'),
    ).toBeTruthy();
    const unknown = screen.getByRole('link', { name: 'Cy Field' }).parentElement!;
    await waitFor(() => expect(reads()).toBeGreaterThan(before), waitOptions);
    await act(async () => {});
    expect(unknown.textContent).toContain('If the row is still in the list, try again.');
    other['GET approvals'] = queue;
    act(() => void window.dispatchEvent(new Event('visibilitychange')));
    await waitFor(
      () => expect(unknown.textContent).toContain('Still in the list. You can approve it again'),
      waitOptions,
    );
    expect(unknown.textContent).not.toContain('Check before you try again');
    other['GET approvals'] = { ...queue, customers: queue.customers.slice(0, 2), totalCustomers: 2 };
    act(() => void window.dispatchEvent(new Event('visibilitychange')));
    await waitFor(() => expect(unknown.textContent).toContain('No longer waiting.'), waitOptions);
    expect(unknown.textContent).not.toContain('We don’t know');
  });

  test('never say that an approval was not made if its answer was lost [A-66]', async () => {
    const other: Record<string, unknown> = {
      'GET approvals': queue,
      [`PUT approve/${id(5)}`]: new TypeError('Failed to fetch'),
    };
    await enter('operator', '?view=approvals', other);
    const approve = await button('Approve Ada Field');
    other['GET approvals'] = { ...queue, customers: queue.customers.slice(1) };
    await person.click(approve);
    const unknown = await dialog('Result unknown');
    expect(unknown.textContent).toContain('We don’t know yet whether Ada Field was approved.');
    expect(unknown.textContent).toContain('If the list still shows Ada Field, try again.');
    expect(document.body.textContent).not.toContain('was not approved');
    await waitFor(() => expect(approve.isConnected).toBe(false), waitOptions);
    await person.keyboard('{Escape}');
    await waitFor(
      () => expect(document.activeElement?.getAttribute('aria-label')).toBe('Review Bo Field'),
      waitOptions,
    );
  });

  test('say that an application is gone, not who rejected it, after the answer to a rejection was lost [A-66, A-67]', async () => {
    const gone = { status: 404, code: 'NOT_FOUND', message: 'This customer no longer exists.' };
    const reject = `POST users/${id(5)}/reject`;
    const other: Record<string, unknown> = {
      'GET approvals': queue,
      [`GET users/${id(5)}/application`]: { ...jun, _id: id(5), isApproved: false, registeredAt: at },
      [`GET users/${id(5)}/screening`]: [],
      [reject]: new TypeError('Failed to fetch'),
    };
    const { sent } = await enter('operator', '?view=approvals', other);
    await person.click(await button('Review Ada Field'));
    await person.click(await button('Reject'));
    const asked = await dialog('Reject the application of Ada Field?');
    await person.type(within(asked).getByRole('textbox', { name: /^Reason/ }), 'Not you');
    other[`GET users/${id(5)}/application`] = gone;
    await person.click(within(asked).getByRole('button', { name: 'Reject application' }));
    expect(
      await within(asked).findByText(
        /^This application no longer exists\. It was rejected, or the account was deleted\. .* we emailed the applicant your reason\.$/,
      ),
    ).toBeTruthy();
    expect(sent.map(({ call }) => call)).toEqual([reject]);
    expect(within(asked).queryByRole('button', { name: 'Reject application' })).toBeNull();
    expect(asked.textContent).not.toContain('This can’t be undone');
    expect(asked.textContent).not.toContain('We couldn’t confirm your identity.');
    expect(document.activeElement).toBe(within(asked).getByRole('button', { name: 'Close' }));
  });

  test('say that an application is gone if it is approved with others after a colleague rejected it [SD-17, A-67]', async () => {
    await enter('operator', '?view=approvals', {
      'GET approvals': queue,
      [`PUT approve/${id(7)}`]: { status: 404, code: 'NOT_FOUND', message: 'Not found' },
    });
    await person.click(
      await screen.findByRole('checkbox', { name: 'Select the 2 applications on this page that you viewed' }),
    );
    await person.click(await button('Approve 2 selected'));
    expect(
      await screen.findByText(
        /^Cy Field: This application no longer exists\. It was rejected, or the account was deleted\. The list is now up to date\.$/,
      ),
    ).toBeTruthy();
  });

  test('report a refused approval in a dialog, so that no row moves under the pointer [A-47]', async () => {
    await enter('operator', '?view=approvals', {
      'GET approvals': queue,
      [`PUT approve/${id(5)}`]: { status: 409, code: 'CONFLICT', message: 'Decide the match first.' },
    });
    const approve = await button('Approve Ada Field');
    await person.click(approve);
    const refusal = await dialog('Ada Field was not approved');
    expect(refusal.textContent).toContain('Decide the match first.');
    await person.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement).toBe(approve), waitOptions);
  });

  test('mark applications with a sanctions match, which can be neither approved nor selected [SX-09, SD-17]', async () => {
    await enter('operator', '?view=approvals', {
      'GET approvals': {
        ...queue,
        customers: [
          waiting(5, 'Ada', true),
          { ...waiting(6, 'Bo', true), screening: 'open' },
          { ...waiting(7, 'Cy', true), screening: 'match' },
        ],
      },
    });
    const match = await screen.findByRole<HTMLAnchorElement>('link', { name: 'Possible sanctions match' });
    expect(match.search).toBe(`?view=customer&customer=${id(6)}`);
    expect(screen.getByRole('row', { name: /Cy Field/ }).textContent).toContain('Confirmed sanctions match');
    const approval = (name: string) =>
      screen.getByRole<HTMLButtonElement>('button', { name: `Approve ${name} Field` });
    expect(['Ada', 'Bo', 'Cy'].map(name => approval(name).disabled)).toEqual([false, true, true]);
    // As text in the row: a phone shows no tooltip.
    expect(screen.getByRole('row', { name: /Bo Field/ }).textContent).toContain('Decide the match first');
    expect(screen.getByRole('row', { name: /Cy Field/ }).textContent).toContain('Reject the application');
    expect(approval('Bo').title).toBe('Decide the match first');
    expect(
      screen.getByRole('checkbox', { name: 'Select the 1 application on this page that you viewed' }),
    ).toBeTruthy();
    expect(screen.queryByRole('checkbox', { name: 'Select Bo Field' })).toBeNull();
  });

  test('say how late an application is and that its ID is missing, and viewers cannot select any [SD-16, SD-17]', async () => {
    vi.setSystemTime(new Date('2026-11-23T06:05:00Z'));
    await enter('viewer', '?view=approvals', { 'GET approvals': queue });
    expect((await screen.findAllByText('Late by 12 hours'))[0]).toBeTruthy();
    const without = screen.getByRole('row', { name: /No ID Uploaded/ });
    expect(without.textContent).toContain('Bo Field');
    expect(screen.queryByRole('checkbox')).toBeNull();
    vi.useRealTimers();
  });
});
