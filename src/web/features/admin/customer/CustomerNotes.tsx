/** The notes of the staff on a customer, newest first, and the field for a new one. */
import { type SubmitEvent, useState } from 'react';
import { adminCustomersApi } from '#contract/adminCustomers.ts';
import { dayAndTime } from '#contract/bankTime.ts';
import { maxLength } from '#contract/constants.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import { LeaveGuard } from '#web/bank/LeaveGuard.tsx';
import { pollingOptions } from '#web/base/pollingOptions.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { TextAreaField } from '#web/ui/TextAreaField.tsx';
import { useAddNoteMutation, useNotesQuery } from '../customerCalls.ts';
import { staffRefusalText } from '../panel/actRefusalText.ts';
import { ListFailed } from '../panel/ListFailed.tsx';
import { useMay } from '../panel/useRole.ts';
import { words } from '../words.ts';
import './CustomerNotes.css';

export function CustomerNotes({ id }: { id: string }) {
  const { currentData, error, refetch } = useNotesQuery({ params: { id } }, pollingOptions);
  const may = useMay();
  return (
    <Panel label={staffMessages.notes}>
      {may(adminCustomersApi.addNote) && <NoteForm id={id} />}
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

function NoteForm({ id }: { id: string }) {
  const [add, { isLoading }] = useAddNoteMutation();
  const [text, setText] = useState('');
  const [failed, setFailed] = useState('');
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!text.trim()) return;
    setFailed('');
    const answer = await add({ params: { id }, body: { text: text.trim() } });
    if (answer.data) setText('');
    else setFailed(staffRefusalText(answer.error));
  };
  return (
    <form className="CustomerNotes-form" method="dialog" onSubmit={event => void submit(event)}>
      <TextAreaField
        label={words.newNote}
        name="note"
        hint={words.noteHint}
        rows={3}
        maxLength={maxLength.note}
        value={text}
        onChange={setText}
      />
      {failed && <Banner kind="error" title={failed} />}
      <Button type="submit" disabled={!text.trim()} busy={isLoading} busyLabel={words.savingNote}>
        {words.saveNote}
      </Button>
      <LeaveGuard when={text.trim() !== '' && !isLoading} orTab />
    </form>
  );
}
