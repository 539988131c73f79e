/** Sending money: the form and the slip that previews the transfer. `PendingTransfer` shows the result. */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import * as limitsMessages from '#contract/messages/limits.ts';
import * as scheduledMessages from '#contract/messages/scheduled.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { dollarsToCents } from '#contract/money.ts';
import { AmountField } from '#web/bank/AmountField.tsx';
import { DescriptionField } from '#web/bank/DescriptionField.tsx';
import { ExternalFields } from '#web/bank/ExternalFields.tsx';
import { HolderField } from '#web/bank/HolderField.tsx';
import { LeaveGuard } from '#web/bank/LeaveGuard.tsx';
import type { ScheduleDraft } from '#web/bank/scheduleDraft.ts';
import { useLinkedDialog } from '#web/bank/useLinkedDialog.ts';
import { focusField } from '#web/base/formRules.ts';
import { useAmountsHidden } from '#web/base/hiddenAmounts.ts';
import { selectCustomer } from '#web/base/session.ts';
import { useAppDispatch, useAppSelector } from '#web/base/store.ts';
import { useDailyLimitQuery, useFrozenHelp } from '#web/features/settings/limitsCalls.ts';
import { useBalanceQuery } from '#web/features/transactions/transactionsCalls.ts';
import { Navigate } from '#web/router/Navigate.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Icon } from '#web/ui/Icon.tsx';
import { LockNote } from '#web/ui/LockNote.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Segmented } from '#web/ui/Segmented.tsx';
import { AvailableBalance } from './AvailableBalance.tsx';
import { FormBanner } from './FormBanner.tsx';
import { PayeeSheet } from './PayeeSheet.tsx';
import { findSaved, isComplete, receiverOf } from './payees.ts';
import { useListPayeesQuery } from './payeesCalls.ts';
import { SavePayee } from './SavePayee.tsx';
import { sendMoney } from './sendMoney.ts';
import { TransferSlip } from './TransferSlip.tsx';
import { amountOf, describeLimit } from './transferForm.ts';
import { selectTransfer } from './transferSlice.ts';
import { useTransferForm } from './useTransferForm.ts';
import { payeeWords, words } from './words.ts';
import './TransferScreen.css';

const noteId = 'transfer-closed';
const kindOptions = [
  { value: 'internal', label: transferMessages.internal },
  { value: 'external', label: transferMessages.external },
] as const;

export function TransferScreen() {
  const { accountNumber: own = '', isFrozen = false } = useAppSelector(selectCustomer) ?? {};
  const { loading, pressed, error, message } = useAppSelector(selectTransfer);
  const frozenHelp = useFrozenHelp();
  const hidden = useAmountsHidden();
  const dispatch = useAppDispatch();
  const balance = useBalanceQuery();
  const { data: limit } = useDailyLimitQuery();
  const balanceCents = balance.data && dollarsToCents(balance.data.balance);
  const state = useTransferForm(own, balanceCents, hidden, limit);
  const { kind, form, sending, receiver, errorOf } = state;
  const internal = kind === 'internal';
  // A press while the receiver is being looked up waits for the answer.
  const [isWaiting, setIsWaiting] = useState(false);
  const [isSending, setIsSending] = useState(false);
  const payeeList = useLinkedDialog('payees');
  /** Set when the customer wants to repeat the transfer: the form to schedule it opens with these values. */
  const [repeated, setRepeated] = useState<ScheduleDraft>();
  const payeesQuery = useListPayeesQuery();
  const payees = payeesQuery.data;
  // The amount that exceeded the daily limit. The error at the field disappears when the customer changes the amount.
  const [overLimit, setOverLimit] = useState<string>();
  const isLate = loading && message !== '';
  const isOverLimit = error && message === limitsMessages.exceeded;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the amount at the time of the refusal
  useEffect(() => {
    if (isOverLimit) setOverLimit(form.amount);
  }, [isOverLimit]);
  const isGone = error && message === transferMessages.accountNotFound;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each refusal
  useEffect(() => {
    if (isGone && receiver.state === 'found') state.again();
  }, [isGone]);
  const fields = useRef<HTMLFormElement>(null);
  const sendButton = useRef<HTMLButtonElement>(null);

  const change: typeof state.change = changed => {
    setIsWaiting(false);
    state.change(changed);
  };
  const send = async () => {
    setIsSending(true);
    const holder = receiver.state === 'found' ? receiver.found.accountName : undefined;
    const isSent = await dispatch(sendMoney(sending, holder));
    setIsSending(false);
    if (isSent) state.clear(form);
  };
  const press = () => {
    if (loading) return;
    const [first] = state.check();
    if (first) focusField(fields.current, first.field);
    else if (internal && receiver.state === 'verifying') setIsWaiting(true);
    else void send();
  };
  useEffect(() => {
    if (!isWaiting || receiver.state === 'verifying') return;
    setIsWaiting(false);
    press();
  });
  const onEnter = (event: KeyboardEvent<HTMLFormElement>) => {
    const isInField = event.target instanceof HTMLInputElement;
    if (event.key !== 'Enter' || !isInField || event.nativeEvent.isComposing) return;
    event.preventDefault();
    sendButton.current?.focus();
  };

  const amountField = {
    get current() {
      return fields.current?.querySelector<HTMLElement>('[name="amount"]') ?? null;
    },
  };
  return (
    <>
      <div className="TransferScreen-head">
        <h1 className="type-title">{transferMessages.title}</h1>
        <Button kind="quiet" icon="calendar" to="/dashboard/scheduled">
          {scheduledMessages.list}
        </Button>
      </div>
      <form
        ref={fields}
        className="TransferScreen-columns"
        noValidate
        onKeyDown={onEnter}
        onSubmit={event => {
          // Only the button's own click sends.
          event.preventDefault();
        }}
      >
        <Panel label={words.form}>
          {isFrozen && (
            <LockNote id={noteId} className="TransferScreen-locked" {...frozenHelp}>
              {words.frozen}
            </LockNote>
          )}
          <AvailableBalance
            balance={balance.data?.balance}
            failed={balance.isError && !balance.data}
            onRetry={balance.refetch}
            hidden={hidden}
          />
          <FormBanner
            hasProblems={state.hasBanner}
            problems={state.remaining}
            kind={kind}
            unanswered={isLate || (loading && !isSending) ? pressed?.sending : undefined}
          />
          <fieldset
            className="TransferScreen-fields"
            disabled={isFrozen}
            aria-label={words.form}
            aria-describedby={isFrozen ? noteId : undefined}
          >
            <Segmented
              legend={words.kind}
              value={kind}
              onChange={state.choose}
              options={kindOptions}
              disabled={isSending}
            />
            <Button className="TransferScreen-choose" kind="quiet" icon="users" onClick={payeeList.open}>
              {payeeWords.choose}
            </Button>
            {internal ? (
              <HolderField
                guided
                name="receiverAccountNumber"
                label={transferMessages.receiver}
                hint={words.numberHint}
                value={form.receiverAccountNumber}
                onChange={receiverAccountNumber => change({ receiverAccountNumber })}
                onBlur={() => state.leave('receiverAccountNumber')}
                holder={receiver}
                onAgain={state.again}
                isMissing={errorOf('receiverAccountNumber') !== undefined}
              >
                {({ accountName }) => (
                  <div>
                    <b>
                      {accountName}
                      <Icon name="check" size={18} label={words.verified} />
                    </b>
                    <span>{words.holderHint}</span>
                  </div>
                )}
              </HolderField>
            ) : (
              <ExternalFields form={form} onChange={change} onLeave={state.leave} errorOf={errorOf} />
            )}
            <AmountField
              name="amount"
              label={transferMessages.amount}
              value={form.amount}
              onChange={amount => change({ amount })}
              onBlur={() => state.leave('amount')}
              hint={hidden ? undefined : describeLimit(limit)}
              error={
                errorOf('amount') ??
                (overLimit !== undefined && overLimit === form.amount ? limitsMessages.exceeded : undefined)
              }
            />
            <DescriptionField
              value={form.description}
              onChange={description => change({ description })}
              onBlur={() => state.leave('description')}
              error={errorOf('description')}
            />
            <Button
              className="TransferScreen-repeat"
              kind="text"
              size="s"
              icon="calendar"
              onClick={() => {
                const { kind, accountNumber, ...names } = receiverOf(sending);
                const saved = findSaved(payees ?? [], { accountNumber, ...names });
                const { amount, description } = form;
                const to = saved
                  ? { to: saved._id }
                  : { to: kind, receiverAccountNumber: accountNumber, ...names };
                setRepeated({ ...to, amount, description });
              }}
            >
              {words.repeat}
            </Button>
            {/* Last in the form, so that nothing moves when it appears while the customer types. */}
            {payees && isComplete(sending, receiver) && (
              <SavePayee payees={payeesQuery} receiver={receiverOf(sending)} />
            )}
          </fieldset>
        </Panel>
        <TransferSlip
          sending={sending}
          to={internal ? (receiver.state === 'found' ? receiver.found.accountName : '') : form.accountName}
          isValid={state.isValid}
          amount={form.amount === '' ? 0n : amountOf(form)}
          // A late transfer may be in the balance already.
          balance={isLate ? undefined : balanceCents}
          hidden={hidden}
          isBusy={loading || isWaiting}
          onSend={press}
          button={sendButton}
          closedBy={isFrozen ? noteId : undefined}
        />
      </form>
      <PayeeSheet
        open={payeeList.isOpen}
        onClose={payeeList.close}
        next={amountField}
        onPick={picked => {
          setIsWaiting(false);
          state.pick(picked);
        }}
      />
      <LeaveGuard asks="form" when={state.isChanged && !isSending && !repeated} />
      {repeated && <Navigate to="/dashboard/scheduled" state={{ draft: repeated }} />}
    </>
  );
}
