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
import { type Freezes, isFrozenByStaff, isOnlyOwnFreeze, shownFreezes } from '../panel/freezes.ts';
import { ReasonDialog } from '../panel/ReasonDialog.tsx';
import { confirmedState, useCustomerHits } from '../screening/screeningCalls.ts';
import { words } from '../words.ts';

type Account = Freezes & Pick<User, '_id' | 'firstName' | 'lastName' | 'frozenReason'>;

/** What the dialog asks for: that this account, as it was at the press, is frozen by staff or not frozen at all. */
export type FreezeAct = { user: Account; isFrozen: boolean };

export type FreezeDialogProps = {
  /** The dialog is open while it is set. */
  act: FreezeAct | undefined;
  /** The account as it is now; undefined if that is not known. */
  now: Account | undefined;
  /** Called with the bank's answer. */
  onDone: (message: string) => void;
  onClose: () => void;
};

export function FreezeDialog({ act, now, onDone, onClose }: FreezeDialogProps) {
  const [freeze] = useFreezeMutation();
  // While the dialog closes, it keeps its text, although the account has already changed.
  const shown = useLastKnown(act);
  const user = shown?.user;
  const unfreezes = shown?.isFrozen === false;
  const hits = useCustomerHits(user?._id ?? '', !act || !unfreezes);
  if (!user) return null;
  const name = nameOf(user) ?? '';
  const confirmed = unfreezes ? confirmedState(hits) : undefined;
  return (
    <ReasonDialog
      open={act !== undefined}
      title={unfreezes ? words.unfreezeTitle(name) : words.freezeTitle(name)}
      facts={unfreezes && user.frozenReason && <p>{words.frozenBecause(user.frozenReason)}</p>}
      hint={words.auditHint}
      isOptional={!confirmed}
      kind={unfreezes ? 'primary' : 'danger'}
      confirmLabel={unfreezes ? words.unfreeze : words.freeze}
      over={act && now && whyOver(act, now)}
      onConfirm={async reason => {
        const answer = await freeze({
          params: { id: user._id },
          body: {
            isFrozen: !unfreezes,
            ...(reason && { reason }),
            ...(unfreezes && shownFreezes(user)),
          },
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
      {unfreezes
        ? user.isFrozenByCustomer
          ? words.unfreezeOwnText(isFrozenByStaff(user))
          : words.unfreezeText
        : isOnlyOwnFreeze(now ?? user)
          ? words.freezeTooText
          : words.freezeText}
    </ReasonDialog>
  );
}

/** Why the act of the open dialog makes no sense any more. Unfreezing must not lift a freeze that the dialog did not name. */
function whyOver({ user, isFrozen }: FreezeAct, now: Account): string | undefined {
  if (isFrozen) return isFrozenByStaff(now) ? adminMessages.frozenBefore : undefined;
  if (!now.isFrozen) return adminMessages.unfrozenBefore;
  const isSame =
    isFrozenByStaff(now) === isFrozenByStaff(user) &&
    now.isFrozenByCustomer === user.isFrozenByCustomer &&
    now.frozenReason === user.frozenReason;
  return isSame ? undefined : adminMessages.freezeChanged;
}
