/** Asks for confirmation before an account is closed permanently, with the customer's name and what happens to the money. */
import { useEffect, useRef, useState } from 'react';
import { maxLength } from '#contract/constants.ts';
import type { User } from '#contract/entities.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import * as appMessages from '#contract/messages/app.ts';
import { fill } from '#contract/messages/fill.ts';
import { formatDollars } from '#contract/money.ts';
import { Money } from '#web/bank/Money.tsx';
import { nameOf } from '#web/bank/transactionReading.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Person } from '#web/ui/Person.tsx';
import { TextAreaField } from '#web/ui/TextAreaField.tsx';
import { useLastKnown } from '#web/ui/useLastKnown.ts';
import { useDeleteUserMutation } from '../adminCalls.ts';
import { actRefusalText } from '../panel/actRefusalText.ts';
import { words } from '../words.ts';
import './DeleteUserDialog.css';

type DeletedUser = Pick<User, '_id' | 'firstName' | 'lastName' | 'email' | 'balance' | 'avatar'>;

export type DeleteUserDialogProps = {
  /** The customer to delete; the dialog is open while it is set. */
  user: DeletedUser | undefined;
  onCancel: () => void;
  /** `data`: the bank's answer, which may be a request for a second approval. */
  onDeleted: (data: unknown) => void;
  onFailed: (message: string) => void;
};

export function DeleteUserDialog({ user, onCancel, onDeleted, onFailed }: DeleteUserDialogProps) {
  const [deleteUser, { isLoading }] = useDeleteUserMutation();
  const shown = useLastKnown(user);
  const cancel = useRef<HTMLButtonElement>(null);
  const [reason, setReason] = useState('');
  const id = user?._id;
  useEffect(() => {
    if (id) setReason('');
  }, [id]);

  const confirm = async () => {
    if (!user) return;
    const answer = await deleteUser({
      params: { id: user._id },
      ...(reason.trim() && { body: { reason: reason.trim() } }),
    });
    if (answer.error) onFailed(actRefusalText(answer.error, nameOf(user) ?? '', adminMessages.deleteFailed));
    else onDeleted(answer.data.data);
  };

  return (
    <Dialog
      open={user !== undefined}
      onClose={onCancel}
      dismissible={!isLoading}
      initialFocus={cancel}
      title={words.deleteUser}
      description={words.deleteQuestion}
      actions={
        <>
          <Button ref={cancel} kind="quiet" disabled={isLoading} onClick={onCancel}>
            {appMessages.cancel}
          </Button>
          <Button kind="danger" busy={isLoading} busyLabel={words.deleting} onClick={() => void confirm()}>
            {words.deleteUser}
          </Button>
        </>
      }
    >
      {shown && (
        <div className="DeleteUserDialog-who">
          <Person
            firstName={shown.firstName}
            lastName={shown.lastName}
            src={shown.avatar.url || undefined}
            detail={shown.email}
          />
          <Money dollars={shown.balance} />
        </div>
      )}
      {shown && (
        <p className="type-small DeleteUserDialog-money">
          {shown.balance > 0
            ? fill(words.deleteBalance, { amount: formatDollars(shown.balance) })
            : words.deleteNothing}
        </p>
      )}
      <TextAreaField
        className="DeleteUserDialog-reason"
        label={words.reason}
        optional={words.optional}
        hint={words.auditHint}
        rows={2}
        maxLength={maxLength.reason}
        value={reason}
        onChange={setReason}
      />
    </Dialog>
  );
}
