/** The audit log: its search on a phone, and the retained data of former customers. */
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { at, button, dialog, enter, id, person } from '../../../../../tests/adminDesk.tsx';
import { waitOptions } from '../../../../../tests/waiting.ts';

describe('the audit log', () => {
  const deletion = {
    _id: '12',
    at,
    actorKind: 'admin',
    actorId: 'other',
    actorName: 'Tove Asklund',
    action: 'customer.deleted',
    subject: id(1),
    subjectName: 'Closed account 4821 0937 5527',
    address: '127.0.0.1',
    details: '',
    isSealed: true,
    retainedUntil: '2031-11-20T18:05:00.000Z',
  };
  const { retainedUntil: _, ...another } = { ...deletion, _id: '11', subject: id(2) };
  const other: Record<string, unknown> = {
    'GET audit': { records: [deletion, another], actions: ['customer.deleted'], hasMore: false },
    [`POST retained/${id(1)}/open`]: {
      firstName: 'Nora',
      middleName: '',
      lastName: 'Quist',
      gender: 'female',
      dateOfBirth: '1990-05-02',
      address: '4 Meadow Row',
      city: 'Albany',
      region: 'New York',
      zipCode: '12207',
      email: 'nora@mail.example',
      phoneNumber: '2125550147',
      isVerified: false,
      closedAt: at,
      eraseAfter: deletion.retainedUntil,
    },
  };
  const named = 'Open retained data: Closed account 4821 0937 5527';

  test('has a shorter hint in its search field on a phone [SX-11]', async () => {
    const search = async (width: number) => {
      const measured = vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(width);
      await enter('auditor', '?view=audit', other);
      const { placeholder } = await screen.findByRole<HTMLInputElement>('searchbox');
      measured.mockRestore();
      cleanup();
      return placeholder;
    };
    expect((await search(328)).length).toBeLessThan(33);
    expect(await search(900)).toContain('reason, or IP address');
  });

  test('tells an auditor that the email of a removed registration belongs to someone else [KY-41]', async () => {
    const records = [{ ...deletion, action: 'registration.removed' }];
    await enter('auditor', '?view=audit', {
      ...other,
      'GET audit': { records, actions: [], hasMore: false },
    });
    await person.click(await button(named));
    const question = await dialog('Open retained data?');
    await person.type(within(question).getByRole('textbox', { name: 'Reason' }), 'Court order of Nov 20');
    await person.click(within(question).getByRole('button', { name: 'Open retained data' }));
    const sheet = await dialog('Retained data');
    expect(sheet.textContent).toContain('So the email belongs to someone else.');
  });

  test('lets an auditor open the retained data of a former customer, with a reason [KY-41]', async () => {
    const { sent } = await enter('auditor', '?view=audit', other);
    const opener = await button(named);
    await person.click(opener);
    const question = await dialog('Open retained data?');
    expect(question.textContent).toContain('until Nov 20, 2031');
    const open = within(question).getByRole('button', { name: 'Open retained data' });
    await person.click(open);
    expect(await within(question).findByText('Enter a reason')).toBeTruthy();
    expect(sent).toEqual([]);
    await person.type(within(question).getByRole('textbox', { name: 'Reason' }), 'Court order of Nov 20');
    await person.click(open);
    const sheet = await dialog('Retained data');
    for (const text of [
      'Closed account 4821 0937 5527',
      'Nora Quist',
      'nora@mail.example',
      'May 2, 1990',
      '4 Meadow Row, Albany, New York 12207',
      'The account was closed on Nov 20, 2026. We keep this data until Nov 20, 2031, and then erase it.',
    ])
      expect(within(sheet).getByText(text)).toBeTruthy();
    expect(sent).toMatchObject([
      { call: `POST retained/${id(1)}/open`, body: { reason: 'Court order of Nov 20' } },
    ]);
    await waitFor(() => expect(sheet.contains(document.activeElement)).toBe(true), waitOptions);
    await person.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement).toBe(opener), waitOptions);
    // The data is not kept: opening it again asks for a reason again.
    await person.click(opener);
    expect(await dialog('Open retained data?')).toBeTruthy();
    expect(screen.queryByText('Nora Quist')).toBeNull();
  });

  test('shows a verified identity that was replaced above the last one, and marks a date of birth that was not verified [KY-41]', async () => {
    const call = `POST retained/${id(1)}/open`;
    const last = { ...(other[call] as object), isDateOfBirthVerified: false };
    const replaced = {
      ...last,
      firstName: 'Elena',
      isVerified: true,
      isDateOfBirthVerified: true,
      dateOfBirth: '1980-02-03',
      replacedAt: '2026-11-03T18:05:00.000Z',
    };
    await enter('auditor', '?view=audit', { ...other, [call]: { ...last, earlier: [replaced] } });
    await person.click(await button(named));
    const question = await dialog('Open retained data?');
    await person.type(within(question).getByRole('textbox', { name: 'Reason' }), 'Court order of Nov 20');
    await person.click(within(question).getByRole('button', { name: 'Open retained data' }));
    const { textContent } = await dialog('Retained data');
    const inOrder = [
      'Verified identity before the change on Nov 3, 2026',
      'Elena Quist',
      'Feb 3, 1980',
      'When the account was closed',
      'Nora Quist',
      'May 2, 1990 (not verified)',
    ].map(text => textContent.indexOf(text));
    expect(inOrder).not.toContain(-1);
    expect(inOrder).toEqual([...inOrder].sort((a, b) => a - b));
    expect(textContent).not.toContain('Feb 3, 1980 (not verified)');
  });

  test('says why retained data was not opened [KY-41]', async () => {
    const call = `POST retained/${id(1)}/open`;
    const message = 'The bank keeps no identification data about this customer';
    await enter('auditor', '?view=audit', {
      ...other,
      [call]: { status: 404, code: 'NOT_FOUND', message },
    });
    await person.click(await button(named));
    const question = await dialog('Open retained data?');
    await person.type(within(question).getByRole('textbox', { name: 'Reason' }), 'Court order of Nov 20');
    await person.click(within(question).getByRole('button', { name: 'Open retained data' }));
    expect(await within(question).findByText(message)).toBeTruthy();
  });

  test('offers no retained data to an owner, or for a customer without any [KY-41]', async () => {
    await enter('auditor', '?view=audit', other);
    expect(await screen.findAllByRole('button', { name: /^Open retained data/ })).toHaveLength(1);
    cleanup();
    await enter('owner', '?view=audit', other);
    expect(await screen.findAllByText('Closed account 4821 0937 5527')).toHaveLength(2);
    expect(screen.queryByRole('button', { name: /^Open retained data/ })).toBeNull();
  });
});
