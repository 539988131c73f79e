/** The notes of the staff on a customer, newest first, and the field for a new one. */
import { type SubmitEvent, useCallback, useEffect, useRef, useState } from 'react';
import { adminCustomersApi, type Note } from '#contract/adminCustomers.ts';
import { dayAndTime } from '#contract/bankTime.ts';
import { maxLength } from '#contract/constants.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import { LeaveGuard } from '#web/bank/LeaveGuard.tsx';
import { focusField } from '#web/base/formRules.ts';
import { pollingOptions } from '#web/base/pollingOptions.ts';
import { selectAdmin } from '#web/base/session.ts';
import { useAppDispatch, useAppSelector } from '#web/base/store.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { TextAreaField } from '#web/ui/TextAreaField.tsx';
import { noteNotSaved } from '../adminSlice.ts';
import { useAddNoteMutation, useNotesQuery } from '../customerCalls.ts';
import { isUnknown, type Outcome, outcomeOf } from '../panel/actRefusalText.ts';
import { isFocusFree } from '../panel/focusDialog.ts';
import { ListFailed } from '../panel/ListFailed.tsx';
import { useMay } from '../panel/useRole.ts';
import { words } from '../words.ts';
import './CustomerNotes.css';

export function CustomerNotes({ id }: { id: string }) {
  const { currentData, error, refetch } = useNotesQuery({ params: { id } }, pollingOptions);
  const may = useMay();
  return (
    <Panel label={staffMessages.notes}>
      {may(adminCustomersApi.addNote) && <NoteForm id={id} notes={currentData} />}
      {error && !currentData ? (
        <ListFailed error={error} onRetry={refetch} />
      ) : !currentData ? (
        <Skeleton kind="text" count={4} label={words.loadingNotes} />
      ) : currentData.length === 0 ? (
        <EmptyState title={words.noNotes}>{words.noNotesText}</EmptyState>
      ) : (
        <ol className="CustomerNotes-list" aria-label={staffMessages.notes}>
          {currentData.map(note => (
            <li key={note._id}>
              <p className="CustomerNotes-text">{note.text}</p>
              <p className="type-small">
                {note.authorName}, <time dateTime={note.at}>{dayAndTime(note.at)}</time>
              </p>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}

function NoteForm({ id, notes }: { id: string; notes: readonly Note[] | undefined }) {
  const admin = useAppSelector(selectAdmin);
  const dispatch = useAppDispatch();
  const [add, { isLoading }] = useAddNoteMutation();
  const [text, setText] = useState('');
  const [failed, setFailed] = useState<Outcome>();
  /** The button is off while the field is empty, so the field gets the focus after a note was saved. */
  const form = useRef<HTMLFormElement>(null);
  /** A sent note that may have been saved, and the notes that were known when it was sent. */
  const sent = useRef<{ text: string; seen: readonly Note[] | undefined }>(undefined);
  const settle = useCallback(() => {
    const saved = sent.current?.text;
    sent.current = undefined;
    // More may have been typed while the note was saved.
    setText(now => (now === saved ? '' : now));
    if (isFocusFree(form.current)) focusField(form.current, 'note');
  }, []);
  // After a lost answer the notes are read again. If the sent note is among the new ones, it was saved.
  useEffect(() => {
    if (failed?.kind !== 'warning' || !notes || !sent.current?.seen) return;
    const before = new Set(sent.current.seen.map(({ _id }) => _id));
    const written = sent.current.text.trim().normalize();
    const isSaved = ({ _id, authorName, text: saved }: Note) =>
      !before.has(_id) && authorName === admin?.name && saved === written;
    if (!notes.some(isSaved)) return;
    setFailed(undefined);
    settle();
  }, [failed, notes, admin, settle]);
  const typed = useRef('');
  useEffect(() => {
    typed.current = text.trim();
  }, [text]);
  // If the session ends, the login says that a note was lost, unless it may have been saved.
  useEffect(
    () => () => {
      if (typed.current && !sent.current) dispatch(noteNotSaved());
    },
    [dispatch],
  );
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!text.trim()) return;
    setFailed(undefined);
    sent.current = { text, seen: notes };
    // With `onlyFor`, a refusal that ends the session arrives here first.
    const answer = await add({ params: { id }, body: { text: text.trim() }, onlyFor: admin?._id ?? '' });
    if (answer.data) return settle();
    if (!isUnknown(answer.error)) sent.current = undefined;
    setFailed(outcomeOf(answer));
  };
  return (
    <form ref={form} className="CustomerNotes-form" method="dialog" onSubmit={event => void submit(event)}>
      <TextAreaField
        label={words.newNote}
        name="note"
        hint={words.noteHint}
        rows={3}
        maxLength={maxLength.note}
        value={text}
        onChange={setText}
      />
      {failed && <Banner kind={failed.kind} title={failed.text} />}
      <Button type="submit" disabled={!text.trim()} busy={isLoading} busyLabel={words.savingNote}>
        {words.saveNote}
      </Button>
      <LeaveGuard when={text.trim() !== '' && !isLoading} orTab />
    </form>
  );
}
