/** The passkeys in the security settings. Adding and using one is tested in a browser. */
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import type { FactorActs } from './factors.ts';
import * as texts from './factorTexts.ts';
import { PasskeyFactor } from './PasskeyFactor.tsx';

const createdAt = '2026-11-02T15:04:00.000Z';

function Passkeys() {
  const [passkeys, setPasskeys] = useState([
    { _id: '1', name: 'My phone', createdAt },
    { _id: '2', name: 'My laptop', createdAt },
  ]);
  const removePasskey: FactorActs['removePasskey'] = async ({ _id }) => {
    // The list is loaded again after the dialog has closed.
    setTimeout(() => setPasskeys(before => before.filter(each => each._id !== _id)), 50);
    return { data: undefined };
  };
  return (
    <section>
      <h2 tabIndex={-1}>Passkeys</h2>
      <PasskeyFactor
        passkeys={{ data: passkeys, isError: false, refetch: () => undefined }}
        acts={{ removePasskey } as FactorActs}
        isSupported
        removalEnds={texts.removalEnds}
      />
    </section>
  );
}

test('after a passkey is removed and its button is gone, the focus is on the section’s title [S-21]', async () => {
  render(<Passkeys />);
  for (const name of ['My phone', 'My laptop']) {
    await userEvent.click(screen.getByRole('button', { name: `Remove ${name}` }));
    await userEvent.click(await screen.findByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(screen.queryByText(name)).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading')));
  }
});

test('before removing a passkey, a customer reads that other devices are logged out and push is turned off [SF-09]', async () => {
  render(<Passkeys />);
  await userEvent.click(screen.getByRole('button', { name: 'Remove My phone' }));
  expect((await screen.findByRole('dialog')).textContent).toContain(
    'Your other devices will be logged out, and push notifications will be turned off on all your devices.',
  );
});
