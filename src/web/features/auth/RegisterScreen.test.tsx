/** The registration screen: the age rule, refusals, a lost answer, and the summary of errors while they are corrected. */
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import * as registerMessages from '#contract/messages/register.ts';
import { makeStore } from '#web/base/store.ts';
import { useLocation } from '#web/router/hooks.ts';
import { RouterProvider } from '#web/router/RouterProvider.tsx';
import { createMemoryRouter } from '../../../../tests/memoryRouter.tsx';
import { renderWith } from '../../../../tests/renderWith.tsx';
import { waitOptions } from '../../../../tests/waiting.ts';
import { RegisterScreen } from './RegisterScreen.tsx';

const press = () => userEvent.click(screen.getByRole('button', { name: 'Register' }));

/** Opens the form and fills it in. */
async function fillIn(email: string, phoneNumber: string) {
  // jsdom has no layout.
  Element.prototype.scrollIntoView = () => {};
  const router = createMemoryRouter([
    { path: '/', Component: RegisterScreen },
    { path: '/login', Component: () => <p>Log in as {(useLocation().state as { email: string }).email}</p> },
  ]);
  const { container } = renderWith(makeStore(), <RouterProvider router={router} />);
  const type = (id: string, value: string) =>
    fireEvent.change(container.querySelector(`#${id}`)!, { target: { value } });
  for (const id of ['firstName', 'lastName', 'address', 'region']) type(id, 'Ines');
  type('zipCode', '10011');
  type('email', email);
  type('phoneNumber', phoneNumber);
  type('password', '493027');
  await userEvent.click(screen.getByLabelText('Female'));
  await userEvent.upload(
    container.querySelector<HTMLInputElement>('input[type=file]')!,
    new File(['x'], 'me.png', { type: 'image/png' }),
  );
  return { container, type };
}

test('a visitor reads on the registration that customers must be 18 or older [G-22]', async () => {
  renderWith(makeStore(), <RegisterScreen />);
  expect(screen.getByText(/^You must be 18 or older\./)).toBeTruthy();
});

test('after a lost answer, a person whose email is now taken reads that the first try may have arrived, and opens the login without a question [G-06]', async () => {
  let tries = 0;
  vi.stubGlobal(
    'XMLHttpRequest',
    class extends XMLHttpRequest {
      override send() {
        tries++;
        if (tries === 1) return void this.onerror?.(new ProgressEvent('error'));
        const body = { success: false, code: 'CONFLICT', message: registerMessages.emailTaken };
        Object.defineProperty(this, 'status', { value: 409 });
        Object.defineProperty(this, 'responseText', { value: JSON.stringify(body) });
        this.onload?.(new ProgressEvent('load'));
      }
    },
  );
  const { container } = await fillIn('ines@fern.example', '2125550147');
  await press();
  await screen.findByText(registerMessages.network);
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  await press();
  expect(await screen.findByText(/Your first try may have reached us/)).toBeTruthy();
  expect(screen.queryByText('We couldn’t register you')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  await userEvent.click(container.querySelector('.Field-error a')!);
  expect(await screen.findByText('Log in as ines@fern.example', {}, waitOptions)).toBeTruthy();
});

/** Answers each registration with a refusal. */
function refuseWith(status: number, refusal: object) {
  vi.stubGlobal(
    'XMLHttpRequest',
    class extends XMLHttpRequest {
      override send() {
        Object.defineProperty(this, 'status', { value: status });
        Object.defineProperty(this, 'responseText', {
          value: JSON.stringify({ success: false, ...refusal }),
        });
        this.onload?.(new ProgressEvent('load'));
      }
    },
  );
}

test('a person whose email is taken finds the field in view and focused, and a link to the login that fills in the email [G-06]', async () => {
  refuseWith(409, { code: 'CONFLICT', message: registerMessages.emailTaken });
  const { container } = await fillIn('ines@fern.example', '2125550147');
  const inView: Element[] = [];
  Element.prototype.scrollIntoView = function () {
    inView.push(this);
  };
  await press();
  await userEvent.click(await screen.findByRole('button', { name: 'Close' }, waitOptions));
  const field = container.querySelector('#email')!;
  await waitFor(() => expect(document.activeElement).toBe(field), waitOptions);
  expect(inView.at(-1)).toBe(field);
  await userEvent.click(container.querySelector('.Field-error a')!);
  await userEvent.click(await screen.findByRole('button', { name: 'Leave without saving' }, waitOptions));
  expect(await screen.findByText('Log in as ines@fern.example', {}, waitOptions)).toBeTruthy();
});

test('when the bank cannot read a picture, the person reads which of the two it is [G-06, V-08]', async () => {
  const message = 'We can’t read this picture.';
  refuseWith(415, { code: 'UNSUPPORTED_TYPE', message, errors: [{ field: 'idCard', message }] });
  const { container } = await fillIn('ines@fern.example', '2125550147');
  await press();
  expect(await screen.findByText(`ID document: ${message}`, {}, waitOptions)).toBeTruthy();
  expect(container.querySelector('.ErrorSummary')!.textContent).toContain('ID document');
});

test('the summary names only what is still wrong: once the email is corrected, it is about the phone number [V-03] [V-04]', async () => {
  const { container, type } = await fillIn('ines@fern', '212');
  await press();
  const summary = () => container.querySelector('.ErrorSummary')!.textContent;
  expect(summary()).toMatch(/^Please enter a valid email address.*Email, Phone/);
  type('email', 'ines@fern.example');
  expect(summary()).toMatch(/^Please enter a valid 10-digit phone number/);
  expect(summary()).not.toContain('email');
});
