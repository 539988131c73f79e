/** The notes of the staff on a customer, newest first, and the field for a new one. */
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { adminCustomersApi, type Note } from '#contract/adminCustomers.ts';
import { dayAndTime } from '#contract/bankTime.ts';
import { maxLength } from '#contract/constants.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import { LeaveGuard } from '#web/bank/LeaveGuard.tsx';
import { focusField } from '#web/base/formRules.ts';
import { pollingOptions } from '#web/base/pollingOptions.ts';
import { selectAdmin } from '#web/base/session.ts';
import { useAppSelector } from '#web/base/store.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { TextAreaField } from '#web/ui/TextAreaField.tsx';
import { useAddNoteMutation, useNotesQuery } from '../customerCalls.ts';
import { type Outcome, outcomeOf } from '../panel/actRefusalText.ts';
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
  const own = useAppSelector(selectAdmin)?.name;
  const [add, { isLoading }] = useAddNoteMutation();
  const [text, setText] = useState('');
  const [failed, setFailed] = useState<Outcome>();
  /** The button is off while the field is empty, so the field gets the focus after a note was saved. */
  const form = useRef<HTMLFormElement>(null);
  /** The notes that were known when the last one was sent. */
  const seen = useRef<readonly Note[]>(undefined);
  // After a lost answer the notes are read again. If the note of the field is among the new ones, it was saved.
  useEffect(() => {
    if (failed?.kind !== 'warning' || !notes || !seen.current) return;
    const before = new Set(seen.current.map(({ _id }) => _id));
    const isSaved = ({ _id, authorName, text: saved }: Note) =>
      !before.has(_id) && authorName === own && saved === text.trim().normalize();
    if (!notes.some(isSaved)) return;
    setText('');
    setFailed(undefined);
    focusField(form.current, 'note');
  }, [failed, notes, own, text]);
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!text.trim()) return;
    setFailed(undefined);
    seen.current = notes;
    const answer = await add({ params: { id }, body: { text: text.trim() } });
    if (!answer.data) return setFailed(outcomeOf(answer));
    setText('');
    focusField(form.current, 'note');
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
