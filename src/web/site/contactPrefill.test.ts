/** What a URL can and cannot prefill in the contact form. */
import { expect, test } from 'vitest';
import { maxLength } from '#contract/constants.ts';
import { contactPrefill } from './contactPrefill.ts';

const query = (parts: Record<string, string>) => `?${new URLSearchParams(parts)}`;

test('an address begins a letter with its subject and its message, lines and all', () => {
  const letter = { subject: 'Loan application', message: 'I would like to borrow: \nWhat it is for: ' };
  expect(contactPrefill(query(letter))).toEqual(letter);
});

test('an address cannot fill in the name or the email, nor empty a field', () => {
  expect(contactPrefill(query({ name: 'A', email: 'a@b.example', subject: '  ', message: '' }))).toEqual({});
  expect(contactPrefill('')).toEqual({});
});

test('a subject is one line, and neither part can be longer than the form takes', () => {
  const long = contactPrefill(query({ subject: 'a\n\tb'.padEnd(500, 'x'), message: 'm'.repeat(9000) }));
  expect(long.subject).toMatch(/^a bx+$/);
  expect(long.subject).toHaveLength(maxLength.subject);
  expect(long.message).toHaveLength(maxLength.message);
});

test('characters that cannot be seen or reorder text are left out, and none is cut in two', () => {
  expect(contactPrefill(query({ subject: 'Pay\u202E now\u200B\u0000' })).subject).toBe('Pay now');
  const cut = contactPrefill(query({ subject: `${'x'.repeat(maxLength.subject - 1)}😀` })).subject;
  expect(cut).toBe('x'.repeat(maxLength.subject - 1));
});
