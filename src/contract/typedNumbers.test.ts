/** Phone and account numbers are accepted as people write them. Other texts do not become valid numbers. */
import { expect, test } from 'vitest';
import { formatPhone, plainNumber, plainPhone } from './typedNumbers.ts';

test.each([
  '2125550188',
  '(212) 555-0188',
  '+1 212 555 0188',
  '1-212-555-0188',
  '212.555.0188',
  '\u202A(212)\u00A0555–0188\u202C',
])('the phone number %s is read as ten digits [V-32]', typed => {
  expect(plainPhone(typed)).toBe('2125550188');
});

test.each(['212555018', '+44 20 7946 0958', '212-555-018x', '2 (212) 555-0188', '+1 212 555 0188 9'])(
  'the phone number %s does not become ten digits',
  typed => {
    expect(plainPhone(typed)).not.toMatch(/^\d{10}$/);
  },
);

test('a stored phone number is shown in groups and read back as the same digits [V-32]', () => {
  expect(formatPhone('2125550188')).toBe('(212) 555-0188');
  expect(plainPhone(formatPhone('2125550188'))).toBe('2125550188');
  for (const other of ['', '212555018', '21255501880']) expect(formatPhone(other)).toBe(other);
});

test.each(['1234-5678-9012', ' 1234 5678 9012 ', '1234–5678.9012'])(
  'the account number %s is read as its digits [V-32]',
  typed => {
    expect(plainNumber(typed)).toBe('123456789012');
  },
);
