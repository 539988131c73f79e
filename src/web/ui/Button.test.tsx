/** A busy button prevents a second submission, by click and by Enter. */
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { Button } from './Button.tsx';

function form(busy: boolean, onSubmit: () => void) {
  return (
    <form
      onSubmit={event => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <input aria-label="Amount" />
      <Button type="submit" busy={busy} busyLabel="Processing...">
        Send Money
      </Button>
    </form>
  );
}

test('a ready button submits its form by click and by Enter', async () => {
  const send = vi.fn();
  render(form(false, send));
  await userEvent.click(screen.getByRole('button', { name: 'Send Money' }));
  await userEvent.type(screen.getByLabelText('Amount'), '5{Enter}');
  expect(send).toHaveBeenCalledTimes(2);
});

test('a busy button submits nothing, by click or by Enter, and shows its busy label', async () => {
  const send = vi.fn();
  render(form(true, send));
  const button = screen.getByRole('button', { name: 'Processing...' });
  await userEvent.click(button);
  await userEvent.type(screen.getByLabelText('Amount'), '5{Enter}');
  expect(send).not.toHaveBeenCalled();
  expect(button.getAttribute('aria-disabled')).toBe('true');
});

test('a button that becomes busy keeps the focus', async () => {
  const send = vi.fn();
  const { rerender } = render(form(false, send));
  await userEvent.click(screen.getByRole('button', { name: 'Send Money' }));
  rerender(form(true, send));
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Processing...' }));
});
