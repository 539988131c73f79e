/** The details of one customer. Shows the list's data immediately, then the fresh answer. */
import type { PendingApproval, User } from '#contract/entities.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import * as appMessages from '#contract/messages/app.ts';
import { AccountNumber } from '#web/bank/AccountNumber.tsx';
import { Money } from '#web/bank/Money.tsx';
import { nameOf } from '#web/bank/transactionReading.ts';
import { Avatar } from '#web/ui/Avatar.tsx';
import { Badge } from '#web/ui/Badge.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { Slip } from '#web/ui/Slip.tsx';
import { useLastKnown } from '#web/ui/useLastKnown.ts';
import { useUserQuery } from '../adminCalls.ts';
import { IdCardLink } from '../panel/IdCardLink.tsx';
import { ListFailed } from '../panel/ListFailed.tsx';
import { Moment } from '../panel/Moment.tsx';
import { auditAddress, viewAddress } from '../panel/viewAddress.ts';
import { words } from '../words.ts';
import { pictureOf } from './userColumns.tsx';
import './UserDetails.css';

/** A customer as returned by one of the panel's lists. */
type Listed = User | PendingApproval;

export type UserDetailsProps = {
  /** The customer to show; the dialog is open while it is set. */
  user: Listed | undefined;
  onClose: () => void;
};

export function UserDetails({ user, onClose }: UserDetailsProps) {
  const shown = useLastKnown(user);
  return (
    <Dialog
      open={user !== undefined}
      onClose={onClose}
      size="m"
      title={words.userDetails}
      actions={
        <>
          {shown && (
            <>
              <Button kind="quiet" to={`?${transactionsOf(shown)}`}>
                {words.theirTransactions}
              </Button>
              <Button kind="quiet" to={`?${auditAddress(shown._id).search}`}>
                {words.inAuditLog}
              </Button>
            </>
          )}
          <Button onClick={onClose}>{appMessages.close}</Button>
        </>
      }
    >
      {shown && <Particulars key={shown._id} listed={shown} />}
    </Dialog>
  );
}

const transactionsOf = ({ accountNumber }: Listed) =>
  viewAddress('transactions', 1, [['search', accountNumber]]).search;

function Particulars({ listed }: { listed: Listed }) {
  const { data, error, refetch } = useUserQuery({ params: { id: listed._id } });
  const user = data ?? ('balance' in listed ? listed : undefined);
  return (
    <>
      <div className="UserDetails-who">
        <Avatar
          src={user && pictureOf(user)}
          firstName={listed.firstName}
          lastName={listed.lastName}
          size="l"
          decorative
        />
        <div>
          <p className="UserDetails-name">{nameOf(user ?? listed)}</p>
          <p className="UserDetails-badges">
            {user && (
              <Badge kind={user.isVerified ? 'verified' : 'pending'}>
                {user.isVerified ? words.verified : words.pending}
              </Badge>
            )}
            {user?.isFrozen && <Badge kind="frozen">{words.frozen}</Badge>}
          </p>
        </div>
      </div>
      {user ? (
        <Known user={user} />
      ) : error ? (
        <ListFailed error={error} onRetry={refetch} />
      ) : (
        <Skeleton kind="text" count={7} className="UserDetails-wait" label={words.loadingUsers} />
      )}
    </>
  );
}

function Known({ user }: { user: User }) {
  return (
    <Slip
      rows={[
        { label: words.email, value: user.email },
        { label: words.accountNumber, value: <AccountNumber value={user.accountNumber} /> },
        { label: words.balance, value: <Money dollars={user.balance} /> },
        { label: words.phone, value: user.phoneNumber || words.notProvided },
        {
          label: words.address,
          value: user.address || words.notProvided,
        },
        { label: words.idDocument, value: <IdDocument name={nameOf(user) ?? ''} url={user.idCard?.url} /> },
        { label: words.joined, value: <Moment iso={user.createdAt} /> },
      ]}
    />
  );
}

function IdDocument({ name, url }: { name: string; url: string | undefined }) {
  if (url === undefined) return adminMessages.noId;
  return (
    <span className="UserDetails-id">
      <IdCardLink name={name} url={url} />
    </span>
  );
}
