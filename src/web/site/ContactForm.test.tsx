/** The contact form: what the sender reads if the bank refuses the message, or if the script that sends it is missing. */
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { waitOptions } from '../../../tests/waiting.ts';
import { ContactForm } from './ContactForm.tsx';

async function fillInAndSend(email: string): Promise<void> {
  for (const [label, text] of [
    ['Name', 'Ana'],
    ['Email', email],
    ['Subject', 'Card'],
    ['Message', 'Hello'],
  ] as const)
    await userEvent.type(screen.getByLabelText(label), text);
  await userEvent.click(screen.getByRole('button', { name: 'Send Message' }));
}

test('a visitor reads that the message was not sent if the script that sends it cannot be fetched, and the text stays [H-21]', async () => {
  vi.doMock('./laterContact.ts', () => {
    throw new Error('offline');
  });
  render(<ContactForm />);
  await fillInAndSend('ana@fern.example');
  const banner = await screen.findByText(
    'Network error. Please check your connection and try again.',
    {},
    waitOptions,
  );
  expect(banner.closest('[role=alert]')!.textContent).toContain('Your message was not sent.');
  expect(screen.getByLabelText<HTMLTextAreaElement>('Message').value).toBe('Hello');
  vi.doUnmock('./laterContact.ts');
});

test('an email address that the browser accepts but the bank refuses is marked at its field, which gets the focus [H-21]', async () => {
  const message = 'Please enter a valid email address';
  const refusal = { success: false, code: 'VALIDATION', message, errors: [{ field: 'email', message }] };
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(refusal), { status: 400 }));
  render(<ContactForm />);
  // The browser's own check accepts a domain without a dot.
  await fillInAndSend('ana@fern');
  const email = screen.getByLabelText('Email');
  await screen.findByText(/^Your message was not sent/, {}, waitOptions);
  expect(email.getAttribute('aria-invalid')).toBe('true');
  await waitFor(() => expect(document.activeElement).toBe(email), waitOptions);
});
