/** The sentence with which the schedule form describes the transfer. */
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { ScheduledTransfer } from '#contract/scheduled.ts';
import { customerLoggedIn } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { renderWith } from '../../../../tests/renderWith.tsx';
import { wren } from '../../../../tests/sessions.ts';
import { ScheduleDialog } from './ScheduleDialog.tsx';

const rent: ScheduledTransfer = {
  _id: '1',
  kind: 'internal',
  name: 'Ines Caldeira',
  accountNumber: '482109375527',
  amount: 20,
  description: '',
  createdAt: '2026-11-20T15:00:00.000Z',
  startDate: '2099-01-31',
  frequency: 'monthly',
  status: 'active',
  nextDate: '2099-02-28',
  nextDates: ['2099-02-28', '2099-03-31'],
  missed: [],
};

function sentenceAbout(schedule: ScheduledTransfer): string | null {
  const data = { success: true, message: '', data: [] };
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(data)));
  const store = makeStore();
  store.dispatch(customerLoggedIn(wren));
  renderWith(store, <ScheduleDialog schedule={schedule} heading={{ current: null }} onClose={() => {}} />);
  return screen.getByText(/^\$20\.00 to/).textContent;
}

test('a rule on the 31st stays on the 31st in the form, even when the next date is February 28 [SC-14]', () => {
  expect(sentenceAbout(rent)).toBe(
    '$20.00 to Ines Caldeira on the 31st of every month or its last day, next on Feb 28, 2099.',
  );
});

test('a transfer that is sent once names its date once [SC-14]', () => {
  const once = { ...rent, frequency: 'once', startDate: '2099-02-28', nextDates: ['2099-02-28'] } as const;
  expect(sentenceAbout({ ...once, nextDates: [...once.nextDates] })).toBe(
    '$20.00 to Ines Caldeira once, on Feb 28, 2099.',
  );
});
