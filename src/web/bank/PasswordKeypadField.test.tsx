/** The numeric password: which input reaches it, and what it announces. */
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, test } from 'vitest';
import * as authMessages from '#contract/messages/auth.ts';
import { PasswordKeypadField } from './PasswordKeypadField.tsx';

function Form({ autoComplete = 'current-password' }: { autoComplete?: 'current-password' | 'new-password' }) {
  const [digits, setDigits] = useState('');
  return (
    <>
      <PasswordKeypadField label="Password" value={digits} onChange={setDigits} autoComplete={autoComplete} />
      <input aria-label="Email" />
      <button type="button">Elsewhere</button>
    </>
  );
}

const field = () => screen.getByLabelText<HTMLInputElement>('Password');
const key = (name: string | RegExp) => screen.getByRole('button', { name });

describe('a person with the on-screen pad', () => {
  test('fills the password by pressing its keys [L-03]', async () => {
    const person = userEvent.setup();
    render(<Form />);
    for (const digit of ['4', '8', '0']) await person.click(key(digit));
    expect(field().value).toBe('480');
  });

  test('deletes the last digit with DEL and all of them with CLR [L-04]', async () => {
    const person = userEvent.setup();
    render(<Form />);
    for (const digit of ['4', '8', '2']) await person.click(key(digit));
    await person.click(key(/^DEL/));
    expect(field().value).toBe('48');
    await person.click(key(/^CLR/));
    expect(field().value).toBe('');
  });

  test('finds twelve keys in the order of a telephone [L-03, L-04]', () => {
    render(<Form />);
    const pad = screen.getByRole('group', { name: 'Password keypad' });
    expect([...pad.querySelectorAll('button')].map(button => button.textContent)).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
      '7',
      '8',
      '9',
      'CLR',
      '0',
      'DEL',
    ]);
  });
});

describe('a person with a keyboard', () => {
  test('types, deletes and pastes while a key of the pad has the focus [L-20, L-21]', async () => {
    const person = userEvent.setup();
    render(<Form />);
    key('5').focus();
    await person.keyboard('482915');
    expect(field().value).toBe('482915');
    await person.keyboard('{Backspace}{Delete}');
    expect(field().value).toBe('4829');
    await person.paste('73 1');
    expect(field().value).toBe('4829731');
  });

  test('types, deletes and pastes while the field has the focus [L-20, L-21]', async () => {
    const person = userEvent.setup();
    render(<Form />);
    await person.click(field());
    await person.keyboard('4829{Backspace}');
    expect(field().value).toBe('482');
    await person.keyboard('{Delete}');
    expect(field().value).toBe('48');
    await person.paste('2915');
    expect(field().value).toBe('482915');
  });

  test('does not fill the password by typing digits elsewhere [L-03]', async () => {
    const person = userEvent.setup();
    render(<Form />);
    await person.keyboard('12');
    key('Elsewhere').focus();
    await person.keyboard('34{Backspace}');
    await person.type(screen.getByLabelText('Email'), '56');
    expect(field().value).toBe('');
  });

  test('cannot enter anything but digits', async () => {
    const person = userEvent.setup();
    render(<Form />);
    await person.click(field());
    await person.keyboard('a4 b!8');
    await person.paste('pin: 29-15');
    expect(field().value).toBe('482915');
  });

  test('can use browser shortcuts while the pad has the focus', async () => {
    const person = userEvent.setup();
    render(<Form />);
    key('5').focus();
    await person.keyboard('{Control>}1{/Control}');
    expect(field().value).toBe('');
  });
});

describe('the field', () => {
  test('is recognized by a password manager [L-22]', () => {
    render(<Form autoComplete="new-password" />);
    expect(field().autocomplete).toBe('new-password');
    expect(field().type).toBe('password');
    expect(field().readOnly).toBe(false);
  });

  test('announces the number of digits, never the digits', async () => {
    const person = userEvent.setup();
    const { container } = render(<Form />);
    await person.click(key('7'));
    expect(screen.getByText('1 digit entered').getAttribute('role')).toBe('status');
    await person.click(key('3'));
    expect(screen.getByText('2 digits entered')).toBeTruthy();
    expect(container.querySelector('[role=status]')?.textContent).not.toMatch(/73/);
  });

  test.each(['111111', '123456', '987654', '8901234'])(
    'a new password %s is called easy to guess [V-29, V-30]',
    async digits => {
      const person = userEvent.setup();
      render(<Form autoComplete="new-password" />);
      await person.click(field());
      await person.keyboard(digits);
      expect(screen.getByText(authMessages.easyToGuess)).toBeTruthy();
      expect(field().value).toBe(digits);
    },
  );

  test.each(['12345', '482915', '112233'])('a new password %s is not called easy to guess', async digits => {
    const person = userEvent.setup();
    render(<Form autoComplete="new-password" />);
    await person.click(field());
    await person.keyboard(digits);
    expect(screen.queryByText(authMessages.easyToGuess)).toBeNull();
  });

  test('never warns about the current password', async () => {
    const person = userEvent.setup();
    render(<Form />);
    await person.click(field());
    await person.keyboard('111111');
    expect(screen.queryByText(authMessages.easyToGuess)).toBeNull();
  });
});
