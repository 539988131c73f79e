/** The toasts as a customer sees them. */
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { makeStore } from '#web/base/store.ts';
import { Link } from '#web/router/Link.tsx';
import { copyToast } from '#web/ui/showToast.ts';
import { renderWith } from '../../../tests/renderWith.tsx';
import { waitOptions } from '../../../tests/waiting.ts';
import { ToastLayer } from './ToastLayer.tsx';

test('a toast about copying does not cover the page that it names, and other toasts stay [K-09]', async () => {
  const said = [{ title: 'Not copied', tone: 'error' as const, id: copyToast }, { title: 'Money arrived' }];
  renderWith(
    makeStore(),
    <>
      <Link to="/dashboard/add-money">Add money</Link>
      <ToastLayer said={said} />
    </>,
  );
  const copied = await screen.findByText('Not copied');
  await userEvent.click(screen.getByRole('link', { name: 'Add money' }));
  // It fades out; jsdom runs no animation.
  await waitFor(() => expect(copied.closest('.ToastLayer-exit')).not.toBeNull(), waitOptions);
  expect(screen.getByText('Money arrived').closest('.ToastLayer-exit')).toBeNull();
});
