/** The pager never goes past either end. */
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { Pager } from './Pager.tsx';

const onPage = vi.fn();
beforeEach(() => onPage.mockReset());
const texts = {
  label: 'Pages',
  previous: 'Previous',
  next: 'Next',
  position: (page: number, pages: number) => `Page ${page} of ${pages}`,
  goTo: 'Go to page',
  page: 'Page',
  go: 'Go',
};
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

test('an empty list is page 1 of 1 with both buttons disabled', () => {
  render(<Pager texts={texts} page={1} pageCount={0} onPage={onPage} />);
  expect(screen.getByText('Page 1 of 1')).toBeTruthy();
  expect(button('Previous').disabled).toBe(true);
  expect(button('Next').disabled).toBe(true);
});

test('the first page offers only the next page', async () => {
  render(<Pager texts={texts} page={1} pageCount={3} onPage={onPage} />);
  expect(button('Previous').disabled).toBe(true);
  await userEvent.click(button('Next'));
  expect(onPage.mock.calls).toEqual([[2]]);
});

test('the last page offers only the previous page', async () => {
  render(<Pager texts={texts} page={3} pageCount={3} onPage={onPage} />);
  expect(button('Next').disabled).toBe(true);
  await userEvent.click(button('Previous'));
  expect(onPage.mock.calls).toEqual([[2]]);
});

test('nothing happens while the next page is loading', async () => {
  render(<Pager texts={texts} page={2} pageCount={3} onPage={onPage} busy />);
  await userEvent.click(button('Next'));
  await userEvent.click(button('Previous'));
  expect(onPage).not.toHaveBeenCalled();
});

test('a person types the number of a distant page; a number past the last page opens the last page', async () => {
  render(<Pager texts={texts} page={1} pageCount={50_000} onPage={onPage} jump />);
  const field = screen.getByRole('textbox', { name: 'Go to page' });
  expect(button('Go').disabled).toBe(true);
  await userEvent.type(field, '4,321{Enter}');
  await userEvent.type(field, '99999');
  await userEvent.click(button('Go'));
  expect(onPage.mock.calls).toEqual([[4321], [50_000]]);
});

test('a list of few pages has no page number field', () => {
  render(<Pager texts={texts} page={1} pageCount={10} onPage={onPage} jump />);
  expect(screen.queryByRole('textbox')).toBeNull();
});
