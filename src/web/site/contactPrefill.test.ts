/** What a URL can and cannot prefill in the contact form. */
import { expect, test } from 'vitest';
import { maxLength } from '#contract/constants.ts';
import { contactPrefill } from './contactPrefill.ts';

const query = (parts: Record<string, string>) => `?${new URLSearchParams(parts)}`;

test('a URL prefills subject and message, including line breaks', () => {
  const letter = { subject: 'Loan application', message: 'I would like to borrow: \nWhat it is for: ' };
  expect(contactPrefill(query(letter))).toEqual(letter);
});

test('a URL cannot fill in the name or the email, nor clear a field', () => {
  expect(contactPrefill(query({ name: 'A', email: 'a@b.example', subject: '  ', message: '' }))).toEqual({});
  expect(contactPrefill('')).toEqual({});
});

test('a subject is one line, and subject and message are no longer than the form accepts', () => {
  const long = contactPrefill(query({ subject: 'a\n\tb'.padEnd(500, 'x'), message: 'm'.repeat(9000) }));
  expect(long.subject).toMatch(/^a bx+$/);
  expect(long.subject).toHaveLength(maxLength.subject);
  expect(long.message).toHaveLength(maxLength.message);
});

test('invisible characters and those that reorder text are removed, and no character is cut in two', () => {
  expect(contactPrefill(query({ subject: 'Pay\u202E now\u200B\u0000' })).subject).toBe('Pay now');
  const cut = contactPrefill(query({ subject: `${'x'.repeat(maxLength.subject - 1)}😀` })).subject;
  expect(cut).toBe('x'.repeat(maxLength.subject - 1));
});
