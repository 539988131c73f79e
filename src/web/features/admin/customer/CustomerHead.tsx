/** The customer's card: picture, states, account number and balance, and what can be done with the account. */
import { useState } from 'react';
import type { User } from '#contract/entities.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import { AccountNumber } from '#web/bank/AccountNumber.tsx';
import { Money } from '#web/bank/Money.tsx';
import { Avatar } from '#web/ui/Avatar.tsx';
import { Badge } from '#web/ui/Badge.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { useApplicationQuery } from '../adminCalls.ts';
import { DeleteUserDialog } from '../users/DeleteUserDialog.tsx';
import { FreezeSwitch } from '../users/FreezeSwitch.tsx';
import type { Notice } from '../users/NoticeDialog.tsx';
import { pictureOf } from '../users/userColumns.tsx';
import { words } from '../words.ts';
import './CustomerHead.css';

export type CustomerHeadProps = { user: User; onNotice: (notice: Notice) => void };

export function CustomerHead({ user, onNotice }: CustomerHeadProps) {
  const [deleting, setDeleting] = useState(false);
  const close = (notice?: Notice) => {
    setDeleting(false);
    if (notice) onNotice(notice);
  };
  return (
    <Panel className="CustomerHead" label={words.stateOfAccount}>
      <div className="CustomerHead-who">
        <Avatar
          src={pictureOf(user)}
          firstName={user.firstName}
          lastName={user.lastName}
          size="l"
          decorative
        />
        <div>
          <p className="CustomerHead-email">{user.email}</p>
          <AccountNumber small value={user.accountNumber} />
          <Badges user={user} />
        </div>
      </div>
      <div className="CustomerHead-balance">
        <p className="type-small">{words.balance}</p>
        <Money dollars={user.balance} />
      </div>
      <div className="CustomerHead-acts">
        <FreezeSwitch user={user} onNotice={onNotice} />
        <Button kind="quiet" size="s" onClick={() => setDeleting(true)}>
          {words.deleteUser}
        </Button>
      </div>
      <DeleteUserDialog
        user={deleting ? user : undefined}
        onCancel={() => close()}
        onDeleted={() => close({ kind: 'success', message: adminMessages.deleted })}
        onFailed={message => close({ kind: 'error', message })}
      />
    </Panel>
  );
}

function Badges({ user }: { user: User }) {
  const { currentData } = useApplicationQuery({ params: { id: user._id } });
  return (
    <p className="CustomerHead-badges">
      {currentData && (
        <Badge kind={currentData.isApproved ? 'verified' : 'pending'}>
          {currentData.isApproved ? words.approvedAccount : words.pendingApproval}
        </Badge>
      )}
      <Badge kind={user.isVerified ? 'verified' : 'pending'}>
        {`${words.idDocument}: ${user.isVerified ? words.verified : words.pending}`}
      </Badge>
      {user.isFrozen && <Badge kind="frozen">{words.frozen}</Badge>}
    </p>
  );
}
