/** The customer's card: picture, states, account number and balance, and what can be done with the account. */
import { useState } from 'react';
import { adminApi } from '#contract/admin.ts';
import type { CustomerRecord } from '#contract/adminCustomers.ts';
import { dayAndTime } from '#contract/bankTime.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import { AccountNumber } from '#web/bank/AccountNumber.tsx';
import { Money } from '#web/bank/Money.tsx';
import { Avatar } from '#web/ui/Avatar.tsx';
import { Badge } from '#web/ui/Badge.tsx';
import { Banner } from '#web/ui/Banner.tsx';
import { Breakable } from '#web/ui/Breakable.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { isFrozenByStaff } from '../panel/freezes.ts';
import { MixedName } from '../panel/MixedName.tsx';
import { useMay } from '../panel/useRole.ts';
import { viewAddress } from '../panel/viewAddress.ts';
import { CustomerMatches } from '../screening/CustomerMatches.tsx';
import { useCustomerHits } from '../screening/screeningCalls.ts';
import { DeleteUserDialog } from '../users/DeleteUserDialog.tsx';
import { type FreezeAct, FreezeDialog } from '../users/FreezeDialog.tsx';
import { type Notice, noticeOf } from '../users/NoticeDialog.tsx';
import { words } from '../words.ts';
import './CustomerHead.css';

export type CustomerHeadProps = { customer: CustomerRecord; onNotice: (notice: Notice) => void };

export function CustomerHead({ customer, onNotice }: CustomerHeadProps) {
  const { isApproved, isFrozen, isFrozenByCustomer, isVerified, waitingRequests } = customer;
  const { frozenAt, frozenBy, frozenReason } = customer;
  const may = useMay();
  const hits = useCustomerHits(customer._id);
  // With the customer at the time of the press, so that the question does not change if a colleague acts first.
  const [freezing, setFreezing] = useState<FreezeAct>();
  const [isDeleting, setDeleting] = useState(false);
  const close = (notice?: Notice) => {
    setFreezing(undefined);
    setDeleting(false);
    if (notice) onNotice(notice);
  };
  return (
    <Panel className="CustomerHead" label={words.stateOfAccount}>
      <div className="CustomerHead-who">
        <Avatar
          src={customer.avatar.url || undefined}
          firstName={customer.firstName}
          lastName={customer.lastName}
          size="l"
          decorative
        />
        <div>
          <p className="CustomerHead-email">
            <Breakable>{customer.email}</Breakable>
          </p>
          <AccountNumber small value={customer.accountNumber} />
          <p className="CustomerHead-badges">
            <Badge kind={isApproved ? 'verified' : 'pending'}>
              {isApproved ? words.approvedAccount : words.pendingApproval}
            </Badge>
            <Badge kind={isVerified ? 'verified' : 'pending'}>
              {`${words.idDocument}: ${adminMessages.documentStates[customer.document]}`}
            </Badge>
            {isFrozen && (
              <Badge kind="frozen">
                {isFrozenByCustomer ? words.frozenByCustomer(customer.isFrozenByStaff) : words.frozen}
              </Badge>
            )}
          </p>
        </div>
      </div>
      <div className="CustomerHead-balance">
        <p className="type-small">{words.balance}</p>
        <Money dollars={customer.balance} />
      </div>
      {isFrozen && frozenAt && (
        <Banner
          kind="info"
          icon="lock"
          className="CustomerHead-note"
          title={words.frozenSince(frozenBy, dayAndTime(frozenAt))}
        >
          {frozenReason}
        </Banner>
      )}
      <MixedName
        parts={[customer.firstName, customer.middleName, customer.lastName]}
        className="CustomerHead-note"
      />
      <CustomerMatches hits={hits} isApproved={isApproved} frozen={customer} className="CustomerHead-note" />
      {waitingRequests > 0 && (
        <Banner
          kind="warning"
          className="CustomerHead-note"
          title={words.waitingForSecond}
          action={
            <Button kind="quiet" size="s" to={`?${viewAddress('requests').search}`}>
              {words.viewRequests}
            </Button>
          }
        >
          {words.requestsAbout(waitingRequests)}
        </Banner>
      )}
      {(may(adminApi.freeze) || may(adminApi.deleteUser)) && (
        <div className="CustomerHead-acts">
          {may(adminApi.freeze) && !isFrozenByStaff(customer) && (
            <Button
              kind="quiet"
              icon="freeze"
              onClick={() => setFreezing({ user: customer, isFrozen: true })}
            >
              {words.freeze}
            </Button>
          )}
          {may(adminApi.freeze) && isFrozen && (
            <Button
              kind="quiet"
              icon="freeze"
              onClick={() => setFreezing({ user: customer, isFrozen: false })}
            >
              {words.unfreeze}
            </Button>
          )}
          {may(adminApi.deleteUser) && (
            <Button kind="quiet" icon="trash" onClick={() => setDeleting(true)}>
              {words.deleteUser}
            </Button>
          )}
        </div>
      )}
      <FreezeDialog
        act={freezing}
        now={customer}
        onDone={message => close({ kind: 'success', message })}
        onClose={() => close()}
      />
      <DeleteUserDialog
        user={isDeleting ? customer : undefined}
        onCancel={() => close()}
        onDeleted={data => close(noticeOf(data, adminMessages.deleted))}
        onFailed={close}
      />
    </Panel>
  );
}
