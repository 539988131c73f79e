/** The contact form: early input is kept, and a refusal that names a field is also shown at that field. */
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { renderToString } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { waitOptions } from '../../../tests/waiting.ts';
import { ContactForm } from './ContactForm.tsx';

test('an email address that the browser accepts but the bank refuses is marked at its field, which gets the focus [H-21]', async () => {
  const message = 'Please enter a valid email address';
  const refusal = { success: false, code: 'VALIDATION', message, errors: [{ field: 'email', message }] };
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(refusal), { status: 400 }));
  render(<ContactForm />);
  // The browser's own check accepts a domain without a dot.
  for (const [label, text] of [
    ['Name', 'Ana'],
    ['Email', 'ana@fern'],
    ['Subject', 'Card'],
    ['Message', 'Hello'],
  ] as const)
    await userEvent.type(screen.getByLabelText(label), text);
  await userEvent.click(screen.getByRole('button', { name: 'Send Message' }));
  const email = screen.getByLabelText('Email');
  await screen.findByText(/^Your message was not sent/, {}, waitOptions);
  expect(email.getAttribute('aria-invalid')).toBe('true');
  await waitFor(() => expect(document.activeElement).toBe(email), waitOptions);
});

test('a message typed before the page is hydrated is kept [H-21]', () => {
  const container = document.body.appendChild(document.createElement('div'));
  container.innerHTML = renderToString(<ContactForm />);
  const field = () => screen.getByLabelText<HTMLTextAreaElement>('Message');
  field().value = 'Where is my transfer?';
  render(<ContactForm />, { container, hydrate: true });
  expect(field().value).toBe('Where is my transfer?');
});
