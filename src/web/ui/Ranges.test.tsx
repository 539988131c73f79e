/** Ranges of numbers in a text. */
import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Ranges } from './Ranges.tsx';

test.each([
  ['It takes 3–7 business days.', ['3–7']],
  ['24–48 hours, then 3-7 days', ['24–48', '3-7']],
  ['Card 1234-5678', []],
])('in the text %s, each of %j stays on one line, and the text is unchanged', (text, ranges) => {
  const { container } = render(<Ranges>{text}</Ranges>);
  expect(container.textContent).toBe(text);
  expect([...container.querySelectorAll('.num')].map(range => range.textContent)).toEqual(ranges);
});
