/** The details of one customer. Shows the list's data immediately, then the fresh answer, or that the customer was deleted. */

import { useRef } from 'react';
import { adminApi } from '#contract/admin.ts';
import { nameOfDay } from '#contract/bankTime.ts';
import type { Application, User } from '#contract/entities.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import * as appMessages from '#contract/messages/app.ts';
import { formatPhone } from '#contract/typedNumbers.ts';
import { AccountNumber } from '#web/bank/AccountNumber.tsx';
import { Money } from '#web/bank/Money.tsx';
import { nameOf } from '#web/bank/transactionReading.ts';
import { Link } from '#web/router/Link.tsx';
import { Avatar } from '#web/ui/Avatar.tsx';
import { Badge } from '#web/ui/Badge.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { Slip } from '#web/ui/Slip.tsx';
import { useLastKnown } from '#web/ui/useLastKnown.ts';
import { useApplicationQuery, useUserQuery } from '../adminCalls.ts';
import { isGone } from '../panel/actRefusalText.ts';
import { fullAddress } from '../panel/fullAddress.ts';
import { IdCardLink } from '../panel/IdCardLink.tsx';
import { ListFailed } from '../panel/ListFailed.tsx';
import { Moment } from '../panel/Moment.tsx';
import { useMay } from '../panel/useRole.ts';
import { auditAddress, customerPageAddress, viewAddress } from '../panel/viewAddress.ts';
import { CustomerMatches } from '../screening/CustomerMatches.tsx';
import { useCustomerHits } from '../screening/screeningCalls.ts';
import { words } from '../words.ts';
import { pictureOf } from './userColumns.tsx';
import './UserDetails.css';

export type UserDetailsProps = {
  /** The id of the customer to show; the dialog is open while it is set. */
  id: string | undefined;
  /** The customer as listed, shown until the bank has answered. */
  listed: User | undefined;
  onClose: () => void;
};

export function UserDetails({ id, listed, onClose }: UserDetailsProps) {
  const shown = useLastKnown(id);
  const may = useMay();
  // Close gets the focus: the other buttons leave this view, and the links appear only once the customer is loaded.
  const close = useRef<HTMLButtonElement>(null);
  const { currentData, error, refetch } = useUserQuery(
    { params: { id: shown ?? '' } },
    { skip: shown === undefined },
  );
  // If the customer was deleted in the meantime, the listed data is hidden too.
  const isDeleted = isGone(error);
  const user = isDeleted ? undefined : (currentData ?? (listed?._id === shown ? listed : undefined));
  return (
    <Dialog
      open={id !== undefined}
      onClose={onClose}
      size="m"
      initialFocus={close}
      title={words.userDetails}
      actions={
        <>
          {user && (
            <Button kind="quiet" to={`?${transactionsOf(user)}`}>
              {words.theirTransactions}
            </Button>
          )}
          {shown && may(adminApi.auditLog) && (
            <Button kind="quiet" to={`?${auditAddress(shown).search}`}>
              {words.inAuditLog}
            </Button>
          )}
          <Button ref={close} onClick={onClose}>
            {appMessages.close}
          </Button>
        </>
      }
    >
      {user ? (
        <Known user={user} isFresh={currentData !== undefined} />
      ) : isDeleted ? (
        <EmptyState title={words.customerGone}>{words.customerGoneText}</EmptyState>
      ) : error ? (
        <ListFailed error={error} onRetry={refetch} />
      ) : (
        <Skeleton kind="text" count={7} className="UserDetails-wait" label={words.loadingUsers} />
      )}
    </Dialog>
  );
}

const transactionsOf = ({ accountNumber }: User) =>
  viewAddress('transactions', 1, [['search', accountNumber]]).search;

/** `isFresh`: the bank has answered, so the customer still exists. */
type KnownProps = { user: User; isFresh: boolean };

function Known({ user, isFresh }: KnownProps) {
  const hits = useCustomerHits(user._id);
  // The call for one user returns only the street, and not whether the customer is approved. Viewing the application counts as
  // viewing the date of birth, so the date is shown, too.
  const { currentData: application } = useApplicationQuery({ params: { id: user._id } }, { skip: !isFresh });
  return (
    <>
      <div className="UserDetails-who">
        <Avatar
          src={pictureOf(user)}
          firstName={user.firstName}
          lastName={user.lastName}
          size="l"
          decorative
        />
        <div>
          <p className="UserDetails-name">{nameOf(user)}</p>
          <p className="UserDetails-badges">
            <Badge kind={user.isVerified ? 'verified' : 'pending'}>
              {`${words.idDocument}: ${
                user.isVerified
                  ? words.verified
                  : user.isIdRequested
                    ? adminMessages.documentStates.requested
                    : user.idCard
                      ? words.pending
                      : adminMessages.documentStates.missing
              }`}
            </Badge>
            {(application ?? user).isApproved === false && (
              <Badge kind="pending">{words.pendingApproval}</Badge>
            )}
            {user.isFrozen && (
              <Badge kind="frozen">
                {user.isFrozenByCustomer ? words.frozenByCustomer(user.isFrozenByStaff) : words.frozen}
              </Badge>
            )}
          </p>
          <Link className="link UserDetails-page" to={customerPageAddress(user._id)}>
            {words.openFullPage}
          </Link>
        </div>
      </div>
      <CustomerMatches
        hits={hits}
        isApproved={hits[0]?.customer.isApproved === true}
        frozen={user}
        className="UserDetails-matches"
      />
      <Particulars user={user} application={application} />
    </>
  );
}

function Particulars({ user, application }: { user: User; application: Application | undefined }) {
  const address = application ? fullAddress(application) : user.address;
  return (
    <Slip
      rows={[
        { label: words.email, value: user.email },
        { label: words.accountNumber, value: <AccountNumber value={user.accountNumber} /> },
        { label: words.balance, value: <Money dollars={user.balance} /> },
        { label: words.phone, value: formatPhone(user.phoneNumber) || words.notProvided },
        application && {
          label: words.dateOfBirth,
          value: application.dateOfBirth ? nameOfDay(application.dateOfBirth) : words.notProvided,
        },
        {
          label: words.address,
          value: address || words.notProvided,
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
