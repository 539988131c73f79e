/** The columns of the Users table. */
import { adminApi } from '#contract/admin.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import type { User } from '#contract/entities.ts';
import { AccountNumber } from '#web/bank/AccountNumber.tsx';
import { Money } from '#web/bank/Money.tsx';
import { nameOf } from '#web/bank/transactionReading.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { Status } from '#web/ui/Status.tsx';
import type { Column } from '#web/ui/Table.tsx';
import { CustomerName } from '../panel/CustomerName.tsx';
import { EmailText } from '../panel/EmailText.tsx';
import { RowButton } from '../panel/RowButton.tsx';
import { words } from '../words.ts';
import type { FreezeAct } from './FreezeDialog.tsx';
import { FreezeSwitch } from './FreezeSwitch.tsx';
import type { Notice } from './NoticeDialog.tsx';
import './UsersTable.css';

/** The actions that cells can trigger in the view. */
export type UserActions = {
  may: (call: Endpoint) => boolean;
  onView: (user: User) => void;
  onDelete: (user: User) => void;
  onNotice: (notice: Notice) => void;
  /** Asks for confirmation, then freezes or unfreezes. */
  onAskFreeze: (act: FreezeAct) => void;
};

/** The URL of a customer's picture: the avatar, else the older profile image. */
export function pictureOf(user: User): string | undefined {
  return user.avatar.url || user.profileImage || undefined;
}

export function userColumns({ may, onView, onDelete, onNotice, onAskFreeze }: UserActions): Column<User>[] {
  return [
    {
      key: 'name',
      head: words.name,
      place: 'title',
      cell: user => (
        <CustomerName firstName={user.firstName} lastName={user.lastName} src={pictureOf(user)} />
      ),
    },
    { key: 'email', head: words.email, place: 'detail', cell: user => <EmailText value={user.email} /> },
    {
      key: 'account',
      head: words.accountNumber,
      cell: user => <AccountNumber small value={user.accountNumber} />,
    },
    {
      key: 'balance',
      head: words.balance,
      align: 'end',
      place: 'figure',
      cell: user => <Money dollars={user.balance} />,
    },
    {
      key: 'status',
      head: words.status,
      cell: user =>
        user.isVerified ? (
          <Status status="completed">{words.verified}</Status>
        ) : (
          <Status status="pending">{words.pending}</Status>
        ),
    },
    {
      key: 'frozen',
      head: words.accountStatus,
      cell: user =>
        may(adminApi.freeze) ? (
          <FreezeSwitch user={user} onNotice={onNotice} onAskFreeze={onAskFreeze} />
        ) : (
          <span>
            <Badge kind={user.isFrozen ? 'frozen' : user.isApproved === false ? 'pending' : 'verified'}>
              {user.isFrozen ? words.frozen : user.isApproved === false ? words.waitingUser : words.active}
            </Badge>
            {user.isFrozenByCustomer && (
              <span className="type-small"> {words.byCustomer(user.isFrozenByStaff)}</span>
            )}
          </span>
        ),
    },
    {
      key: 'actions',
      head: words.actions,
      place: 'actions',
      cell: user => (
        <>
          <RowButton kind="text" name={words.viewName(nameOf(user) ?? '')} onPress={() => onView(user)}>
            {words.view}
          </RowButton>
          {may(adminApi.deleteUser) && (
            <RowButton
              kind="text"
              className="UsersTable-delete"
              name={words.deleteName(nameOf(user) ?? '')}
              onPress={() => onDelete(user)}
            >
              {words.delete}
            </RowButton>
          )}
        </>
      ),
    },
  ];
}
