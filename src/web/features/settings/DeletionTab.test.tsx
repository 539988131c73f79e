/** What deleting an account erases and keeps. */
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { customerLoggedIn } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { renderWith } from '../../../../tests/renderWith.tsx';
import { wren } from '../../../../tests/sessions.ts';
import { waitOptions } from '../../../../tests/waiting.ts';
import { DeletionTab } from './DeletionTab.tsx';

test.each([
  [0, true, /^We erase your personal data, pictures and login right away/],
  [1, true, /lock them away for a year\./],
  [5, true, /lock them away for 5 years\./],
  [5, false, /^We erase your personal data, pictures and login right away/],
])(
  'with %s years of retention, a customer whose approval is %s reads %s [KY-40]',
  async (years, isApproved, said) => {
    vi.stubGlobal('fetch', async (url: string) => {
      const data = url.endsWith('/retention') ? { years } : {};
      return new Response(JSON.stringify({ success: true, message: '', data }));
    });
    const store = makeStore();
    store.dispatch(customerLoggedIn({ ...wren, isApproved }));
    renderWith(store, <DeletionTab />);
    expect(await screen.findByText(said, {}, waitOptions)).toBeDefined();
  },
);
