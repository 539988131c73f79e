/** The alerts: how staff take, close and take over an alert, and where the focus goes afterward. */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import {
  button,
  customer,
  dialog,
  enter,
  guesses,
  id,
  jun,
  largePayment,
  page,
  person,
  sidebar,
} from '../../../../../tests/adminDesk.tsx';
import { ida } from '../../../../../tests/sessions.ts';
import { waitOptions } from '../../../../../tests/waiting.ts';

describe('alerts', () => {
  test('the list shows the figures and owners of alerts and links to customers and payments, and a viewer’s sidebar counts none of them [FA-08]', async () => {
    await enter('viewer', '?view=alerts');
    expect(await screen.findByText('$2,000.00 of $3,500.50')).toBeTruthy();
    // A viewer cannot close alerts, so none wait for a viewer.
    expect(sidebar().textContent).not.toContain('Alerts2');
    expect(
      screen.getByText('Wrong passwords for 34 logins, from 198.51.100.7. We notified 1 customer.'),
    ).toBeTruthy();
    expect(screen.getByText('Tove Asklund')).toBeTruthy();
    const link = (name: string) => screen.getByRole<HTMLAnchorElement>('link', { name }).search;
    expect(link('Jun Takeda')).toBe(`?view=customer&customer=${jun._id}`);
    expect(link('View transaction')).toBe(`?view=transactions&transaction=${id(4)}`);
    expect(screen.queryByRole('button', { name: /^Close/ })).toBeNull();
  });

  test('support takes an alert, and closes it with a note that must not be empty [FA-08]', async () => {
    const { sent } = await enter('support', '?view=alerts');
    const what = 'Most of the balance to a new receiver, Jun Takeda';
    await person.click(await button(`Assign to me: ${what}`));
    expect(sidebar().textContent).toContain('Alerts2 waiting');
    await person.click(await button(`Close: ${what}`));
    const asked = await dialog('Close this alert?');
    expect(within(asked).getByText(what)).toBeTruthy();
    const close = within(asked).getByRole('button', { name: 'Close alert' });
    await person.click(close);
    await person.type(within(asked).getByRole('textbox'), 'He bought a car.');
    await person.click(close);
    await waitFor(
      () =>
        expect(sent.map(({ call, body }) => [call, body])).toEqual([
          [`POST alerts/${id(5)}/assign`, null],
          [`POST alerts/${id(5)}/close`, { note: 'He bought a car.' }],
        ]),
      waitOptions,
    );
  });

  test('the URL of a page that no longer exists leads to the last page [FA-08]', async () => {
    const alerts = { ...page, alerts: [], totalAlerts: 40, open: 40, currentPage: 3, totalPages: 2 };
    const { address } = await enter('viewer', '?view=alerts&page=3', { 'GET alerts': alerts });
    await waitFor(() => expect(address.search).toBe('?view=alerts&page=2'), waitOptions);
  });

  test('after an alert is assigned, the focus moves to the next alert, or to the title if none is left [FA-08]', async () => {
    const other: Record<string, unknown> = {
      [`POST alerts/${id(0)}/assign`]: guesses,
    };
    await enter('support', '?view=alerts', other);
    const focused = () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.id;
    const taken = await button(/^Assign to me: Most of the balance/);
    const next = { ...page, totalAlerts: 1, open: 1 };
    other['GET alerts'] = { ...next, alerts: [guesses] };
    await person.click(taken);
    await waitFor(
      () => expect(focused()).toMatch(/^Take over from Tove Asklund: Many wrong passwords/),
      waitOptions,
    );
    other['GET alerts'] = { ...next, alerts: [], totalAlerts: 0, open: 0 };
    await person.keyboard('{Enter}');
    await waitFor(() => expect(focused()).toBe('admin-view-title'), waitOptions);
    expect(await screen.findByText(/Alerts that were already taken are under Assigned\.$/)).toBeTruthy();
  });

  test('if a colleague closed the alert first, the focus moves to the next alert after the refusal [FA-08]', async () => {
    const other: Record<string, unknown> = {
      [`POST alerts/${id(5)}/assign`]: { status: 409, code: 'CONFLICT', message: 'Already closed.' },
    };
    await enter('support', '?view=alerts', other);
    const take = await button(/^Assign to me: Most of the balance/);
    other['GET alerts'] = { ...page, totalAlerts: 1, open: 1, alerts: [guesses] };
    await person.click(take);
    const notice = await screen.findByText('Already closed.');
    await waitFor(() => expect(take.isConnected).toBe(false), waitOptions);
    await person.click(within(notice.closest<HTMLElement>('[role*=dialog]')!).getByRole('button'));
    const name = () => document.activeElement?.getAttribute('aria-label');
    await waitFor(
      () => expect(name()).toMatch(/^Take over from Tove Asklund: Many wrong passwords/),
      waitOptions,
    );
  });

  test('if the answer to a press is lost, its result is unknown, and the focus stays in the row [FA-08, A-66]', async () => {
    const other: Record<string, unknown> = {
      [`POST alerts/${id(5)}/assign`]: new TypeError('Failed to fetch'),
      [`POST alerts/${id(5)}/close`]: new TypeError('Failed to fetch'),
    };
    await enter('support', '?view=alerts', other);
    const take = await button(/^Assign to me: Most of the balance/);
    const mine = { ...largePayment, status: 'assigned', assignedTo: { _id: ida._id, name: ida.name } };
    other['GET alerts'] = { ...page, alerts: [guesses, mine], totalAlerts: 2, open: 2 };
    await person.click(take);
    const notice = await dialog('Result unknown');
    expect(notice.textContent).not.toContain('wasn’t changed');
    await waitFor(() => expect(take.isConnected).toBe(false), waitOptions);
    await person.keyboard('{Escape}');
    const close = await button(/^Close: Most of the balance/);
    await waitFor(() => expect(document.activeElement).toBe(close), waitOptions);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), waitOptions);
    expect(document.activeElement).toBe(close);

    await person.click(close);
    const asked = await dialog('Close this alert?');
    await person.type(within(asked).getByRole('textbox'), 'A car.');
    const confirm = within(asked).getByRole('button', { name: 'Close alert' });
    await person.click(confirm);
    const unknown = await within(asked).findByText(/^We don’t know yet whether this was done/);
    expect(unknown.closest('.Banner')!.className).toContain('Banner--warning');
    other[`POST alerts/${id(5)}/close`] = { status: 409, code: 'CONFLICT', message: 'Already closed.' };
    await person.click(confirm);
    expect(await within(asked).findByText('Already closed.')).toBeTruthy();
    expect(confirm.isConnected).toBe(false);
    expect(asked.textContent).not.toContain('It leaves the queue');
    expect(document.activeElement).toBe(within(asked).getByRole('button', { name: 'Close' }));
  });

  test('if a colleague took the alert first, a dialog names the colleague and offers to take it over [FA-08]', async () => {
    const owner = { _id: 'other', name: 'Tove Asklund' };
    const taking = `POST alerts/${id(5)}/assign`;
    const other: Record<string, unknown> = {
      [taking]: {
        status: 409,
        code: 'CONFLICT',
        message: 'This is now assigned to Tove Asklund.',
        data: { owner },
      },
    };
    const { sent } = await enter('support', '?view=alerts', other);
    const take = await button(/^Assign to me: Most of the balance/);
    other['GET alerts'] = { ...page, totalAlerts: 1, open: 1, alerts: [guesses] };
    await person.click(take);
    const asked = await dialog('Already assigned');
    expect(
      within(asked).getByText('This is now assigned to Tove Asklund. You can take it over.'),
    ).toBeTruthy();
    await waitFor(() => expect(take.isConnected).toBe(false), waitOptions);
    delete other[taking];
    await person.click(within(asked).getByRole('button', { name: 'Take over from Tove Asklund' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), waitOptions);
    expect(sent.map(({ call, body }) => [call, body])).toEqual([
      [taking, null],
      [taking, { takenFrom: 'other' }],
    ]);
    await button('Take over from Tove Asklund: Many wrong passwords from one network');
  });

  test('if a colleague took the alert while the note was written, the dialog names the colleague and the next press closes the alert [FA-08]', async () => {
    const owner = { _id: 'other', name: 'Tove Asklund' };
    const closing = `POST alerts/${id(5)}/close`;
    const message = 'This is now assigned to Tove Asklund. To go ahead anyway, press again.';
    const other: Record<string, unknown> = {
      [closing]: { status: 409, code: 'CONFLICT', message, data: { owner } },
    };
    const { sent } = await enter('support', '?view=alerts', other);
    await person.click(await button(/^Close: Most of the balance/));
    const asked = await dialog('Close this alert?');
    await person.type(within(asked).getByRole('textbox'), 'He bought a car.');
    const close = within(asked).getByRole('button', { name: 'Close alert' });
    await person.click(close);
    expect(await within(asked).findByText(message)).toBeTruthy();
    delete other[closing];
    await person.click(close);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), waitOptions);
    const note = 'He bought a car.';
    expect(sent.map(({ body }) => body)).toEqual([{ note }, { note, takenFrom: 'other' }]);
  });

  test('a closed alert shows when and by whom it was closed [FA-08]', async () => {
    const closedBy = { _id: 'other', name: 'Tove Asklund' };
    const closed = { ...guesses, status: 'closed', closedAt: '2026-11-21T14:30:00.000Z', closedBy };
    const alerts = { ...page, alerts: [closed], totalAlerts: 1, open: 0 };
    await enter('viewer', '?view=alerts&state=closed', { 'GET alerts': alerts });
    const row = (await screen.findByText('Tove Asklund')).closest('tr')!;
    expect(row.textContent).toContain('Nov 21, 2026 9:30 AM');
  });

  test('the page of a customer lists the alerts about the customer [FA-08]', async () => {
    const { requested } = await enter('viewer', `${customer}&tab=alerts`);
    expect(await screen.findByText('$2,000.00 of $3,500.50')).toBeTruthy();
    expect(requested.some(url => url.includes(`/alerts?customer=${jun._id}`))).toBe(true);
  });
});
