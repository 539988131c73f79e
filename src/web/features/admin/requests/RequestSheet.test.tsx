/** What a request for a second approval shows, and what it warns of before it is approved. */
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import type { Approval } from '#contract/fourEyes.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import {
  answers,
  assigned,
  at,
  button,
  credit,
  customer,
  dialog,
  enter,
  id,
  jun,
  page,
  person,
  sidebar,
  transfer,
} from '../../../../../tests/adminDesk.tsx';
import { waitOptions } from '../../../../../tests/waiting.ts';

describe('a request for a second approval', () => {
  test('shows who asks, why, and what changes, and is counted for an operator who may decide it [SD-02]', async () => {
    await enter('operator', `?view=requests&request=${id(2)}`);
    const sheet = await dialog('Credit Jun Takeda');
    for (const text of [
      'Tove Asklund',
      'Refund of the disputed payments.',
      'Expires',
      'Amount$150,000.00',
      'Jun Takeda4821 0937 5527',
    ])
      expect(sheet.textContent).toContain(text);
    await waitFor(
      () => expect(sheet.textContent).toContain('Balance of Jun TakedaBefore $250,000.00After $400,000.00'),
      waitOptions,
    );
    expect(sidebar().textContent).toContain('Requests1 waiting');
  });

  test('shows what staff changed about the name or email of its customer since it was made [SD-02]', async () => {
    const change = { _id: id(6), authorName: 'Tove Asklund', field: 'lastName', reason: 'Marriage' };
    await enter('operator', `?view=requests&request=${id(2)}`, {
      [`GET users/${id(1)}/changes`]: [
        { ...change, at: '2026-11-21T18:05:00.000Z', former: 'Field', value: 'Takeda' },
        { ...change, _id: id(7), at: '2026-11-19T18:05:00.000Z', former: 'Moss', value: 'Field' },
      ],
    });
    const sheet = await dialog('Credit Jun Takeda');
    const warning = await within(sheet).findByText(
      'The customer’s name or email was changed after this was asked',
    );
    expect(warning.parentElement!.textContent).toContain('Last name changed by Tove Asklund on Nov 21, 2026');
    expect(warning.parentElement!.textContent).toContain('before: Field');
    expect(sheet.textContent).not.toContain('Moss');
  });

  test('is opened with the button in its row, too [SD-02]', async () => {
    const { address } = await enter('operator', '?view=requests', {
      'GET requests': {
        ...page,
        requests: [credit, { ...credit, _id: id(3), status: 'declined' }],
        totalRequests: 2,
        waiting: 1,
        forYou: 1,
      },
    });
    expect(await button('View: Credit Jun Takeda')).toBeTruthy();
    await person.click(await button('Review: Credit Jun Takeda'));
    expect(await dialog('Credit Jun Takeda')).toBeTruthy();
    expect(address.search).toContain(`request=${id(2)}`);
  });

  test('for a credit is listed with the description that the customer reads, and not as a reason alone [SD-02]', async () => {
    const { reason: _, ...described } = { ...credit, description: 'Welcome bonus' };
    await enter('operator', '?view=requests', {
      'GET requests': { ...page, requests: [described], totalRequests: 1, waiting: 1, forYou: 1 },
    });
    const row = await screen.findByRole('row', { name: /Credit Jun Takeda/ });
    expect(row.textContent).toContain('Welcome bonus');
    expect(screen.getByRole('columnheader', { name: 'Reason or description' })).toBeTruthy();
  });

  test('to reverse a transaction shows by how much the receiver’s balance changes, not the balance afterward [SD-02]', async () => {
    const reversal: Approval = { ...credit, kind: 'reversal', amount: 75, transactionId: transfer._id };
    await enter('operator', `?view=requests&request=${id(2)}`, { [`GET requests/${id(2)}`]: reversal });
    const sheet = await dialog('Reverse a transaction');
    await waitFor(
      () => expect(sheet.textContent).toContain('Balance of Jun TakedaChanges by−$75.00'),
      waitOptions,
    );
  });

  test('to reverse a transaction that its receiver can no longer cover says so before the approval [SD-02]', async () => {
    const { accountNumber: receiverAccountNumber } = jun;
    const reversal: Approval = { ...credit, kind: 'reversal', amount: 75, transactionId: transfer._id };
    const holder = { ...(answers['GET accounts/482109375527'] as object), balance: 74.99 };
    await enter('operator', `?view=requests&request=${id(2)}`, {
      [`GET requests/${id(2)}`]: reversal,
      [`GET transactions/${id(4)}`]: {
        ...transfer,
        receiverAccountNumber,
        timeline: [{ step: 'posted', at }],
      },
      'GET accounts/482109375527': holder,
    });
    const sheet = await dialog('Reverse a transaction');
    expect(await within(sheet).findByText('Approving this request will fail', {}, waitOptions)).toBeTruthy();
    expect(sheet.textContent).toContain(
      'Jun Takeda has $74.99 available, less than $75.00. Money in savings goals doesn’t count.',
    );
    expect(within(sheet).getByRole('button', { name: 'Approve' })).toBeTruthy();
  });

  test('to reverse a credit from the unclaimed balances says that the money goes back there [SD-24]', async () => {
    const reversal: Approval = { ...credit, kind: 'reversal', amount: 75, transactionId: transfer._id };
    await enter('operator', `?view=requests&request=${id(2)}`, {
      [`GET requests/${id(2)}`]: reversal,
      [`GET transactions/${id(4)}`]: assigned,
    });
    const sheet = await dialog('Reverse a transaction');
    const change = 'Unclaimed balancesChanges by+$75.00';
    await waitFor(() => expect(sheet.textContent).toContain(change), waitOptions);
    expect(sheet.textContent).not.toContain('treasury');
  });

  test('to reverse a transaction warns that its sender is on the sanctions list, and cannot be approved until that is checked [SX-14]', async () => {
    const reversal: Approval = { ...credit, kind: 'reversal', amount: 75, transactionId: transfer._id };
    const { accountNumber: senderAccountNumber } = jun;
    const read = Promise.withResolvers<void>();
    const holder = { ...(answers['GET accounts/482109375527'] as object), screening: 'match' };
    const other: Record<string, unknown> = {
      [`GET requests/${id(2)}`]: reversal,
      [`GET transactions/${id(4)}`]: { ...transfer, senderAccountNumber, timeline: [{ step: 'posted', at }] },
      'GET accounts/482109375527': read.promise.then(() => holder),
    };
    const { sent } = await enter('operator', `?view=requests&request=${id(2)}`, other);
    const sheet = await dialog('Reverse a transaction');
    await person.click(await within(sheet).findByRole('button', { name: 'Checking the sanctions list...' }));
    read.resolve();
    expect(await within(sheet).findByText('Confirmed match on the sanctions list')).toBeTruthy();
    expect(within(sheet).getByRole('button', { name: 'Approve' })).toBeTruthy();
    expect(sent).toEqual([]);
  });

  test.each([
    ['the transaction', `GET transactions/${id(4)}`],
    ['its sender', 'GET accounts/482109375527'],
  ])(
    'to reverse a transaction cannot be approved while %s cannot be read, but afterward it can [SX-14]',
    async (_, failing) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
      const { accountNumber: senderAccountNumber } = jun;
      const busy = { status: 503, code: 'BUSY', message: errorMessages.fault };
      const other: Record<string, unknown> = {
        [`GET requests/${id(2)}`]: { ...credit, kind: 'reversal', amount: 75, transactionId: transfer._id },
        [`GET transactions/${id(4)}`]: {
          ...transfer,
          senderAccountNumber,
          timeline: [{ step: 'posted', at }],
        },
      };
      const answer = other[failing];
      other[failing] = busy;
      const { requested } = await enter('operator', `?view=requests&request=${id(2)}`, other);
      const sheet = await dialog('Reverse a transaction');
      const address = failing.replace('GET ', '/');
      const asked = () => requested.filter(url => url.endsWith(address)).length;
      const poll = async () => {
        const before = asked();
        await vi.advanceTimersByTimeAsync(30_000);
        await waitFor(() => expect(asked()).toBeGreaterThan(before), waitOptions);
      };
      await waitFor(() => expect(asked()).toBeGreaterThan(0), waitOptions);
      await poll();
      expect(within(sheet).getByRole('button', { name: 'Checking the sanctions list...' })).toBeTruthy();
      if (answer) other[failing] = answer;
      else delete other[failing];
      await poll();
      expect(await within(sheet).findByRole('button', { name: 'Approve' })).toBeTruthy();
    },
  );

  test('to reverse a transaction can be approved if the customer who gets the money back no longer exists [SX-14]', async () => {
    const { accountNumber: senderAccountNumber } = jun;
    await enter('operator', `?view=requests&request=${id(2)}`, {
      [`GET requests/${id(2)}`]: { ...credit, kind: 'reversal', amount: 75, transactionId: transfer._id },
      [`GET transactions/${id(4)}`]: { ...transfer, senderAccountNumber, timeline: [{ step: 'posted', at }] },
      'GET accounts/482109375527': { status: 404, code: 'NOT_FOUND', message: '' },
    });
    expect(await button('Approve')).toBeTruthy();
  });

  test.for([
    ['credit', 'It’s better to decide the match first.'],
    ['deletion', 'The match is erased with the customer.'],
  ])(
    'for a %s of a customer with an undecided match links to the match, and asks before it is approved [SX-14]',
    async ([kind, warning]) => {
      const holder = { ...(answers['GET accounts/482109375527'] as object), screening: 'open' };
      const { sent } = await enter('operator', `?view=requests&request=${id(2)}`, {
        'GET accounts/482109375527': holder,
        [`GET requests/${id(2)}`]: { ...credit, kind },
        [`POST requests/${id(2)}/approve`]: { ...credit, status: 'done' },
      });
      const link = await screen.findByRole<HTMLAnchorElement>('link', { name: 'Review match' });
      expect(link.search).toBe(customer);
      await person.click(await button('Approve'));
      const asks = within(await dialog('Approve while the match is undecided?'));
      expect(asks.getByText(warning!, { exact: false })).toBeTruthy();
      expect(sent).toEqual([]);
      await person.click(asks.getByRole('button', { name: 'Cancel' }));
      await person.click(await button('Approve'));
      await person.click(await button('Approve anyway'));
      expect(await screen.findByText('Done', { selector: '.Banner *' })).toBeTruthy();
      expect(sent.map(({ call }) => call)).toEqual([`POST requests/${id(2)}/approve`]);
    },
  );

  test('for a credit that was requested twice says so, with a link to the other request [ST-81]', async () => {
    await enter('operator', `?view=requests&request=${id(2)}`, {
      [`GET requests/${id(2)}`]: { ...credit, sameRequestId: id(7) },
    });
    expect(await screen.findByText(staffMessages.sameCredit)).toBeTruthy();
    const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'View the other request' });
    expect(link.search).toContain(`request=${id(7)}`);
  });

  test('for a credit that was made this week says when, with a link to the transaction [ST-81]', async () => {
    const timestamp = '2026-11-28T14:42:00.000Z';
    await enter('operator', `?view=requests&request=${id(2)}`, {
      [`GET requests/${id(2)}`]: {
        ...credit,
        sameCredit: { _id: id(4), reference: 'LB-4', amount: 1, description: '', timestamp },
      },
    });
    expect(
      await screen.findByText(/^The same credit was made on Nov 28.* at 9:42\sAM \(LB-4\)\. With this one, /),
    ).toBeTruthy();
    const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'View transaction' });
    expect(link.search).toContain(id(4));
  });

  test('is counted below the list as "1 request", in the singular [SD-02]', async () => {
    await enter('viewer', '?view=requests', {
      'GET requests': { ...page, requests: [credit], totalRequests: 1, waiting: 1, forYou: 0 },
    });
    expect(await screen.findByText('Page 1 of 1 (1 request)')).toBeTruthy();
  });

  test('to invite an owner shows the email that gets the link [SD-02, SD-04]', async () => {
    const member = { name: 'Ilan Brooks', email: 'ilan@larkspur.example' };
    const { _id, status, askedBy, askedAt, expiresAt } = credit;
    const invitation = {
      _id,
      status,
      askedBy,
      askedAt,
      expiresAt,
      kind: 'invitation',
      member,
      role: 'owner',
    };
    await enter('operator', `?view=requests&request=${id(2)}`, { [`GET requests/${id(2)}`]: invitation });
    const sheet = await dialog('Invite Ilan Brooks as Owner');
    expect(await within(sheet).findByText(member.email)).toBeTruthy();
  });

  test.each<[string, Partial<Approval>, string]>([
    ['a role', { kind: 'role', formerRole: 'viewer', role: 'operator' }, 'Role beforeViewerRoleOperator'],
    ['an email', { kind: 'email', email: 'jun@new.example' }, 'New emailjun@new.example'],
    ['an amount', { kind: 'limit', from: 2500 }, 'Second person from$2,500.00'],
    ['no amount', { kind: 'limit', from: null }, 'Second person fromNever'],
    ['the role of an invitation', { kind: 'invitation', role: 'operator' }, 'RoleOperator'],
  ])('still says after the decision what was asked for: %s [SD-02]', async (_, part, text) => {
    const rest = { ...credit, amount: undefined, customer: undefined };
    const member = { _id: id(7), name: 'Vic Nolan', email: 'vic@larkspur.example' };
    const declined = { ...rest, status: 'declined', member, ...part };
    await enter('operator', `?view=requests&request=${id(2)}`, { [`GET requests/${id(2)}`]: declined });
    const sheet = await screen.findByRole('dialog');
    await waitFor(() => expect(sheet.textContent).toContain(text), waitOptions);
    if (part.kind === 'role') expect(sheet.textContent).toContain('Change the role of Vic Nolan to Operator');
    // The state of today is not what was asked.
    expect(sheet.textContent).not.toContain('Before and after');
  });

  test('to change the amount that needs a second person shows the new amount in the list [SD-02]', async () => {
    const rest = { ...credit, amount: undefined, customer: undefined };
    await enter('viewer', '?view=requests', {
      'GET requests': {
        ...page,
        requests: [{ ...rest, kind: 'limit', from: 2500 }],
        totalRequests: 1,
        waiting: 1,
        forYou: 0,
      },
    });
    expect(await screen.findByText('$2,500.00')).toBeTruthy();
  });

  test('that will fail, because the asker is gone or the customer has more money now, says so before the approval [SD-02, ST-86, ST-87]', async () => {
    const opened = `?view=requests&request=${id(2)}`;
    const deletion = { ...credit, kind: 'deletion', amount: 200_000 };
    await enter('operator', opened, { [`GET requests/${id(2)}`]: deletion });
    expect(await screen.findByText(/^The customer had \$200,000.00 when this was asked/)).toBeTruthy();
    expect(screen.getByText('Balance when asked')).toBeTruthy();
    cleanup();
    await enter('operator', opened, { [`GET requests/${id(2)}`]: { ...credit, isAskerGone: true } });
    expect(
      await screen.findByText('Tove Asklund can no longer ask for this. Decline the request.'),
    ).toBeTruthy();
  });

  test('to pay out a balance names the closed account [SD-25]', async () => {
    const payout = { ...credit, kind: 'unclaimed', transactionId: id(4), closedAccount: '662109375520' };
    await enter('viewer', `?view=requests&request=${id(2)}`, { [`GET requests/${id(2)}`]: payout });
    expect(await screen.findByText('6621 0937 5520')).toBeTruthy();
  });

  test.each([
    ['match', 'Confirmed match on the sanctions list'],
    ['open', 'Possible match on the sanctions list'],
  ])(
    'warns if money goes to a customer whose screening says "%s", but does not refuse the approval [SX-14]',
    async (screening, warning) => {
      const holder = answers['GET accounts/482109375527'] as object;
      const other: Record<string, unknown> = { 'GET accounts/482109375527': { ...holder, screening } };
      const payout: Approval = { ...credit, kind: 'unclaimed', transactionId: id(4) };
      for (const request of [credit, payout]) {
        await enter('operator', `?view=requests&request=${id(2)}`, {
          ...other,
          [`GET requests/${id(2)}`]: request,
        });
        expect(await screen.findByText(warning)).toBeTruthy();
        expect(await button('Approve')).toBeTruthy();
        cleanup();
      }
      await enter('operator', `?view=requests&request=${id(2)}`, {
        ...other,
        [`GET requests/${id(2)}`]: { ...credit, status: 'done' },
      });
      expect(await screen.findAllByText('Done')).not.toEqual([]);
      expect(screen.queryByText(warning)).toBeNull();
    },
  );
});
