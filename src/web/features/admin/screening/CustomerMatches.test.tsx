/** The matches of a customer, as the customer's page and the review of an application show them. */
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { ScreeningHit } from '#contract/screening.ts';
import { makeStore } from '#web/base/store.ts';
import { renderWith } from '../../../../../tests/renderWith.tsx';
import { CustomerMatches } from './CustomerMatches.tsx';

test.each([
  [
    'decided otherwise, reads both decisions in order',
    true,
    'Earlier decision: Not a match. Before that: True match',
  ],
  ['taken back, reads which decision that was', false, 'To be decided. Earlier decision: True match'],
] as const)(
  'an administrator who reads that a match was confirmed, and then %s [SX-09]',
  (_, isCleared, text) => {
    vi.stubGlobal('fetch', async () => Response.json({ success: true, message: '', data: [] }));
    const decidedAt = '2026-11-20T18:05:00.000Z';
    const hit: ScreeningHit = {
      _id: 'h1',
      customer: {
        _id: 'u1',
        firstName: 'Jun',
        lastName: 'Takeda',
        fullName: 'Jun Takeda',
        accountNumber: '482109375527',
        dateOfBirth: null,
        isApproved: true,
        isDateOfBirthVerified: false,
        hasIdDocument: true,
      },
      listed: { id: 'L1', name: 'TAKEDA, Jun', dateOfBirth: '', program: '' },
      score: 96,
      state: 'open',
      foundAt: decidedAt,
      ...(isCleared && { earlier: { state: 'no-match', decidedAt } }),
      confirmed: { decidedAt },
    };
    renderWith(makeStore(), <CustomerMatches hits={[hit]} isApproved />);
    expect(screen.getByText(/^A match was confirmed, but that decision no longer counts/)).toBeTruthy();
    expect(screen.getByRole('listitem').textContent).toContain(text);
  },
);
