/** The head of the printed list. */
import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { wren } from '../../../../tests/sessions.ts';
import { PrintHead } from './PrintHead.tsx';

const printed = (pageCount: number) =>
  render(<PrintHead customer={wren} page={1} pageCount={pageCount} />).container.textContent;

test('one printed page of several shows its number and how to get all pages [X-21]', () => {
  expect(printed(13)).toContain('Page 1 of 13. To get them all, use Export.');
});

test('the only page has no page number [X-21]', () => {
  expect(printed(1)).not.toContain('Page 1');
});
