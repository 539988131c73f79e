/**
 * Asks before an account is frozen or unfrozen. A reason is needed only to unfreeze a customer with a confirmed sanctions
 * match.
 */
import type { User } from '#contract/entities.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import { nameOf } from '#web/bank/transactionReading.ts';
import { useLastKnown } from '#web/ui/useLastKnown.ts';
import { useFreezeMutation, wasBefore } from '../adminCalls.ts';
import { actRefusalText, failureOf } from '../panel/actRefusalText.ts';
import { ReasonDialog } from '../panel/ReasonDialog.tsx';
import { confirmedState, useCustomerHits } from '../screening/screeningCalls.ts';
import { words } from '../words.ts';

export type FreezeDialogProps = {
  /** The customer as listed; the dialog is open while it is set. */
  user:
    | Pick<User, '_id' | 'firstName' | 'lastName' | 'isFrozen' | 'isFrozenByCustomer' | 'frozenReason'>
    | undefined;
  /** Whether the account is frozen now; undefined if that is not known. */
  isFrozenNow: boolean | undefined;
  /** Called with the bank's answer. */
  onDone: (message: string) => void;
  onClose: () => void;
};

export function FreezeDialog({ user, isFrozenNow, onDone, onClose }: FreezeDialogProps) {
  const [freeze] = useFreezeMutation();
  // While the dialog closes, it keeps its text, although the account has already changed.
  const shown = useLastKnown(user);
  const hits = useCustomerHits(shown?._id ?? '', !user?.isFrozen);
  if (!shown) return null;
  const name = nameOf(shown) ?? '';
  const unfreezes = shown.isFrozen;
  const confirmed = unfreezes ? confirmedState(hits) : undefined;
  const before = isFrozenNow ? adminMessages.frozenBefore : adminMessages.unfrozenBefore;
  return (
    <ReasonDialog
      open={user !== undefined}
      title={unfreezes ? words.unfreezeTitle(name) : words.freezeTitle(name)}
      facts={unfreezes && shown.frozenReason && <p>{words.frozenBecause(shown.frozenReason)}</p>}
      hint={words.auditHint}
      isOptional={!confirmed}
      kind={unfreezes ? 'primary' : 'danger'}
      confirmLabel={unfreezes ? words.unfreeze : words.freeze}
      over={user !== undefined && isFrozenNow !== undefined && isFrozenNow !== user.isFrozen && before}
      onConfirm={async reason => {
        const answer = await freeze({
          params: { id: shown._id },
          body: { isFrozen: !unfreezes, ...(reason && { reason }) },
        });
        if (!answer.data)
          return failureOf(answer.error, actRefusalText(answer.error, name, adminMessages.freezeFailed));
        // Nothing was done and the reason was not saved, because a colleague was faster.
        const { message } = answer.data;
        if (wasBefore(message)) return { text: message, isUnknown: false, isOver: true };
        onDone(message);
        return undefined;
      }}
      onClose={onClose}
    >
      {confirmed && <b>{adminMessages.unfreezeConfirmed[confirmed]} </b>}
      {!unfreezes ? words.freezeText : shown.isFrozenByCustomer ? words.unfreezeOwnText : words.unfreezeText}
    </ReasonDialog>
  );
}
