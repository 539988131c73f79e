/** The screening: what a match shows in each view, how it is decided, and what it prevents. */
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import * as screeningMessages from '#contract/messages/screening.ts';
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
  sidebar,
  transfer,
} from '../../../../../tests/adminDesk.tsx';
import { waitOptions } from '../../../../../tests/waiting.ts';

describe('the screening', () => {
  const hit = {
    _id: id(8),
    customer: {
      _id: id(1),
      firstName: 'Jun',
      lastName: 'Takeda',
      fullName: 'Jun Takeda',
      accountNumber: '482109375527',
      dateOfBirth: '1990-05-02',
      isApproved: true,
    },
    listed: { id: 'SDN-1', name: 'TAKEDA, Jun', dateOfBirth: '1990', program: 'Test' },
    score: 100,
    state: 'open',
    foundAt: at,
  };
  const list = { importedAt: at, entries: 3, screened: 12, finishedAt: at };
  const screening = {
    'GET screening': { ...page, hits: [hit], totalHits: 1, open: 1, list },
    [`GET users/${id(1)}/screening`]: [hit],
  };

  test('says how many more entries resemble the name, on the page of the customer and at the match [SX-13]', async () => {
    const many = { ...hit, customer: { ...hit.customer, moreMatches: 57 } };
    await enter('operator', customer, { ...screening, [`GET users/${id(1)}/screening`]: [many] });
    const more =
      /^57 more entries resemble this name. They appear after this customer’s matches are decided.$/;
    expect(await screen.findByText(more)).toBeTruthy();
    await person.click(await button('Review the match of TAKEDA, Jun'));
    expect(within(await dialog('Match with the sanctions list')).getByText(more)).toBeTruthy();
  });

  test('says that a name mixes Latin and Cyrillic letters, on the page of the customer, at the match and in the review [SX-15]', async () => {
    const name = { firstName: 'Vіktоr', lastName: 'Pеtrоv' };
    const mixed = { ...jun, ...name, isApproved: false, isFrozen: false };
    const said = 'This name mixes letters of different alphabets: Latin and Cyrillic.';
    const answers = {
      ...screening,
      [`GET customers/${id(1)}`]: mixed,
      [`GET users/${id(1)}/screening`]: [
        { ...hit, customer: { ...hit.customer, ...name, fullName: 'Vіktоr Pеtrоv' } },
      ],
      [`GET users/${id(1)}/application`]: { ...mixed, registeredAt: at },
    };
    await enter('operator', customer, answers);
    expect(await screen.findByText(said)).toBeTruthy();
    await person.click(await button('Review the match of TAKEDA, Jun'));
    const match = within(await dialog('Match with the sanctions list'));
    expect(await match.findByText(said)).toBeTruthy();
    expect(
      match.getByText(
        'Some letters look the same in Latin and Cyrillic. We compared them as the same letter.',
      ),
    ).toBeTruthy();
    await person.click(match.getByRole('button', { name: 'Close' }));
    await person.click(await button(/^Review application/));
    expect(await within(await dialog(/^Application/)).findByText(said)).toBeTruthy();
  });

  test('says in the details of a user that a match is confirmed [SX-09]', async () => {
    await enter('operator', '?view=users', {
      ...screening,
      [`GET users/${id(1)}/screening`]: [{ ...hit, state: 'match' }],
    });
    await person.click(await button('View Jun Takeda'));
    const details = within(await dialog('User Details'));
    expect(await details.findByText('Confirmed match on the sanctions list')).toBeTruthy();
    await person.click(details.getByRole('button', { name: 'Review the match of TAKEDA, Jun' }));
    expect(await dialog('Match with the sanctions list')).toBeTruthy();
  });

  const earlier = { state: 'match', decidedAt: at, decidedBy: 'Olga Lindt', reason: 'Same passport' };
  const ofJun = (...hits: object[]) => ({ ...screening, [`GET users/${id(1)}/screening`]: hits });

  test('asks for a new decision about a confirmed match that the list no longer has, and never for the rejection [SX-06, SX-09]', async () => {
    const pending = { ...jun, isApproved: false, state: 'pending' };
    await enter('operator', customer, {
      ...ofJun({ ...hit, isGone: true, earlier }),
      [`GET customers/${id(1)}`]: pending,
      [`GET users/${id(1)}/application`]: { ...pending, registeredAt: at },
    });
    await person.click(await button('Review application'));
    const shown = await dialog('Application: Jun Takeda');
    const review = await within(shown).findByRole('button', { name: 'Review the match of TAKEDA, Jun' });
    expect(shown.textContent).toContain('A match was confirmed, but that decision no longer counts.');
    expect(shown.textContent).toContain('TAKEDA, Jun (100%): To be decided. Earlier decision: True match');
    expect(shown.textContent).not.toContain('Reject it');
    await person.click(review);
    const match = await dialog('Match with the sanctions list');
    expect(match.textContent).toContain(
      'The entry is no longer on the list, or the customer’s name no longer resembles it.',
    );
    expect(match.textContent).toContain('Decide this match again.');
    expect(match.textContent).toContain('True match\u00a0· Olga Lindt\u00a0· ');
    expect(match.textContent).toContain('\u00a0· Same passport');
    await person.click(within(match).getByRole('button', { name: 'Not a match' }));
    const question = await dialog('Is Jun Takeda no longer a match?');
    expect(
      within(question).getByRole('button', { name: 'The name is no longer found on the list.' }),
    ).toBeTruthy();
  });

  test.each([
    [false, 'May 2, 1990 (not verified)'],
    [true, 'May 2, 1990'],
  ])(
    'says at the date of birth of a match whether it was verified: %s [SX-16]',
    async (isDateOfBirthVerified, said) => {
      await enter(
        'operator',
        customer,
        ofJun({ ...hit, customer: { ...hit.customer, isDateOfBirthVerified } }),
      );
      await person.click(await button('Review the match of TAKEDA, Jun'));
      expect(within(await dialog('Match with the sanctions list')).getByText(said)).toBeTruthy();
    },
  );

  test('says what was decided about an entry before, and leaves outdated matches to the list of all matches [SX-06, SX-09]', async () => {
    const decided = { state: 'no-match', decidedAt: at, decidedBy: 'Olga Lindt', reason: 'Other birthday' };
    await enter(
      'operator',
      customer,
      ofJun({ ...hit, ...decided, earlier }, { ...hit, _id: id(9), state: 'outdated', earlier }),
    );
    const row = 'TAKEDA, Jun (100%): Not a match. Earlier decision: True match';
    expect(await screen.findAllByText(row)).toHaveLength(1);
    expect(screen.getAllByRole('button', { name: 'Review the match of TAKEDA, Jun' })).toHaveLength(1);
  });

  test.each([
    ['open', 'Customers whose name resembles an entry of the sanctions list appear here.'],
    ['match', 'Matches that staff have confirmed appear here.'],
  ])('says what will appear in an empty list "%s" [SX-09]', async (state, said) => {
    const none = { ...page, hits: [], totalHits: 0, open: 0, list };
    await enter('operator', `?view=screening&state=${state}`, { 'GET screening': none });
    expect(await screen.findByText(said)).toBeTruthy();
  });

  test.each([
    ['never imported', undefined],
    ['removed', { ...list, entries: 0 }],
  ])(
    'says in an empty list that no customer is screened if the sanctions list was %s [SX-09]',
    async (_, known) => {
      const none = { ...page, hits: [], totalHits: 0, open: 0, ...(known && { list: known }) };
      await enter('operator', '?view=screening', { 'GET screening': none });
      expect(await screen.findByText(/^No customer is screened until a list is imported/)).toBeTruthy();
      expect(screen.queryByText('No matches to decide')).toBeNull();
    },
  );

  test('says of an outdated match why there is nothing to decide [SX-09]', async () => {
    const outdated = { ...hit, state: 'outdated' };
    await enter('operator', '?view=screening&state=outdated', {
      'GET screening': { ...page, hits: [outdated], totalHits: 1, open: 0, list },
      [`GET users/${id(1)}/screening`]: [outdated],
    });
    await person.click(await button('Review the match of Jun Takeda'));
    const match = await dialog('Match with the sanctions list');
    expect(within(match).getByText(screeningMessages.outdated)).toBeTruthy();
    // A check mark would say that it was examined.
    expect(screen.queryByText('Outdated', { selector: '.Status' })).toBeNull();
  });

  test.each([true, false])(
    'suggests an ID document as the reason only if there is one: %s [SX-09]',
    async hasIdDocument => {
      await enter('operator', customer, ofJun({ ...hit, customer: { ...hit.customer, hasIdDocument } }));
      await person.click(await button('Review the match of TAKEDA, Jun'));
      await person.click(await button('True match'));
      const question = within(await dialog('Is Jun Takeda the listed person?'));
      const suggested = question.queryByRole('button', { name: 'The ID document confirms it.' });
      expect(suggested !== null).toBe(hasIdDocument);
    },
  );

  test.each([
    [true, /Then freeze the account, if it isn’t frozen yet\.$/],
    [false, /Then reject the application\.$/],
  ])(
    'says what to do after a match is confirmed, for approved customers (%s) and applicants [SX-09]',
    async (isApproved, said) => {
      await enter('operator', customer, ofJun({ ...hit, customer: { ...hit.customer, isApproved } }));
      await person.click(await button('Review the match of TAKEDA, Jun'));
      await person.click(await button('True match'));
      const question = within(await dialog('Is Jun Takeda the listed person?'));
      expect(question.getByText(/^This saves your decision/).textContent).toMatch(said);
    },
  );

  test('says the main name of a matching alias, and warns of look-alike letters only if the names have several alphabets [SX-09, SX-15]', async () => {
    const listed = { ...hit.listed, name: 'Jun Takeda', mainName: 'VOS, Anneke' };
    await enter('operator', customer, ofJun({ ...hit, listed }));
    expect(await screen.findByText('Jun Takeda (alias of VOS, Anneke) (100%): To be decided')).toBeTruthy();
    await person.click(await button('Review the match of Jun Takeda'));
    const match = await dialog('Match with the sanctions list');
    expect(within(match).getByText('Jun Takeda (alias of VOS, Anneke)')).toBeTruthy();
    expect(match.textContent).not.toContain('Some letters look the same');
  });

  test.each([
    ['by staff', {}, false],
    ['only by the customer', { isFrozenByCustomer: true }, true],
    ['by staff and the customer', { isFrozenByCustomer: true, isFrozenByStaff: true }, false],
  ])(
    'of a customer whose account is frozen %s asks for a freeze only if staff have not frozen it [SX-09]',
    async (_, by, isAsked) => {
      await enter('operator', customer, {
        ...ofJun({ ...hit, state: 'match', decidedAt: at }),
        [`GET customers/${id(1)}`]: { ...jun, isFrozen: true, ...by },
      });
      await screen.findByText('Confirmed match on the sanctions list');
      expect(screen.queryByText(/Staff should freeze it, too/) !== null).toBe(isAsked);
    },
  );

  test.each([
    ['by staff', {}, ['Frozen'], false],
    [
      'only by the customer',
      { isFrozenByCustomer: true },
      ['Frozen by the customer', 'Staff should freeze it, too.'],
      true,
    ],
  ])(
    'of a customer whose account is frozen %s asks for a freeze in the review only if staff have not frozen it [SX-09]',
    async (_, by, said, isAsked) => {
      await enter('operator', customer, {
        ...ofJun({ ...hit, state: 'match', decidedAt: at }),
        [`GET customers/${id(1)}`]: { ...jun, isApproved: false, state: 'pending' },
        // A colleague has approved the customer since the page was read.
        [`GET users/${id(1)}/application`]: { ...jun, ...by, registeredAt: at },
      });
      await person.click(await button('Review application'));
      const review = await dialog('Application: Jun Takeda');
      await within(review).findByText('Confirmed match on the sanctions list');
      for (const text of said) expect(review.textContent).toContain(text);
      expect(/freeze (it|the)/i.test(review.textContent!)).toBe(isAsked);
    },
  );

  test('shows a match in the queue and on the page of the customer, and asks for a reason to decide it [SX-09]', async () => {
    const { sent } = await enter('operator', '?view=screening', screening);
    await waitFor(() => expect(sidebar().textContent).toContain('Screening1 waiting'), waitOptions);
    expect(await screen.findByText(/with 3 entries. We have screened 12 customers.$/)).toBeTruthy();
    expect(screen.getByText('Page 1 of 1 (1 match)')).toBeTruthy();
    expect(screen.getByRole('row', { name: /Jun Takeda/ }).textContent).toContain('482109375527');
    await person.click(await button('Review the match of Jun Takeda'));
    await person.click(await button('Not a match'));
    const question = await dialog('Is Jun Takeda someone else?');
    await person.type(within(question).getByRole('textbox', { name: 'Reason' }), 'Other birthday');
    await person.click(within(question).getByRole('button', { name: 'Not a match' }));
    await waitFor(
      () =>
        expect(sent).toMatchObject([
          {
            call: `POST screening/${id(8)}/decide`,
            body: { isMatch: false, reason: 'Other birthday', dateOfBirth: '1990-05-02' },
          },
        ]),
      waitOptions,
    );
    // The confirmation links to the customer.
    const onward = await screen.findByRole('link', { name: 'Jun Takeda' }, waitOptions);
    expect(onward.getAttribute('href')).toContain(id(1));
    cleanup();
    await enter('viewer', customer, screening);
    await person.click(await button('Review the match of TAKEDA, Jun'));
    const shown = await dialog('Match with the sanctions list');
    const close = within(shown).getByRole('button', { name: 'Close' });
    await waitFor(() => expect(document.activeElement).toBe(close), waitOptions);
    expect(within(shown).getByRole('row', { name: /Date of birth/ }).textContent).toContain('May 2, 1990');
    expect(shown.textContent).toContain('482109375527');
    expect(within(shown).queryByRole('button', { name: 'True match' })).toBeNull();
  });

  test('asks to compare again if the customer changed the date of birth after the match was opened [SX-16]', async () => {
    const current: Record<string, unknown> = { ...screening };
    await enter('operator', customer, current);
    await person.click(await button('Review the match of TAKEDA, Jun'));
    await person.click(await button('Not a match'));
    const question = await dialog('Is Jun Takeda someone else?');
    await person.type(within(question).getByRole('textbox', { name: 'Reason' }), 'Other birthday');
    const changed = { ...hit, customer: { ...hit.customer, dateOfBirth: '1990-01-01' } };
    const refused = { status: 409, code: 'CONFLICT', message: screeningMessages.birthChanged };
    Object.assign(current, {
      [`POST screening/${id(8)}/decide`]: refused,
      [`GET users/${id(1)}/screening`]: [changed],
    });
    await person.click(within(question).getByRole('button', { name: 'Not a match' }));
    await within(question).findByText(screeningMessages.birthChanged);
    await waitFor(
      () => expect(within(question).queryByRole('button', { name: 'Not a match' })).toBeNull(),
      waitOptions,
    );
    await person.keyboard('{Escape}');
    const shown = await dialog('Match with the sanctions list');
    expect(within(shown).getByRole('row', { name: /Date of birth/ }).textContent).toContain('Jan 1, 1990');
  });

  test('shows in the open dialog what a colleague has just decided; closing it moves the focus to the view’s title [SX-09, A-67]', async () => {
    const current: Record<string, unknown> = { ...screening };
    await enter('operator', '?view=screening', current);
    const opener = await button('Review the match of Jun Takeda');
    await person.click(opener);
    await person.click(await button('True match'));
    const question = await dialog('Is Jun Takeda the listed person?');
    await person.type(within(question).getByRole('textbox', { name: 'Reason' }), 'Same face');
    const decided = {
      ...hit,
      state: 'no-match',
      decidedAt: at,
      decidedBy: 'Otto Berg',
      reason: 'Other birthday',
    };
    Object.assign(current, {
      [`POST screening/${id(8)}/decide`]: {
        status: 409,
        code: 'CONFLICT',
        message: screeningMessages.decidedBefore,
      },
      'GET screening': { ...page, hits: [], totalHits: 0, open: 0, list },
      [`GET users/${id(1)}/screening`]: [decided],
    });
    await person.click(within(question).getByRole('button', { name: 'True match' }));
    await within(question).findByText('Otto Berg already decided this match: Not a match.');
    expect(within(question).queryByRole('button', { name: 'True match' })).toBeNull();
    await person.keyboard('{Escape}');
    const shown = await dialog('Match with the sanctions list');
    await waitFor(() => expect(shown.textContent).toContain('Otto Berg'), waitOptions);
    expect(shown.textContent).not.toContain('To be decided');
    expect(within(shown).queryByRole('button', { name: 'True match' })).toBeNull();
    await waitFor(() => expect(opener.isConnected).toBe(false), waitOptions);
    await person.keyboard('{Escape}');
    const title = screen.getByRole('heading', { level: 1, hidden: true });
    await waitFor(() => expect(document.activeElement).toBe(title), waitOptions);
  });

  test('shows a listed date of birth that has no day as month and year [SX-09]', async () => {
    const dated = { ...hit, listed: { ...hit.listed, dateOfBirth: '1961-04' } };
    await enter('operator', '?view=screening', {
      'GET screening': { ...page, hits: [dated], totalHits: 1, open: 1, list },
      [`GET users/${id(1)}/screening`]: [dated],
    });
    await person.click(await button('Review the match of Jun Takeda'));
    expect(await screen.findByText('April 1961')).toBeTruthy();
  });

  test('marks a true match with a different icon than a failed payment [SX-09]', async () => {
    await enter('operator', '?view=screening&state=all', {
      'GET screening': { ...page, hits: [{ ...hit, state: 'match' }], totalHits: 1, open: 0, list },
      'GET transactions': {
        ...page,
        transactions: [{ ...transfer, status: 'failed' }],
        totalTransactions: 1,
      },
    });
    const iconBy = async (text: string) =>
      (await screen.findByText(text, { selector: '.Status' })).querySelector('path')!.getAttribute('d');
    const match = await iconBy('True match');
    await person.click(within(sidebar()).getByRole('link', { name: 'Transactions' }));
    expect(match).not.toBe(await iconBy('Failed'));
  });

  test.each([
    [
      'the same date of birth as a reason only if the list has the full date',
      'True match',
      'Is Jun Takeda the listed person?',
      'The date of birth is the same.',
      '1990-05-02',
    ],
    [
      'a different date of birth as a reason only if the listed date is known and differs',
      'Not a match',
      'Is Jun Takeda someone else?',
      'The date of birth is different.',
      '1961',
    ],
  ])('suggests %s [SX-09]', async (_, decision, question, suggestion, suggestedFor) => {
    for (const dateOfBirth of ['', '1990', suggestedFor]) {
      const dated = { ...hit, listed: { ...hit.listed, dateOfBirth } };
      await enter('operator', '?view=screening', {
        'GET screening': { ...page, hits: [dated], totalHits: 1, open: 1, list },
        [`GET users/${id(1)}/screening`]: [dated],
      });
      await person.click(await button('Review the match of Jun Takeda'));
      await person.click(await button(decision));
      const shown = within(await dialog(question)).queryAllByRole('button', { name: suggestion });
      expect(shown).toHaveLength(dateOfBirth === suggestedFor ? 1 : 0);
      cleanup();
    }
  });

  test('offers no approval of an applicant with an undecided match, and only the rejection after a true match [SX-09]', async () => {
    const review = async (state: string) => {
      await enter('operator', customer, {
        ...screening,
        [`GET customers/${id(1)}`]: { ...jun, isApproved: false, state: 'pending' },
        [`GET users/${id(1)}/application`]: { ...jun, isApproved: false, registeredAt: at },
        [`GET users/${id(1)}/screening`]: [{ ...hit, state }],
      });
      await person.click(await button('Review application'));
      const shown = await dialog('Application: Jun Takeda');
      await within(shown).findByRole('button', { name: 'Review the match of TAKEDA, Jun' });
      return within(shown);
    };
    const approve = { name: 'Approve Jun Takeda' };
    const undecided = await review('open');
    expect(undecided.getByRole<HTMLButtonElement>('button', approve).disabled).toBe(true);
    cleanup();
    const cleared = await review('no-match');
    expect(cleared.getByRole<HTMLButtonElement>('button', approve).disabled).toBe(false);
    cleanup();
    const confirmed = await review('match');
    expect(confirmed.queryByRole('button', approve)).toBeNull();
    expect(confirmed.getByRole('button', { name: 'Reject' }).className).toContain('Button--danger');
  });

  test('is not offered without a sanctions list [SX-03]', async () => {
    const { requested } = await enter('owner', customer, {
      'GET screening': { ...page, hits: [], totalHits: 0, open: 0 },
    });
    await button('Unfreeze account');
    expect(within(sidebar()).queryByRole('link', { name: /Screening/ })).toBeNull();
    expect(requested.filter(url => url.includes('/users/'))).not.toContainEqual(
      expect.stringContaining('screening'),
    );
  });
});
