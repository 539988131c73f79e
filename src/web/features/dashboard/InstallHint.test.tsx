/** The hint to install the bank as an app. */
import { act, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { keepInstallOffer } from '#web/base/installEvent.ts';
import { InstallHint } from './InstallHint.tsx';

const hint = () => screen.queryByText('Larkspur as an app');
const makeOffer = (prompt: () => unknown) => {
  const offer = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt });
  act(() => void dispatchEvent(offer));
};

test('the overview offers to install the bank, and a dismissed hint does not come back [PU-14]', async () => {
  keepInstallOffer();
  const prompt = vi.fn();
  const person = userEvent.setup();
  render(<InstallHint />);
  expect(hint()).toBeNull();
  makeOffer(prompt);
  await person.click(screen.getByRole('button', { name: 'Install' }));
  expect(prompt).toHaveBeenCalledOnce();
  expect(hint()).toBeNull();

  makeOffer(prompt);
  expect(hint()).not.toBeNull();
  await person.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(hint()).toBeNull();
  makeOffer(prompt);
  expect(hint()).toBeNull();
});
