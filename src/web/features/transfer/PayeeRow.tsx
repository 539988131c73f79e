/**
 * One payee: a click picks it. While the payee is edited, the row has a field for the nickname and a button that removes the
 * payee after a question in the row.
 */
import { type RefObject, type SubmitEvent, useRef, useState } from 'react';
import { formatAccountNumber } from '#contract/accountNumber.ts';
import { calendarDay, nameOfDay } from '#contract/bankTime.ts';
import { maxLength } from '#contract/constants.ts';
import * as appMessages from '#contract/messages/app.ts';
import { fill } from '#contract/messages/fill.ts';
import type { Payee } from '#contract/payees.ts';
import { formatExternalNumber } from '#contract/transfer.ts';
import { RemoveQuestion, useRemoveQuestion } from '#web/bank/RemoveQuestion.tsx';
import { type ActedOn, useActs } from '#web/base/useActs.ts';
import { Button } from '#web/ui/Button.tsx';
import { IconButton } from '#web/ui/IconButton.tsx';
import { Person } from '#web/ui/Person.tsx';
import { TextField } from '#web/ui/TextField.tsx';
import { titleOf } from './payees.ts';
import { useRemovePayeeMutation, useRenamePayeeMutation } from './payeesCalls.ts';
import { payeeWords as words } from './words.ts';
import './PayeeRow.css';

export type PayeeRowProps = {
  payee: Payee;
  /** The query that `payee` is from. */
  payees: ActedOn<Payee[]>;
  isEdited: boolean;
  onEdit: (isEdited: boolean) => void;
  onPick: () => void;
  /** Gets the focus when the row disappears. */
  list: RefObject<HTMLElement | null>;
};

export function PayeeRow({ payee, payees, isEdited, onEdit, onPick, list }: PayeeRowProps) {
  const { name, nickname, bankName, accountNumber, lastPaidAt } = payee;
  const [firstName = '', ...others] = titleOf(payee).split(' ');
  const number = bankName ? formatExternalNumber(accountNumber) : formatAccountNumber(accountNumber);
  const details = [number, nickname && name, bankName].filter(Boolean).join(' · ');
  const editButton = useRef<HTMLButtonElement>(null);
  return (
    <li className="PayeeRow">
      <button type="button" className="PayeeRow-pick" onClick={onPick}>
        <Person firstName={firstName} lastName={others.join(' ')} detail={details} />
        {lastPaidAt && (
          <span className="PayeeRow-paid">
            {fill(words.paid, { day: nameOfDay(calendarDay(new Date(lastPaidAt))) })}
          </span>
        )}
      </button>
      <IconButton
        ref={editButton}
        icon={isEdited ? 'close' : 'edit'}
        label={fill(isEdited ? words.closeEdit : words.edit, { name: titleOf(payee) })}
        aria-expanded={isEdited}
        onClick={() => onEdit(!isEdited)}
      />
      {isEdited && (
        <EditPayee
          payee={payee}
          payees={payees}
          onSaved={hadFocus => {
            if (hadFocus) editButton.current?.focus();
            onEdit(false);
          }}
          list={list}
        />
      )}
    </li>
  );
}

type EditPayeeProps = {
  payee: Payee;
  payees: ActedOn<Payee[]>;
  onSaved: (hadFocus: boolean) => void;
  list: RefObject<HTMLElement | null>;
};

function EditPayee({ payee, payees, onSaved, list }: EditPayeeProps) {
  const { _id: id, nickname = '' } = payee;
  const [text, setText] = useState(nickname);
  const [rename] = useRenamePayeeMutation();
  const [remove] = useRemovePayeeMutation();
  const { act, busy, failed, reset } = useActs(payees, words.notSaved);
  const { isAsking, opener, answers } = useRemoveQuestion(
    () =>
      act(
        'remove',
        () => remove({ params: { id } }),
        now => now.some(({ _id }) => _id === id),
      ),
    list,
  );
  const save = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    // The question has no button that saves, so Enter in the field does not save either.
    if (isAsking) return;
    const form = event.currentTarget;
    const { hasWorked } = await act(
      'rename',
      () => rename({ params: { id }, body: { nickname: text } }),
      now => now.some(one => one._id === id && (one.nickname ?? '') !== text.trim()),
    );
    if (hasWorked) onSaved(form.contains(document.activeElement));
  };
  return (
    <form className="PayeeRow-edit" onSubmit={event => void save(event)}>
      <TextField
        label={words.nickname}
        optional={appMessages.optional}
        maxLength={maxLength.nickname}
        autoComplete="off"
        autoFocus
        error={isAsking ? '' : failed}
        value={text}
        onChange={setText}
      />
      {isAsking ? (
        <>
          {failed && (
            <p className="PayeeRow-error" role="alert">
              {failed}
            </p>
          )}
          <RemoveQuestion
            {...answers}
            className="PayeeRow-question"
            text={fill(words.askRemove, { name: titleOf(payee) })}
            label={words.removeNow}
            busyLabel={words.removing}
            busy={busy === 'remove'}
            keep={() => {
              reset();
              answers.keep();
            }}
          />
        </>
      ) : (
        <div className="PayeeRow-actions">
          <Button
            kind="text"
            icon="trash"
            {...opener}
            onClick={() => {
              reset();
              opener.onClick();
            }}
          >
            {words.remove}
          </Button>
          <Button type="submit" size="s" busy={busy === 'rename'} busyLabel={words.saving}>
            {words.saveNickname}
          </Button>
        </div>
      )}
    </form>
  );
}
