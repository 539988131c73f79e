/** The customer's card: picture, states, account number and balance, and what can be done with the account. */
import { useState } from 'react';
import { adminApi } from '#contract/admin.ts';
import type { CustomerRecord } from '#contract/adminCustomers.ts';
import { dayAndTime } from '#contract/bankTime.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import { AccountNumber } from '#web/bank/AccountNumber.tsx';
import { Money } from '#web/bank/Money.tsx';
import { nameOf } from '#web/bank/transactionReading.ts';
import { Avatar } from '#web/ui/Avatar.tsx';
import { Badge } from '#web/ui/Badge.tsx';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { useLastKnown } from '#web/ui/useLastKnown.ts';
import { useFreezeMutation } from '../adminCalls.ts';
import { actRefusalText } from '../panel/actRefusalText.ts';
import { ReasonDialog } from '../panel/ReasonDialog.tsx';
import { useMay } from '../panel/useRole.ts';
import { viewAddress } from '../panel/viewAddress.ts';
import { CustomerMatches } from '../screening/CustomerMatches.tsx';
import { useCustomerHits } from '../screening/screeningCalls.ts';
import { DeleteUserDialog } from '../users/DeleteUserDialog.tsx';
import { type Notice, noticeOf } from '../users/NoticeDialog.tsx';
import { words } from '../words.ts';
import './CustomerHead.css';

export type CustomerHeadProps = { customer: CustomerRecord; onNotice: (notice: Notice) => void };

export function CustomerHead({ customer, onNotice }: CustomerHeadProps) {
  const { isApproved, isFrozen, isFrozenByCustomer, isVerified, waitingRequests } = customer;
  const { frozenAt, frozenBy, frozenReason } = customer;
  const may = useMay();
  const hits = useCustomerHits(customer._id);
  const [freeze] = useFreezeMutation();
  const [open, setOpen] = useState<'freeze' | 'unfreeze' | 'delete'>();
  // While the dialog closes, it keeps its text, although the account has already changed.
  const asked = useLastKnown(open === 'delete' ? undefined : open);
  const unfreezes = asked === 'unfreeze';
  const name = nameOf(customer) ?? '';
  const close = (notice?: Notice) => {
    setOpen(undefined);
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
          <p className="CustomerHead-email">{customer.email}</p>
          <AccountNumber small value={customer.accountNumber} />
          <p className="CustomerHead-badges">
            <Badge kind={isApproved ? 'verified' : 'pending'}>
              {isApproved ? words.approvedAccount : words.pendingApproval}
            </Badge>
            <Badge kind={isVerified ? 'verified' : 'pending'}>
              {`${words.idDocument}: ${adminMessages.documentStates[customer.document]}`}
            </Badge>
            {isFrozen && (
              <Badge kind="frozen">{isFrozenByCustomer ? words.frozenByCustomer : words.frozen}</Badge>
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
      <CustomerMatches hits={hits} isApproved={isApproved} className="CustomerHead-note" />
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
          {may(adminApi.freeze) && (
            <Button kind="quiet" icon="freeze" onClick={() => setOpen(isFrozen ? 'unfreeze' : 'freeze')}>
              {isFrozen ? words.unfreeze : words.freeze}
            </Button>
          )}
          {may(adminApi.deleteUser) && (
            <Button kind="quiet" icon="trash" onClick={() => setOpen('delete')}>
              {words.deleteUser}
            </Button>
          )}
        </div>
      )}
      <ReasonDialog
        open={open === 'freeze' || open === 'unfreeze'}
        title={unfreezes ? words.unfreezeTitle(name) : words.freezeTitle(name)}
        hint={words.auditHint}
        isOptional
        kind={unfreezes ? 'primary' : 'danger'}
        confirmLabel={unfreezes ? words.unfreeze : words.freeze}
        onConfirm={async reason => {
          const answer = await freeze({
            params: { id: customer._id },
            body: { isFrozen: !unfreezes, ...(reason && { reason }) },
          });
          if (!answer.data) return actRefusalText(answer.error, name, adminMessages.freezeFailed);
          close({ kind: 'success', message: answer.data.message });
          return undefined;
        }}
        onClose={() => close()}
      >
        {!unfreezes ? words.freezeText : isFrozenByCustomer ? words.unfreezeOwnText : words.unfreezeText}
      </ReasonDialog>
      <DeleteUserDialog
        user={open === 'delete' ? customer : undefined}
        onCancel={() => close()}
        onDeleted={data => close(noticeOf(data, adminMessages.deleted))}
        onFailed={message => close({ kind: 'error', message })}
      />
    </Panel>
  );
}
