/** The amount: formatted if it is unambiguous, otherwise left as typed. */
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import * as transferMessages from '#contract/messages/transfer.ts';
import { AmountField } from './AmountField.tsx';

function Form() {
  const [amount, setAmount] = useState('');
  return <AmountField label="Amount" value={amount} onChange={setAmount} />;
}

const field = () => screen.getByLabelText<HTMLInputElement>('Amount');

test.each([
  ['250', '250.00'],
  ['1234.5', '1,234.50'],
  ['1,234.56', '1,234.56'],
  ['12345678.90', '12,345,678.90'],
  ['0.01', '0.01'],
])('a person who typed %s reads %s on leaving the field', async (typed, read) => {
  const person = userEvent.setup();
  render(<Form />);
  await person.type(field(), typed);
  expect(read.startsWith(field().value)).toBe(true);
  await person.tab();
  expect(field().value).toBe(read);
});

test('digits are grouped while they are typed, inserted and deleted, and the caret stays where it was [A-58]', async () => {
  const person = userEvent.setup();
  render(<Form />);
  await person.type(field(), '1234567');
  expect(field().value).toBe('1,234,567');
  await person.type(field(), '89', { initialSelectionStart: 1, initialSelectionEnd: 1 });
  expect([field().value, field().selectionStart]).toEqual(['189,234,567', 3]);
  await person.keyboard('{Backspace}');
  expect([field().value, field().selectionStart]).toEqual(['18,234,567', 2]);
  await person.clear(field());
  await person.click(field());
  await person.paste('250000.5');
  expect(field().value).toBe('250,000.5');
});

test.each(['1,5', '10,50', '1.234', '1e3', '-5', 'ten', '1,23,456'])(
  'a text such as %s, which is not an amount or could be misread, stays exactly as typed',
  async typed => {
    const person = userEvent.setup();
    render(<Form />);
    await person.type(field(), typed);
    await person.tab();
    expect(field().value).toBe(typed);
  },
);

test.each(['12,48', '1,50', '100,00'])(
  'an ambiguous amount such as %s stays as it was pasted, also over an amount with a comma',
  async pasted => {
    const person = userEvent.setup();
    render(<Form />);
    await person.type(field(), '1250.75');
    await person.tab();
    await person.click(field());
    field().select();
    await person.paste(pasted);
    await person.tab();
    expect(field().value).toBe(pasted);
  },
);

test('a phone shows the decimal keypad and no autofill suggestions', () => {
  render(<Form />);
  expect(field().inputMode).toBe('decimal');
  expect(field().autocomplete).toBe('off');
});

test.each([
  ['95,5', 'For cents, use a period: 95.50.'],
  ['1.000,50', 'For cents, use a period: 1,000.50.'],
  ['abc', 'Use only digits, like 1,250.00.'],
  ['0', 'Enter more than $0.00.'],
  ['1000000000.01', 'Enter $1,000,000,000.00 or less.'],
])(
  'a person whose amount "%s" is refused reads how to write it, in every amount field [V-33]',
  (typed, why) => {
    render(
      <AmountField label="Amount" value={typed} onChange={() => {}} error={transferMessages.invalidAmount} />,
    );
    expect(screen.getByText(`Please enter a valid amount. ${why}`)).toBeDefined();
  },
);
