/** The account number field while typing, pasting and deleting: only digits that the user deletes are removed. */
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { GroupedDigits } from './GroupedDigits.tsx';

function Form() {
  const [digits, setDigits] = useState('');
  return <GroupedDigits label="Number" value={digits} onChange={setDigits} />;
}

const field = () => screen.getByLabelText<HTMLInputElement>('Number');

test.each([
  ['381368318014', '3813 6831 8014'],
  ['3813 6831 8014', '3813 6831 8014'],
  ['38136831', '3813 6831'],
])(
  'a person who pastes %s twice, the second time over the first, keeps every digit',
  async (pasted, read) => {
    const person = userEvent.setup();
    render(<Form />);
    await person.click(field());
    await person.paste(pasted);
    expect(field().value).toBe(read);
    field().select();
    await person.paste(pasted);
    expect(field().value).toBe(read);
  },
);

test('a person who types a digit too many, or pastes an IBAN, sees every digit of it [V-14]', async () => {
  const person = userEvent.setup();
  render(<Form />);
  await person.type(field(), '3813683180149');
  expect(field().value).toBe('3813 6831 8014 9');
  field().select();
  await person.paste('DE89 3704 0044 0532 0130 00');
  expect(field().value).toBe('8937 0400 4405 3201 3000');
});

test('deleting a gap deletes the digit before it', async () => {
  const person = userEvent.setup();
  render(<Form />);
  await person.type(field(), '381368318014');
  field().setSelectionRange(5, 5);
  await person.keyboard('{Backspace}');
  expect(field().value).toBe('3816 8318 014');
});
