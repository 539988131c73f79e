/**
 * One request for a second approval in a dialog over the list: who asks and why, the values before and after, and the
 * decision.
 */
import { useEffect, useState } from 'react';
import { formatAccountNumber } from '#contract/accountNumber.ts';
import { dayAndTime } from '#contract/bankTime.ts';
import { type Approval, fourEyesApi } from '#contract/fourEyes.ts';
import * as appMessages from '#contract/messages/app.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import { formatExternalNumber } from '#contract/transfer.ts';
import { FormDialog } from '#web/bank/FormDialog.tsx';
import { Money } from '#web/bank/Money.tsx';
import { isOutOfDate } from '#web/base/callError.ts';
import { pollingOptions } from '#web/base/pollingOptions.ts';
import { selectAdmin } from '#web/base/session.ts';
import { useAppSelector } from '#web/base/store.ts';
import { Link } from '#web/router/Link.tsx';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Ranges } from '#web/ui/Ranges.tsx';
import { Slip, type SlipRows } from '#web/ui/Slip.tsx';
import { Status } from '#web/ui/Status.tsx';
import { useLastKnown } from '#web/ui/useLastKnown.ts';
import { useAdminTransactionQuery } from '../adminCalls.ts';
import { detailWords } from '../customer/detailWords.ts';
import { useCustomerChangesQuery } from '../customerCalls.ts';
import { failureOf, type Outcome, outcomeOf } from '../panel/actRefusalText.ts';
import { focusDialogAfter } from '../panel/focusDialog.ts';
import { ReasonDialog } from '../panel/ReasonDialog.tsx';
import { MissingRow, type OpenedRowProps, RowSheet, type RowSheetProps } from '../panel/RowSheet.tsx';
import { useMay } from '../panel/useRole.ts';
import { customerPageAddress, requestAddress, transactionAddress } from '../panel/viewAddress.ts';
import { MatchWarning } from '../screening/MatchWarning.tsx';
import { screeningWords } from '../screening/screeningWords.ts';
import { usePayeeMatch } from '../screening/usePayeeMatch.ts';
import {
  useApproveRequestMutation,
  useDeclineRequestMutation,
  useRequestQuery,
  useWithdrawRequestMutation,
} from '../staffCalls.ts';
import { words as panelWords } from '../words.ts';
import { BeforeAfter } from './BeforeAfter.tsx';
import { customerOf, limitText, statusOf, summaryOf, requestWords as words } from './requestWords.ts';
import { SameCreditWarning } from './SameCreditWarning.tsx';
import './RequestSheet.css';

/** The same credit that the approver was shown as already made. If there is a newer one, the bank refuses the approval. */
type Shown = { sameCreditId: string | null };

export const RequestSheet = (props: RowSheetProps) => <RowSheet {...props} of={Opened} />;

function Opened({ id, isId, isOpen, onClose }: OpenedRowProps) {
  const { currentData, error, refetch, fulfilledTimeStamp } = useRequestQuery(
    { params: { id } },
    { ...pollingOptions, skip: !isId || !isOpen },
  );
  const own = useAppSelector(selectAdmin)?._id;
  const may = useMay();
  const [approve, approving] = useApproveRequestMutation();
  const [decline] = useDeclineRequestMutation();
  const [withdraw, withdrawing] = useWithdrawRequestMutation();
  const [declining, setDeclining] = useState(false);
  /** Set while the dialog asks whether to approve despite a match: a confirmed one (`match`) or an undecided one (`open`). */
  const [doubt, setDoubt] = useState<{ state: 'match' | 'open'; body: Shown }>();
  const shownDoubt = useLastKnown(doubt)?.state ?? 'open';
  const [outcome, setOutcome] = useState<Outcome>();
  /** The request as it is after the decision. */
  const [decided, setDecided] = useState<Approval>();
  /** The bank said that the request is no longer as shown. */
  const [isOutdated, setOutdated] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again once the request was read again
  useEffect(() => setOutdated(false), [fulfilledTimeStamp]);
  const call = { params: { id } };

  const settle = (answer: { data?: { data: Approval; message: string } | undefined; error?: unknown }) => {
    const outcome = outcomeOf(answer);
    focusDialogAfter(answer);
    setOutdated(isOutOfDate(answer.error));
    if (!answer.data) return setOutcome(outcome);
    const { data } = answer.data;
    setDecided(data);
    setOutcome(data.status === 'failed' ? { ...outcome, kind: 'error' } : outcome);
  };
  const approveAs = (body: Shown) => void approve({ ...call, body }).then(settle);
  const request = decided ?? currentData;
  const isWaiting = request?.status === 'pending';
  const isOwn = request?.askedBy._id === own;
  // While a deletion is approved, its customer may be gone already.
  const mayBeGone = approving.isLoading && request?.kind === 'deletion';
  const payee = useCustomerOf(isWaiting && !mayBeGone ? request : undefined);
  const warning = screeningWords[request?.kind === 'deletion' ? 'beforeDeletion' : 'beforePayment'];
  const shown: Shown = { sameCreditId: request?.sameCredit?._id ?? null };
  const isAboutYou = request?.kind === 'role' && request.member?._id === own;

  return (
    <Dialog
      open={isOpen}
      onClose={onClose}
      size="side"
      title={request ? <Ranges>{summaryOf(request)}</Ranges> : words.what}
      closeLabel={appMessages.close}
      actions={
        isWaiting &&
        !isOutdated &&
        may(fourEyesApi.approveRequest) &&
        !isAboutYou &&
        (isOwn ? (
          <Button kind="quiet" busy={withdrawing.isLoading} onClick={() => void withdraw(call).then(settle)}>
            {words.withdraw}
          </Button>
        ) : (
          <>
            <Button kind="quiet" onClick={() => setDeclining(true)}>
              {words.decline}
            </Button>
            <Button
              busy={approving.isLoading || payee.isChecking}
              busyLabel={payee.isChecking ? screeningWords.checking : words.approving}
              onClick={() => (payee.state ? setDoubt({ state: payee.state, body: shown }) : approveAs(shown))}
            >
              {words.approve}
            </Button>
          </>
        ))
      }
    >
      <div className="RequestSheet-warnings">
        <MatchWarning state={payee.state} customerId={payee.customerId} text={warning} />
        {isWaiting && request.sameCredit && (
          <SameCreditWarning
            credit={request.sameCredit}
            action={
              <Button kind="quiet" size="s" to={`?${transactionAddress(request.sameCredit._id).search}`}>
                {panelWords.viewTransaction}
              </Button>
            }
          />
        )}
        {isWaiting && request.customer?.name && !mayBeGone && (
          <ChangedSince request={request} customerId={request.customer._id} />
        )}
        {isWaiting && request.sameRequestId && (
          <Banner
            kind="warning"
            title={words.sameCredit}
            action={
              <Button kind="quiet" size="s" to={`?${requestAddress(request.sameRequestId).search}`}>
                {words.viewOther}
              </Button>
            }
          >
            {staffMessages.sameCredit}
          </Banner>
        )}
      </div>
      {request ? (
        <Facts
          request={request}
          // Read balances only while the customer exists. A deleted one has no name, and an approval may delete the customer.
          isOpen={isWaiting && !approving.isLoading && request.customer?.name !== ''}
        />
      ) : (
        <MissingRow isId={isId} error={error} onRetry={refetch} words={words} />
      )}
      {/* Once a colleague has decided, a refusal still says what became of the press. A lost answer no longer matters. */}
      {outcome && (decided || isWaiting || outcome.kind === 'error') ? (
        <Banner className="RequestSheet-outcome" kind={outcome.kind} title={outcome.text} />
      ) : request?.status === 'expired' ? (
        <Banner kind="info" title={words.expiredText} />
      ) : (
        isWaiting &&
        (isOwn || isAboutYou || !may(fourEyesApi.approveRequest)) && (
          <Banner
            kind="info"
            title={isAboutYou ? staffMessages.aboutYou : isOwn ? words.ownRequest : words.roleCannot}
          />
        )
      )}
      <FormDialog
        open={doubt !== undefined && isWaiting}
        onClose={() => setDoubt(undefined)}
        title={screeningWords.approveDespite[shownDoubt]}
        description={warning[shownDoubt]}
        submitLabel={screeningWords.approveAnyway}
        kind="danger"
        startsAtCancel
        onSubmit={() => {
          setDoubt(undefined);
          if (doubt) approveAs(doubt.body);
        }}
      />
      <ReasonDialog
        open={declining}
        title={words.declineTitle}
        hint={words.declineHint}
        confirmLabel={words.decline}
        over={declining && request && !isWaiting && words.decidedFirst(request)}
        onConfirm={async reason => {
          const answer = await decline({ ...call, body: { reason } });
          if (!answer.data) return failureOf(answer.error);
          setDeclining(false);
          settle(answer);
          return undefined;
        }}
        onClose={() => setDeclining(false)}
      >
        {words.declineText}
      </ReasonDialog>
    </Dialog>
  );
}

/**
 * Warns that staff changed the name or email of the request's customer after it was made: the person who asked can do so alone.
 */
function ChangedSince({ request, customerId }: { request: Approval; customerId: string }) {
  const { currentData = [] } = useCustomerChangesQuery({ params: { id: customerId } }, pollingOptions);
  const changes = currentData.filter(({ at }) => new Date(at) > new Date(request.askedAt));
  if (changes.length === 0) return null;
  return (
    <Banner kind="warning" icon="alert" title={words.changedSince}>
      {changes.map(({ _id, at, authorName, field, former }) => (
        <p key={_id}>{words.changedBy(authorName, dayAndTime(at), detailWords.fields[field], former)}</p>
      ))}
    </Banner>
  );
}

/** The match of the customer whom a waiting request pays or deletes. A reversal pays its transaction's sender back. */
function useCustomerOf(request: Approval | undefined) {
  const reversedId = request?.kind === 'reversal' ? request.transactionId : undefined;
  const reversed = useAdminTransactionQuery(
    { params: { id: reversedId ?? '' } },
    { ...pollingOptions, skip: !reversedId },
  );
  const isNamed = ['credit', 'unclaimed', 'deletion'].includes(request?.kind ?? '');
  const payee = usePayeeMatch(
    isNamed ? request?.customer?.accountNumber : reversed.currentData?.senderAccountNumber,
  );
  const isReading = reversedId !== undefined && !reversed.currentData;
  const customerId = isNamed ? request?.customer?._id : reversed.currentData?.sender?._id;
  return { ...payee, customerId, isChecking: isReading || payee.isChecking };
}

function Facts({ request, isOpen }: { request: Approval; isOpen: boolean }) {
  const { askedBy, askedAt, expiresAt, reason, description, decidedBy, decidedAt, outcome, status } = request;
  const { kind, amount, customer, member, bank, closedAccount, transactionId, resultId } = request;
  const link = (to: { search: string }, text: string) => (
    <Link className="link" to={to}>
      {text}
    </Link>
  );
  return (
    <>
      <p className="RequestSheet-status">
        <Status {...statusOf(request)} />
      </p>
      {request.isAskerGone && (
        <Banner kind="warning" icon="alert" title={words.willFail}>
          {words.askerGone(askedBy.name)}
        </Banner>
      )}
      <Slip
        rows={[
          { label: words.askedBy, value: askedBy.name },
          { label: words.askedAt, value: dayAndTime(askedAt) },
          amount !== undefined && {
            label: kind === 'deletion' ? words.balanceAtRequest : panelWords.amount,
            value: <Money dollars={amount} />,
          },
          // While the request waits, `BeforeAfter` shows what it asks for.
          ...(status === 'pending' ? [] : askedOf(request)),
          // Only reversals, deletions, new emails and payouts have a reason; a deletion may have none.
          reason && { label: words.reason, value: reason },
          description && {
            label: panelWords.description,
            value: (
              <>
                {description}
                <span className="Slip-remark">{panelWords.descriptionHint}</span>
              </>
            ),
          },
          (status === 'pending' || status === 'expired') && {
            label: status === 'pending' ? words.expires : words.expired,
            value: dayAndTime(expiresAt),
          },
          // The name alone does not say who gets the link of an invitation.
          member && { label: words.email, value: member.email },
          customer && {
            label: kind === 'unclaimed' ? words.payTo : words.customerPage,
            // Two customers can have one name.
            value: customer.name ? (
              <>
                {link(customerPageAddress(customer._id), customer.name)}
                <span className="Slip-remark num">{formatAccountNumber(customer.accountNumber)}</span>
              </>
            ) : (
              customerOf(customer)
            ),
          },
          closedAccount && { label: words.closedAccount, value: formatAccountNumber(closedAccount) },
          bank && {
            label: words.payTo,
            value: `${bank.accountName}, ${bank.bankName}, ${formatExternalNumber(bank.accountNumber)}`,
          },
          transactionId && {
            label: kind === 'unclaimed' ? words.unclaimedTransaction : words.originalTransaction,
            value: link(transactionAddress(transactionId), panelWords.viewTransaction),
          },
          // Left out for a withdrawn request, because only the person who asked can withdraw it.
          status !== 'withdrawn' && decidedBy && { label: words.decidedBy, value: decidedBy.name },
          decidedAt && {
            label: status === 'withdrawn' ? words.withdrawnAt : words.decidedAt,
            value: dayAndTime(decidedAt),
          },
          outcome && { label: status === 'failed' ? words.whyFailed : words.outcome, value: outcome },
          resultId && {
            label: words.postedTransaction,
            value: link(transactionAddress(resultId), panelWords.viewTransaction),
          },
        ]}
      />
      {isOpen && <BeforeAfter request={request} />}
    </>
  );
}

/** What was asked for, if it is not an amount, a payee or a transaction. */
const askedOf = ({ kind, role, formerRole, email, from = null }: Approval): SlipRows => [
  formerRole && { label: words.formerRole, value: staffMessages.roleNames[formerRole] },
  role && { label: words.role, value: staffMessages.roleNames[role] },
  email && { label: words.newEmail, value: email },
  kind === 'limit' && { label: words.limit, value: limitText(from) },
];
