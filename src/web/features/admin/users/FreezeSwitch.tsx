/**
 * Freezes and unfreezes one account: requests the opposite of the shown state and reports what the bank did. The row shows
 * the answer. A dialog asks before it unfreezes an account that its customer froze or that staff froze with a reason, or a
 * customer with a confirmed match.
 */
import type { User } from '#contract/entities.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import { nameOf } from '#web/bank/transactionReading.ts';
import type { CallError } from '#web/base/callError.ts';
import { classNames } from '#web/ui/classNames.ts';
import { Switch } from '#web/ui/Switch.tsx';
import { useFreezeMutation, wasBefore } from '../adminCalls.ts';
import { words } from '../words.ts';
import { refusalNotice } from './NoticeDialog.tsx';
import type { UserActions } from './userColumns.tsx';
import './FreezeSwitch.css';

export type FreezeSwitchProps = { user: User } & Pick<UserActions, 'onNotice' | 'onUnfreeze'>;

export function FreezeSwitch({ user, onNotice, onUnfreeze }: FreezeSwitchProps) {
  const [freeze, { isLoading }] = useFreezeMutation();

  const toggle = async () => {
    if (user.isFrozenByCustomer || user.frozenReason !== undefined) return onUnfreeze(user);
    const answer = await freeze({ params: { id: user._id }, body: { isFrozen: !user.isFrozen } });
    // The bank asks for a reason.
    if (user.isFrozen && (answer.error as CallError | undefined)?.code === 'CONFLICT')
      return onUnfreeze(user);
    if (answer.error)
      return onNotice(refusalNotice(answer.error, nameOf(user) ?? '', adminMessages.freezeFailed));
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
        name={words.freezeName(nameOf(user) ?? '')}
        title={user.isFrozen ? words.switchOff : words.switchOn}
        busy={isLoading}
        onChange={() => void toggle()}
      />
      {user.isFrozenByCustomer && (
        <span className="type-small FreezeSwitch-by">{words.byCustomer(user.isFrozenByStaff)}</span>
      )}
    </span>
  );
}
