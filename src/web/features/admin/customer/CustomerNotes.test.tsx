/** The notes on a customer while a new one is saved, when its answer is lost, and when the session ends. */
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { Note } from '#contract/adminCustomers.ts';
import * as appMessages from '#contract/messages/app.ts';
import { adminLoggedIn, adminLoggedOut, selectAdmin } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { renderWith } from '../../../../../tests/renderWith.tsx';
import { ida } from '../../../../../tests/sessions.ts';
import { waitOptions } from '../../../../../tests/waiting.ts';
import { adminSlice } from '../adminSlice.ts';
import { words } from '../words.ts';
import { CustomerNotes } from './CustomerNotes.tsx';
import { detailWords } from './detailWords.ts';

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

/** Sends a note; the bank answers with `answer` when it resolves. */
async function sendNote(answer: Promise<Response>) {
  vi.stubGlobal('fetch', (_: string, { method = 'GET' }: RequestInit) =>
    method === 'GET'
      ? Promise.resolve(Response.json({ success: true, message: '', data: [earlier] }))
      : answer,
  );
  const store = makeStore();
  store.dispatch(adminLoggedIn({ ...ida, role: 'owner' }));
  const view = renderWith(
    store,
    <>
      <CustomerNotes id="c1" />
      <input aria-label="Elsewhere" />
    </>,
  );
  await screen.findByText(earlier.text);
  const field = screen.getByRole('textbox', { name: words.newNote }) as HTMLTextAreaElement;
  await userEvent.type(field, 'Called again.');
  await userEvent.click(screen.getByRole('button', { name: words.saveNote }));
  return { field, store, view };
}
const savedNote = () =>
  Response.json({
    success: true,
    message: 'Note saved',
    data: { ...earlier, _id: 'n2', text: 'Called again.' },
  });

test('an administrator who goes on typing while a note is saved keeps the words [ST-98]', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const { field } = await sendNote(promise);
  await userEvent.type(field, ' And wrote.');
  resolve(savedNote());
  await screen.findByRole('button', { name: words.saveNote }, waitOptions);
  await vi.waitFor(() => expect(screen.queryByText(words.savingNote)).toBeNull(), waitOptions);
  expect(field.value).toBe('Called again. And wrote.');
});

test('an administrator who has left the form while a note is saved keeps the focus [ST-98]', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const { field } = await sendNote(promise);
  const elsewhere = screen.getByRole('textbox', { name: 'Elsewhere' });
  elsewhere.focus();
  resolve(savedNote());
  await vi.waitFor(() => expect(field.value).toBe(''), waitOptions);
  expect(document.activeElement).toBe(elsewhere);
});

test('an administrator whose session ends before a note is saved reads at the login that it was not saved [ST-98]', async () => {
  const { field, store, view } = await sendNote(Promise.resolve(savedNote()));
  await vi.waitFor(() => expect(field.value).toBe(''), waitOptions);
  await userEvent.type(field, 'One more.');
  store.dispatch(adminLoggedOut('ended'));
  view.unmount();
  expect(adminSlice.selectors.lastStep(store.getState()).message).toBe(detailWords.noteLost);
});

test('an administrator whose note is refused because the session has ended reads at the login that it was not saved [ST-98]', async () => {
  const refusal = { success: false, code: 'TOKEN_EXPIRED', message: 'Your session has ended.' };
  const { store, view } = await sendNote(Promise.resolve(Response.json(refusal, { status: 401 })));
  await vi.waitFor(() => expect(selectAdmin(store.getState())).toBeNull(), waitOptions);
  view.unmount();
  expect(adminSlice.selectors.lastStep(store.getState()).message).toBe(detailWords.noteLost);
});

test('an administrator whose session ends while a note is under way does not read that it was not saved [A-66]', async () => {
  const { store, view } = await sendNote(new Promise<Response>(() => {}));
  store.dispatch(adminLoggedOut('ended'));
  view.unmount();
  expect(adminSlice.selectors.lastStep(store.getState()).message).toBe(appMessages.sessionEnded);
});
