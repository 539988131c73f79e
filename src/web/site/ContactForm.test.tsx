/**
 * The contact form: early input is kept, links fill in the subject, and the notice is about the last press of 'Send Message'.
 */
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { renderToString } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { Link } from '#web/router/Link.tsx';
import { MemoryRouter } from '../../../tests/memoryRouter.tsx';
import { waitOptions } from '../../../tests/waiting.ts';
import { ContactForm } from './ContactForm.tsx';

const inRouter = (
  <MemoryRouter>
    <ContactForm />
    <Link to="/?subject=A+seat">Reserve</Link>
    <Link to="/">Help Desk</Link>
    <Link to="/about">About us</Link>
  </MemoryRouter>
);
const follow = (name: string) => userEvent.click(screen.getByRole('link', { name }));

const press = () => userEvent.click(screen.getByRole('button', { name: 'Send Message' }));
const write = async (letter: Record<string, string>) => {
  for (const [label, text] of Object.entries(letter))
    await userEvent.type(screen.getByLabelText(label), text);
  await press();
};

test('a visitor with an incomplete email address and an empty field sees both marked at once, and nothing is sent [H-21]', async () => {
  const fetch = vi.fn();
  vi.stubGlobal('fetch', fetch);
  render(inRouter);
  // The browser's own check accepts a domain without a dot.
  await write({ Name: 'Ana', Email: 'ana@fern', Subject: 'Card' });
  const email = screen.getByLabelText('Email');
  expect(screen.getByText('Please enter a valid email address')).toBeDefined();
  expect(screen.getByText('Please fill in this field')).toBeDefined();
  expect(document.activeElement).toBe(email);
  await write({ Message: 'Hello' });
  expect(email.getAttribute('aria-invalid')).toBe('true');
  expect(fetch).not.toHaveBeenCalled();
});

test('a field that only the bank refuses is marked, and gets the focus [H-21]', async () => {
  const message = 'Please use letters and numbers';
  const refusal = { success: false, code: 'VALIDATION', message, errors: [{ field: 'subject', message }] };
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(refusal), { status: 400 }));
  render(inRouter);
  await write({ Name: 'Ana', Email: 'Ana@Fern.example', Subject: 'Card', Message: 'Hello' });
  const subject = screen.getByLabelText('Subject');
  await screen.findByText(/^Your message was not sent/, {}, waitOptions);
  expect(subject.getAttribute('aria-invalid')).toBe('true');
  await waitFor(() => expect(document.activeElement).toBe(subject), waitOptions);
});

test('a visitor whose message got no answer reads that it may have arrived, not that it was not sent [H-28]', async () => {
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')));
  render(inRouter);
  await write({ Name: 'Ana', Email: 'ana@fern.example', Subject: 'Card', Message: 'Hello' });
  await screen.findByText(/^Your message may have reached us/, {}, waitOptions);
  expect(screen.queryByText(/was not sent|try again/i)).toBeNull();
  expect(screen.getByLabelText<HTMLTextAreaElement>('Message').value).toBe('Hello');
});

test('a visitor whose second press is refused after a lost answer still reads that the message may have arrived [H-28]', async () => {
  const answers = [
    () => Promise.reject(new TypeError('Failed to fetch')),
    async () =>
      Response.json({ success: false, code: 'RATE_LIMITED', message: 'Too many.' }, { status: 429 }),
  ];
  vi.stubGlobal('fetch', () => answers.shift()!());
  render(inRouter);
  await write({ Name: 'Ana', Email: 'ana@fern.example', Subject: 'Card', Message: 'Hello' });
  await screen.findByText(/^Your message may have reached us/, {}, waitOptions);
  await press();
  await waitFor(() => expect(answers).toEqual([]), waitOptions);
  expect(await screen.findByText(/^Your message may have reached us/, {}, waitOptions)).toBeDefined();
  expect(screen.queryByText(/was not sent/)).toBeNull();
});

test('a visitor who pastes more than a message can hold reads that the end was cut off [H-21]', async () => {
  render(inRouter);
  const message = screen.getByLabelText<HTMLTextAreaElement>('Message');
  expect(screen.queryByText(/cut off/)).toBeNull();
  fireEvent.change(message, { target: { value: 'a'.repeat(4000) } });
  expect(
    screen.getByText('A message can have at most 4,000 characters. Longer text is cut off.'),
  ).toBeDefined();
});

test('an incomplete second message is not reported as sent [H-21, H-23]', async () => {
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ success: true, message: '' })));
  render(inRouter);
  await write({ Name: 'Ana', Email: 'ana@fern.example', Subject: 'Card', Message: 'Hello' });
  await screen.findByText('Message sent successfully!', {}, waitOptions);
  await press();
  expect(screen.getAllByText('Please fill in this field')).toHaveLength(4);
  expect(screen.queryByText('Message sent successfully!')).toBeNull();
});

test('a message typed before the page is hydrated is kept [H-21]', () => {
  const container = document.body.appendChild(document.createElement('div'));
  container.innerHTML = renderToString(inRouter);
  const field = () => screen.getByLabelText<HTMLTextAreaElement>('Message');
  field().value = 'Where is my transfer?';
  render(inRouter, { container, hydrate: true });
  expect(field().value).toBe('Where is my transfer?');
});

test('each link replaces the subject of the last link, or clears it, unless the visitor has changed the subject [H-21]', async () => {
  // jsdom has no layout.
  Element.prototype.scrollIntoView = () => {};
  render(inRouter);
  const subject = screen.getByLabelText<HTMLInputElement>('Subject');
  await follow('Reserve');
  expect(subject.value).toBe('A seat');
  await follow('Help Desk');
  expect(subject.value).toBe('');
  await userEvent.type(subject, 'My card');
  await follow('Reserve');
  expect(subject.value).toBe('My card');
});

test('after a message was sent, the same link fills in its subject again and hides the notice of success [H-21, H-23]', async () => {
  Element.prototype.scrollIntoView = () => {};
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ success: true, message: '' })));
  render(inRouter);
  await follow('Reserve');
  await write({ Name: 'Ana', Email: 'ana@fern.example', Message: 'Two seats, please' });
  await screen.findByText('Message sent successfully!', {}, waitOptions);
  await follow('Reserve');
  expect(screen.getByLabelText<HTMLInputElement>('Subject').value).toBe('A seat');
  expect(screen.queryByText('Message sent successfully!')).toBeNull();
});

test('a visitor who has written in the form is asked before a link leaves it, and one who has not is not asked [H-21]', async () => {
  Element.prototype.scrollIntoView = () => {};
  render(inRouter);
  const asksBeforeReload = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
  await follow('Reserve');
  expect(asksBeforeReload()).toBe(false);
  await userEvent.type(screen.getByLabelText('Message'), 'Where is my transfer?');
  expect(asksBeforeReload()).toBe(true);
  await follow('About us');
  expect(await screen.findByRole('dialog', { name: 'Leave without sending?' }, waitOptions)).toBeDefined();
});

test('a visitor who leaves a message that may have arrived does not read that it is not sent [H-28]', async () => {
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')));
  render(inRouter);
  await write({ Name: 'Ana', Email: 'ana@fern.example', Subject: 'Card', Message: 'Hello' });
  await screen.findByText(/^Your message may have reached us/, {}, waitOptions);
  await follow('About us');
  expect(await screen.findByRole('dialog', { name: 'Leave this form?' }, waitOptions)).toBeDefined();
});
