/** The dialog: its focus, how it closes, and when it does not close. */
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';

function Screen({ dismissible = true }: { dismissible?: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Delete</Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title="Delete User"
        description="This action cannot be undone."
        dismissible={dismissible}
        actions={
          <>
            <Button kind="quiet" onClick={() => setOpen(false)}>
              Cancel
            </Button>
            <Button kind="danger">Delete User</Button>
          </>
        }
      />
    </>
  );
}

async function openIt() {
  const person = userEvent.setup();
  await person.click(screen.getByRole('button', { name: 'Delete' }));
  const dialog = await screen.findByRole('dialog', { name: 'Delete User' });
  return { person, dialog };
}

test('opening moves the focus to the first, harmless button', async () => {
  render(<Screen />);
  const { dialog } = await openIt();
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Cancel'));
  expect(document.getElementById(dialog.getAttribute('aria-describedby') ?? '')?.textContent).toMatch(
    /cannot be undone/,
  );
});

test('Tab cycles inside the dialog', async () => {
  render(<Screen />);
  const { person, dialog } = await openIt();
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Cancel'));
  for (let presses = 0; presses < 5; presses++) {
    await person.tab();
    await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
  }
});

test('Esc closes it and returns the focus to what opened it', async () => {
  render(<Screen />);
  const { person } = await openIt();
  await person.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Delete'));
});

test('Cancel closes it and returns the focus too', async () => {
  render(<Screen />);
  const { person } = await openIt();
  await person.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Delete'));
});

test('a dialog that must be answered ignores Esc', async () => {
  render(<Screen dismissible={false} />);
  const { person, dialog } = await openIt();
  await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
  await person.keyboard('{Escape}');
  expect(screen.getByRole('dialog')).toBe(dialog);
});

test('if what opened it is gone, the focus moves to the title of the page', async () => {
  const withoutOpener = (open: boolean) => (
    <main>
      <h1 tabIndex={-1}>Users</h1>
      {open || <p>The row was deleted.</p>}
      <Dialog open={open} onClose={() => {}} title="Delete User" actions={<Button>Cancel</Button>} />
    </main>
  );
  const { rerender } = render(<Button>Delete</Button>);
  const opener = document.createElement('button');
  document.body.append(opener);
  opener.focus();
  rerender(withoutOpener(true));
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Cancel'));
  opener.remove();
  rerender(withoutOpener(false));
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Users'));
});
