/** The registration's summary of errors while they are corrected. */
import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { makeStore } from '#web/base/store.ts';
import { renderWith } from '../../../../tests/renderWith.tsx';
import { RegisterScreen } from './RegisterScreen.tsx';

test('the summary names only what is still wrong: once the email is corrected, it is about the phone number [V-03] [V-04]', async () => {
  // jsdom has no layout.
  Element.prototype.scrollIntoView = () => {};
  const { container } = renderWith(makeStore(), <RegisterScreen />);
  const type = (id: string, value: string) =>
    fireEvent.change(container.querySelector(`#${id}`)!, { target: { value } });
  for (const id of ['firstName', 'lastName', 'address', 'region']) type(id, 'Ines');
  type('zipCode', '10011');
  type('email', 'ines@fern');
  type('phoneNumber', '212');
  type('password', '493027');
  await userEvent.click(screen.getByLabelText('Female'));
  await userEvent.upload(
    container.querySelector<HTMLInputElement>('input[type=file]')!,
    new File(['x'], 'me.png', { type: 'image/png' }),
  );
  await userEvent.click(screen.getByRole('button', { name: 'Register' }));
  const summary = () => container.querySelector('.ErrorSummary')!.textContent;
  expect(summary()).toMatch(/^Please enter a valid email address.*Email, Phone/);
  type('email', 'ines@fern.example');
  expect(summary()).toMatch(/^Please enter a valid 10-digit phone number/);
  expect(summary()).not.toContain('email');
});
