/**
 * Freezes and unfreezes one account: requests the opposite of the shown state and reports what the bank did. The row shows the
 * answer. If only the customer froze the account, a button adds the freeze of staff. A dialog asks before it unfreezes an
 * account that its customer froze or that staff froze with a reason, or a customer with a confirmed match.
 */
import type { User } from '#contract/entities.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import { nameOf } from '#web/bank/transactionReading.ts';
import type { CallError } from '#web/base/callError.ts';
import { classNames } from '#web/ui/classNames.ts';
import { Switch } from '#web/ui/Switch.tsx';
import { useFreezeMutation, wasBefore } from '../adminCalls.ts';
import { isOnlyOwnFreeze, shownFreezes } from '../panel/freezes.ts';
import { RowButton } from '../panel/RowButton.tsx';
import { words } from '../words.ts';
import { refusalNotice } from './NoticeDialog.tsx';
import type { UserActions } from './userColumns.tsx';
import './FreezeSwitch.css';

export type FreezeSwitchProps = { user: User } & Pick<UserActions, 'onNotice' | 'onAskFreeze'>;

export function FreezeSwitch({ user, onNotice, onAskFreeze }: FreezeSwitchProps) {
  const [freeze, { isLoading }] = useFreezeMutation();

  const name = nameOf(user) ?? '';
  const askUnfreeze = () => onAskFreeze({ user, isFrozen: false });

  const toggle = async () => {
    if (user.isFrozenByCustomer || user.frozenReason !== undefined) return askUnfreeze();
    const answer = await freeze({
      params: { id: user._id },
      body: { isFrozen: !user.isFrozen, ...(user.isFrozen && shownFreezes(user)) },
    });
    const { code, message: refusal } = (answer.error ?? {}) as Partial<CallError>;
    // The bank asks for a reason.
    if (user.isFrozen && code === 'CONFLICT' && refusal !== adminMessages.freezeChanged) return askUnfreeze();
    if (answer.error) return onNotice(refusalNotice(answer.error, name, adminMessages.freezeFailed));
    const { message } = answer.data;
    onNotice({ kind: wasBefore(message) ? 'error' : 'success', message });
  };

  return (
    <span className="FreezeSwitch-cell">
      <Switch
        className={classNames('FreezeSwitch', user.isApproved !== false && 'FreezeSwitch--approved')}
        tone="danger"
        checked={user.isFrozen}
        label={user.isFrozen ? words.frozen : user.isApproved === false ? words.waitingUser : words.active}
        name={words.freezeName(name)}
        title={user.isFrozen ? words.switchOff : words.switchOn}
        busy={isLoading}
        onChange={() => void toggle()}
      />
      {user.isFrozenByCustomer && (
        <span className="type-small FreezeSwitch-by">{words.byCustomer(user.isFrozenByStaff)}</span>
      )}
      {isOnlyOwnFreeze(user) && (
        <RowButton
          kind="text"
          className="FreezeSwitch-too"
          name={words.freezeTooName(name)}
          onPress={() => onAskFreeze({ user, isFrozen: true })}
        >
          {words.freeze}
        </RowButton>
      )}
    </span>
  );
}
