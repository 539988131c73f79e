/** The notes on a customer when the answer to a new one is lost. */
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { Note } from '#contract/adminCustomers.ts';
import { adminLoggedIn } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { renderWith } from '../../../../../tests/renderWith.tsx';
import { ida } from '../../../../../tests/sessions.ts';
import { waitOptions } from '../../../../../tests/waiting.ts';
import { words } from '../words.ts';
import { CustomerNotes } from './CustomerNotes.tsx';

const earlier: Note = {
  _id: 'n1',
  at: '2026-11-20T18:05:00.000Z',
  authorName: ida.name,
  text: 'Called about a card.',
};

/** Writes a note whose answer is lost; `added` is then the newest note. The notes are listed once `isListed`. */
async function loseAnswer(added: Note | undefined, isListed?: Promise<void>) {
  let notes = [earlier];
  vi.stubGlobal('fetch', async (_: string, { method = 'GET' }: RequestInit) => {
    if (method === 'GET') {
      await isListed;
      return Response.json({ success: true, message: '', data: notes });
    }
    if (added) notes = [added, ...notes];
    throw new TypeError('Failed to fetch');
  });
  const store = makeStore();
  store.dispatch(adminLoggedIn({ ...ida, role: 'owner' }));
  renderWith(store, <CustomerNotes id="c1" />);
  if (!isListed) await screen.findByText(earlier.text);
  const field = screen.getByRole('textbox', { name: words.newNote }) as HTMLTextAreaElement;
  await userEvent.type(field, earlier.text);
  await userEvent.click(screen.getByRole('button', { name: words.saveNote }));
  return field;
}

test('an administrator whose note was saved although the answer was lost sees the note and an empty field [A-68]', async () => {
  const field = await loseAnswer({ ...earlier, _id: 'n2' });
  await vi.waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(2), waitOptions);
  await vi.waitFor(() => expect(field.value).toBe(''), waitOptions);
  expect(document.activeElement).toBe(field);
  expect(screen.queryByText(words.actUnknown)).toBeNull();
});

test('an administrator whose note was not saved keeps its text, even if an older note or a colleague’s has the same text [A-66, A-68]', async () => {
  const field = await loseAnswer({ ...earlier, _id: 'n2', authorName: 'Otto Reyes' });
  await vi.waitFor(() => expect(screen.getAllByText('Called about a card.')).toHaveLength(3), waitOptions);
  const banner = (await screen.findByText(words.actUnknown)).closest('.Banner');
  expect(banner?.className).toContain('Banner--warning');
  expect(field.value).toBe(earlier.text);
});

test('an administrator who pressed before the notes were listed keeps the text of a note that was not saved, although an older note has the same text [A-66]', async () => {
  const listed = Promise.withResolvers<void>();
  const field = await loseAnswer(undefined, listed.promise);
  await screen.findByText(words.actUnknown);
  listed.resolve();
  await screen.findByRole('listitem', {}, waitOptions);
  expect(field.value).toBe(earlier.text);
  expect(screen.getByText(words.actUnknown)).toBeTruthy();
});
