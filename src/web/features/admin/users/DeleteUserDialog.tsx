/** Asks for confirmation before an account is closed permanently, with the customer's name and what happens to the money. */
import type { User } from '#contract/entities.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import { fill } from '#contract/messages/fill.ts';
import { formatDollars, sumDollars } from '#contract/money.ts';
import { Money } from '#web/bank/Money.tsx';
import { nameOf } from '#web/bank/transactionReading.ts';
import { Person } from '#web/ui/Person.tsx';
import { useLastKnown } from '#web/ui/useLastKnown.ts';
import { useDeleteUserMutation } from '../adminCalls.ts';
import { useCustomerRecordQuery } from '../customerCalls.ts';
import { requestRefusalText } from '../panel/actRefusalText.ts';
import { ReasonDialog } from '../panel/ReasonDialog.tsx';
import { useSecondPerson } from '../panel/useSecondPerson.ts';
import { MatchWarning } from '../screening/MatchWarning.tsx';
import { useCustomerHits } from '../screening/screeningCalls.ts';
import { screeningWords } from '../screening/screeningWords.ts';
import { words } from '../words.ts';
import { type Notice, refusalNotice } from './NoticeDialog.tsx';
import './DeleteUserDialog.css';

type DeletedUser = Pick<User, '_id' | 'firstName' | 'lastName' | 'email' | 'balance' | 'avatar'>;

export type DeleteUserDialogProps = {
  /** The customer to delete; the dialog is open while it is set. */
  user: DeletedUser | undefined;
  onCancel: () => void;
  /** `data`: the bank's answer, which may be a request for a second approval. */
  onDeleted: (data: unknown) => void;
  onFailed: (notice: Notice) => void;
};

export function DeleteUserDialog({ user, onCancel, onDeleted, onFailed }: DeleteUserDialogProps) {
  const [deleteUser, { originalArgs }] = useDeleteUserMutation();
  const shown = useLastKnown(user);
  const id = user?._id ?? '';
  // The record of a deleted customer no longer exists, so it is not read again.
  const skip = !user || originalArgs?.params.id === id;
  const { currentData } = useCustomerRecordQuery({ params: { id } }, { skip });
  const hits = useCustomerHits(id, skip);
  const match = (['match', 'open'] as const).find(state => hits.some(hit => hit.state === state));
  const shownMatch = useLastKnown(skip ? undefined : (match ?? null));
  const record = useLastKnown(currentData);
  const inGoals = (record?._id === shown?._id && record?.inGoals) || 0;
  const money = sumDollars(shown?.balance, inGoals);
  // An account without money is closed at once.
  const needsSecond = useSecondPerson(user === undefined)() && money > 0;
  return (
    <ReasonDialog
      open={user !== undefined}
      title={words.deleteUser}
      hint={words.auditHint}
      isOptional={!needsSecond}
      needsSecond={needsSecond}
      startsAtCancel
      kind="danger"
      confirmLabel={words.deleteUser}
      busyLabel={words.deleting}
      onConfirm={async reason => {
        if (!user) return undefined;
        const answer = await deleteUser({ params: { id: user._id }, ...(reason && { body: { reason } }) });
        if (answer.data) onDeleted(answer.data.data);
        else {
          const notice = refusalNotice(answer.error, nameOf(user) ?? '', adminMessages.deleteFailed);
          onFailed({ ...notice, message: requestRefusalText(answer.error, needsSecond, notice.message) });
        }
        return undefined;
      }}
      onClose={onCancel}
    >
      <p>{words.deleteQuestion}</p>
      {shown && (
        <>
          <div className="DeleteUserDialog-who">
            <Person
              firstName={shown.firstName}
              lastName={shown.lastName}
              src={shown.avatar.url || undefined}
              detail={shown.email}
            />
            <Money dollars={money} />
          </div>
          <MatchWarning
            state={shownMatch ?? undefined}
            customerId={shown._id}
            text={screeningWords.beforeDeletion}
          />
          <p className="type-small">
            {money > 0 && `${fill(words.deleteBalance, { amount: formatDollars(money) })} `}
            {inGoals > 0 && `${words.deleteGoals(formatDollars(inGoals))} `}
            {words.deleteErased}
          </p>
        </>
      )}
    </ReasonDialog>
  );
}
