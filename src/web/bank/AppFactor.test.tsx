/** The authenticator app in the security settings. Its codes are tested in a browser. */
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { AppFactor } from './AppFactor.tsx';
import type { FactorActs } from './factors.ts';

const off = { isEnabled: false, recoveryCodesLeft: 0, mustEnroll: false };
const on = { ...off, isEnabled: true, enabledAt: '2026-11-02T15:04:00.000Z', recoveryCodesLeft: 10 };

function App() {
  const [app, setApp] = useState<typeof off | typeof on>(off);
  // The state is loaded again after the dialog has closed.
  const settle = (next: typeof app) => void setTimeout(() => setApp(next), 50);
  const acts: Partial<FactorActs> = {
    startApp: async () => ({ data: { secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/Larkspur' } }),
    confirmApp: async () => {
      settle(on);
      return { data: ['abcd-efgh'] };
    },
    removeApp: async () => {
      settle(off);
      return { data: undefined };
    },
  };
  return (
    <section>
      <h2 tabIndex={-1}>Authenticator app</h2>
      <AppFactor
        app={{ data: app, isError: false, refetch: () => undefined }}
        acts={acts as FactorActs}
        passwordKind="text"
        offText=""
        removalEnds=""
        onSave={() => undefined}
      />
    </section>
  );
}

test('after the app is set up or removed and the button is gone, the focus is on the section’s title [S-21]', async () => {
  render(<App />);
  const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
  const hasFocus = () => waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading')));
  await press('Set up app');
  await userEvent.type(await screen.findByLabelText('Six-digit code'), '123456');
  await press('Turn on');
  await press('I saved them');
  await hasFocus();
  await press('Remove app');
  await press('Cancel');
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Remove app'));
  await press('Remove app');
  await userEvent.click(screen.getAllByRole('button', { name: 'Remove app' }).at(-1)!);
  await screen.findByRole('button', { name: 'Set up app' });
  await hasFocus();
});

test('a code with five digits is not sent: the field asks for all six and has the focus [SF-01]', async () => {
  render(<App />);
  const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
  await press('Set up app');
  const code = await screen.findByLabelText('Six-digit code');
  await userEvent.type(code, '123 45');
  await press('Turn on');
  expect(screen.getByText('Enter all 6 digits.')).toBeDefined();
  expect(document.activeElement).toBe(code);
  expect(screen.queryByText('I saved them')).toBeNull();
});
