/** Dates, ranges of numbers and references in a text. */
import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Ranges } from './Ranges.tsx';

test.each([
  ['It takes 3–7 business days.', ['3–7']],
  ['24–48 hours, then 3-7 days', ['24–48', '3-7']],
  ['Card 1234-5678', []],
  ['Jan 1 – Nov 22, 2026, oldest first', ['Jan 1', 'Nov 22, 2026']],
  ['Last paid Nov 3–9, 2026.', ['Nov 3–9, 2026']],
  ['Coffee is at 8:00 AM, not at 12:30 PM.', ['8:00 AM', '12:30 PM']],
  ['Reversal of LB-9F3K-20XA-2M4T', ['LB-9F3K-20XA-2M4T']],
])('in the text %s, each of %j stays on one line, and the text is unchanged', (text, ranges) => {
  const { container } = render(<Ranges>{text}</Ranges>);
  expect(container.textContent).toBe(text);
  expect([...container.querySelectorAll('.num, .whole')].map(range => range.textContent)).toEqual(ranges);
});
