/** The six boxes of a one-time code: typing, Backspace, arrow keys, pasting. */
import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLayoutEffect, useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { CodeBoxes } from './CodeBoxes.tsx';

const complete = vi.fn();
beforeEach(() => complete.mockReset());
function Step({ start = '' }: { start?: string }) {
  const [code, setCode] = useState(start);
  return (
    <CodeBoxes
      legend="Six-digit code"
      length={6}
      boxLabel={place => `Digit ${place} of 6`}
      value={code}
      onChange={setCode}
      onComplete={complete}
      autoFocus
    />
  );
}

const box = (place: number) => screen.getByLabelText<HTMLInputElement>(`Digit ${place} of 6`);
const shown = () => [1, 2, 3, 4, 5, 6].map(place => box(place).value || '_').join('');

test('boxes with autofocus do not move the focus of a person who already types in one', () => {
  // A layout effect runs before the boxes' own effects, as if a person clicked into a box early.
  function Meanwhile() {
    useLayoutEffect(() => box(2).focus(), []);
    return <Step />;
  }
  render(<Meanwhile />);
  expect(document.activeElement).toBe(box(2));
});

test('a person types six digits without touching anything else and the code is complete [L-10]', async () => {
  const person = userEvent.setup();
  render(<Step />);
  expect(document.activeElement).toBe(box(1));
  await person.keyboard('70431');
  expect(document.activeElement).toBe(box(6));
  expect(complete).not.toHaveBeenCalled();
  await person.keyboard('8');
  expect(shown()).toBe('704318');
  expect(complete.mock.calls).toEqual([['704318']]);
});

test('Backspace empties the box, then moves back and empties the previous one [L-11]', async () => {
  const person = userEvent.setup();
  render(<Step start="704" />);
  await person.click(box(3));
  await person.keyboard('{Backspace}');
  expect(shown()).toBe('70____');
  expect(document.activeElement).toBe(box(3));
  await person.keyboard('{Backspace}');
  expect(shown()).toBe('7_____');
  expect(document.activeElement).toBe(box(2));
});

test('Backspace in the first, empty box does nothing', async () => {
  const person = userEvent.setup();
  render(<Step />);
  await person.keyboard('{Backspace}');
  expect(shown()).toBe('______');
  expect(document.activeElement).toBe(box(1));
});

test('the arrow keys move between the boxes and stop at both ends', async () => {
  const person = userEvent.setup();
  render(<Step start="704318" />);
  await person.click(box(2));
  await person.keyboard('{ArrowLeft}{ArrowLeft}');
  expect(document.activeElement).toBe(box(1));
  await person.keyboard('{End}{ArrowRight}');
  expect(document.activeElement).toBe(box(6));
});

test('a digit typed into a filled box replaces it', async () => {
  const person = userEvent.setup();
  render(<Step start="704318" />);
  await person.click(box(3));
  await person.keyboard('9');
  expect(shown()).toBe('709318');
  expect(complete).toHaveBeenCalledWith('709318');
});

test('typing a code again over the same code keeps it, even if it has a doubled digit', async () => {
  const person = userEvent.setup();
  render(<Step start="704418" />);
  await person.click(box(1));
  await person.keyboard('704');
  expect(shown()).toBe('704418');
  expect(document.activeElement).toBe(box(4));
  await person.keyboard('418');
  expect(shown()).toBe('704418');
  expect(document.activeElement).toBe(box(6));
});

test('a whole code pasted into any box fills all six [L-12]', async () => {
  const person = userEvent.setup();
  render(<Step />);
  await person.click(box(4));
  await person.paste('704 318');
  expect(shown()).toBe('704318');
  expect(complete.mock.calls).toEqual([['704318']]);
});

test('a longer paste keeps the first six digits [L-12]', async () => {
  const person = userEvent.setup();
  render(<Step />);
  await person.paste('70431899');
  expect(shown()).toBe('704318');
});

test('a pasted part of a code fills the boxes from the focused one on', async () => {
  const person = userEvent.setup();
  render(<Step start="70" />);
  await person.click(box(3));
  await person.paste('43');
  expect(shown()).toBe('7043__');
  expect(document.activeElement).toBe(box(5));
});

test('letters change nothing, typed or pasted [V-11]', async () => {
  const person = userEvent.setup();
  render(<Step start="70" />);
  await person.click(box(3));
  await person.keyboard('x');
  await person.paste('code');
  expect(shown()).toBe('70____');
  expect(document.activeElement).toBe(box(3));
});

test("a phone's one-time-code autofill into the first box spreads over all six", () => {
  render(<Step />);
  expect(box(1).autocomplete).toBe('one-time-code');
  fireEvent.change(box(1), { target: { value: '704318' } });
  expect(shown()).toBe('704318');
  expect(complete).toHaveBeenCalledWith('704318');
});

test('six boxes with a gap are not a code', async () => {
  const person = userEvent.setup();
  render(<Step start="7043 8" />);
  await person.click(box(1));
  await person.keyboard('1');
  expect(shown()).toBe('1043_8');
  expect(complete).not.toHaveBeenCalled();
});
