/** Sending money: the form, the slip that previews the transfer, and the dialog with its result. */
import { type SubmitEvent, useEffect, useState } from 'react';
import { maxLength } from '#contract/constants.ts';
import * as appMessages from '#contract/messages/app.ts';
import * as navMessages from '#contract/messages/nav.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { dollarsToCents } from '#contract/money.ts';
import { AmountField } from '#web/bank/AmountField.tsx';
import { HolderField } from '#web/bank/HolderField.tsx';
import { useHolder } from '#web/bank/holder.ts';
import { focusField } from '#web/base/formRules.ts';
import { aboutFrozenAccount } from '#web/base/helpDesk.ts';
import { selectCustomer } from '#web/base/session.ts';
import { useAppDispatch, useAppSelector } from '#web/base/store.ts';
import { useBalanceQuery } from '#web/features/transactions/transactionsCalls.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Icon } from '#web/ui/Icon.tsx';
import { LockNote } from '#web/ui/LockNote.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Segmented } from '#web/ui/Segmented.tsx';
import { TextField } from '#web/ui/TextField.tsx';
import { AvailableBalance } from './AvailableBalance.tsx';
import { ExternalFields } from './ExternalFields.tsx';
import { sendMoney } from './sendMoney.ts';
import { TransferResult } from './TransferResult.tsx';
import { TransferSlip } from './TransferSlip.tsx';
import { useVerifyAccountQuery } from './transferCalls.ts';
import {
  amountOf,
  emptyForm,
  findProblem,
  type Problem,
  sendingOf,
  type TransferField,
  type TransferForm,
  type TransferKind,
} from './transferForm.ts';
import { selectTransfer } from './transferSlice.ts';
import { words } from './words.ts';
import './TransferScreen.css';

const noteId = 'transfer-closed';

const kindOptions = [
  { value: 'internal', label: transferMessages.internal },
  { value: 'external', label: transferMessages.external },
] as const;

export function TransferScreen() {
  const [kind, setKind] = useState<TransferKind>('internal');
  const [form, setForm] = useState(emptyForm);
  // The number typed for the other kind, so that switching the kind and back loses nothing.
  const [otherNumber, setOtherNumber] = useState('');
  // The problem found by the last submit. Its text disappears on the next change, but the banner keeps its space until the
  // next submit, so that nothing moves while the customer corrects the form.
  const [problem, setProblem] = useState<Problem>();
  const [isEdited, setIsEdited] = useState(false);
  const [sentTo, setSentTo] = useState('');
  const { accountNumber: own = '', isFrozen = false } = useAppSelector(selectCustomer) ?? {};
  const { loading, success } = useAppSelector(selectTransfer);
  const dispatch = useAppDispatch();
  const balance = useBalanceQuery();
  const internal = kind === 'internal';
  const number = internal ? form.receiverAccountNumber : '';
  const { holder: receiver, again } = useHolder(useVerifyAccountQuery, number, own);
  useEffect(() => {
    if (!success) return;
    setForm(emptyForm);
    setOtherNumber('');
  }, [success]);

  const sending = sendingOf(kind, form);
  const balanceCents = balance.data && dollarsToCents(balance.data.balance);
  const change = (changed: Partial<TransferForm>) => {
    setForm(before => ({ ...before, ...changed }));
    setIsEdited(true);
  };
  const errorOf = (field: TransferField) =>
    problem?.field === field && !isEdited ? problem.message : undefined;
  const choose = (chosen: TransferKind) => {
    setKind(chosen);
    setProblem(undefined);
    change({ receiverAccountNumber: otherNumber });
    setOtherNumber(form.receiverAccountNumber);
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (loading) return;
    const found = findProblem(sending, form, receiver, balanceCents);
    if (found) {
      // Leaving a field may still reformat its text and clear the problem, so report it afterwards.
      focusField(event.currentTarget, found.field);
      setProblem(found);
      setIsEdited(false);
      return;
    }
    setProblem(undefined);
    setSentTo(form.receiverAccountNumber);
    void dispatch(sendMoney(sending));
  };

  return (
    <>
      <h1 className="type-title">{transferMessages.title}</h1>
      <form className="TransferScreen-columns" noValidate onSubmit={submit}>
        <Panel label={words.form}>
          {isFrozen && (
            <LockNote
              id={noteId}
              className="TransferScreen-locked"
              to={aboutFrozenAccount}
              link={navMessages.askHelpDesk}
            >
              {words.frozen}
            </LockNote>
          )}
          <AvailableBalance
            balance={balance.data?.balance}
            failed={balance.isError && !balance.data}
            onRetry={balance.refetch}
          />
          {problem && (
            <Banner
              className={
                isEdited ? 'TransferScreen-problem TransferScreen-problem--mended' : 'TransferScreen-problem'
              }
              kind="error"
              title={problem.message}
            >
              {problem.detail}
            </Banner>
          )}
          <fieldset
            className="TransferScreen-fields"
            disabled={isFrozen}
            aria-label={words.form}
            aria-describedby={isFrozen ? noteId : undefined}
          >
            <Segmented
              legend={words.kind}
              value={kind}
              onChange={choose}
              options={kindOptions}
              disabled={loading}
            />
            {internal ? (
              <HolderField
                guided
                name="receiverAccountNumber"
                label={transferMessages.receiver}
                hint={words.numberHint}
                value={form.receiverAccountNumber}
                onChange={receiverAccountNumber => change({ receiverAccountNumber })}
                holder={receiver}
                onAgain={again}
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
              <ExternalFields form={form} onChange={change} errorOf={errorOf} />
            )}
            <AmountField
              name="amount"
              label={transferMessages.amount}
              value={form.amount}
              onChange={amount => change({ amount })}
              error={errorOf('amount')}
            />
            <TextField
              name="description"
              label={transferMessages.description}
              optional={appMessages.optional}
              maxLength={maxLength.description}
              autoComplete="off"
              value={form.description}
              onChange={description => change({ description })}
            />
          </fieldset>
        </Panel>
        <TransferSlip
          sending={sending}
          to={internal ? (receiver.state === 'found' ? receiver.found.accountName : '') : form.accountName}
          amount={form.amount === '' ? 0n : amountOf(form)}
          balance={balanceCents}
          busy={loading}
          closedBy={isFrozen ? noteId : undefined}
        />
      </form>
      <TransferResult accountNumber={sentTo} />
    </>
  );
}
