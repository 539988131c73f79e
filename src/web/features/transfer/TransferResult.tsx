/**
 * The dialog about a transfer, in one of the specification's four kinds: success, pending, error, or processing while the
 * answer is late. It also asks whether to repeat a transfer whose answer an earlier session never got.
 */
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { formatAccountNumber } from '#contract/accountNumber.ts';
import { dayAndTime } from '#contract/bankTime.ts';
import type { Transaction } from '#contract/entities.ts';
import { fill } from '#contract/messages/fill.ts';
import * as stepUpMessages from '#contract/messages/stepUp.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import type { Payee } from '#contract/payees.ts';
import { recordsApi } from '#contract/records.ts';
import { formatExternalNumber } from '#contract/transfer.ts';
import { ResultDialog, type ResultDialogProps } from '#web/bank/ResultDialog.tsx';
import { nameOf } from '#web/bank/transactionReading.ts';
import * as bankWords from '#web/bank/words.ts';
import { useAppDispatch, useAppSelector } from '#web/base/store.ts';
import { useSaveFile } from '#web/base/useSaveFile.ts';
import { useTransactionQuery } from '#web/features/transactions/transactionsCalls.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Ranges } from '#web/ui/Ranges.tsx';
import { useLastKnown } from '#web/ui/useLastKnown.ts';
import { findSaved, receiverOf, titleOf } from './payees.ts';
import { useListPayeesQuery } from './payeesCalls.ts';
import { SavePayee } from './SavePayee.tsx';
import { formatNumber, numberOf } from './sending.ts';
import { answerQuestion, closeTransfer } from './sendMoney.ts';
import { type Question, selectTransfer, type TransferState } from './transferSlice.ts';
import { words } from './words.ts';
import './TransferResult.css';

export function TransferResult() {
  const transfer = useAppSelector(selectTransfer);
  const dispatch = useAppDispatch();
  const { transaction, question } = transfer;
  const payeesQuery = useListPayeesQuery(undefined, { skip: !transaction && !question });
  const payees = payeesQuery.data;
  const isExternal = transaction?.type === 'external-transfer';
  const detail = useTransactionQuery({ params: { id: transaction?._id ?? '' } }, { skip: !isExternal });
  const cancelUntil = isExternal ? detail.currentData?.cancelUntil : undefined;
  const result = useMemo(
    () => describeTransfer(transfer, payees, cancelUntil),
    [transfer, payees, cancelUntil],
  );
  const text = useRef<HTMLSpanElement>(null);
  // Closing the dialog while the answer is late only hides it: the result opens it again. A closed question returns with the
  // next press or page load.
  const [putAway, setPutAway] = useState('');
  const [problem, setProblem] = useState('');
  if (!result && putAway) setPutAway('');
  const last = useLastKnown(result);
  const { save, bytes } = useSaveFile(words.receiptFailedText);
  const receiver = transfer.pressed && receiverOf(transfer.pressed.sending);
  if (!last) return null;
  const saveReceipt = async (id: string) => {
    setProblem('');
    setProblem((await save(recordsApi.receipt, { params: { id } })) ?? '');
  };
  const close = () => {
    setProblem('');
    if (transfer.loading || question) setPutAway(last.key);
    else dispatch(closeTransfer());
  };
  const { key: _, isQuestion, subtitle, ...shown } = last;
  const focusable = (content: ReactNode) => (
    <span ref={text} className="TransferResult-text" tabIndex={-1}>
      {content}
    </span>
  );
  return (
    <ResultDialog
      {...shown}
      {...(subtitle ? { subtitle: focusable(subtitle) } : { message: focusable(shown.message) })}
      // The text gets the focus, not a button: an Enter meant for the login must not answer the question, and one meant for
      // the code of a confirmation must not close the result.
      initialFocus={isQuestion || transfer.pressed?.isAsked ? text : undefined}
      answers={
        isQuestion && (
          <>
            <Button wide onClick={() => dispatch(answerQuestion(true))}>
              {words.checkAndSend}
            </Button>
            <Button kind="quiet" wide onClick={() => dispatch(answerQuestion(false))}>
              {words.discard}
            </Button>
          </>
        )
      }
      open={result !== undefined && result.key !== putAway}
      onClose={close}
      more={
        !isQuestion &&
        last.rows && (
          <>
            {payees && receiver && (
              <SavePayee payees={payeesQuery} receiver={receiver} paidAt={transaction?.timestamp} />
            )}
            <Button
              kind="text"
              to={`/dashboard/transactions/${last.key}`}
              onClick={() => dispatch(closeTransfer())}
            >
              {words.seeIt}
            </Button>
            <Button kind="text" busy={bytes !== undefined} onClick={() => void saveReceipt(last.key)}>
              {bankWords.downloadReceipt}
            </Button>
            {problem && (
              <Banner kind="error" title={words.receiptFailed}>
                {problem}
              </Banner>
            )}
          </>
        )
      }
    />
  );
}

type Shown = Omit<ResultDialogProps, 'open' | 'onClose'> & { key: string; isQuestion?: true };

/** Returns the dialog's content for a transfer; undefined if there is none or its answer is not late yet. */
function describeTransfer(
  transfer: TransferState,
  payees: readonly Payee[] = [],
  cancelUntil?: string,
): Shown | undefined {
  const { loading, error, message, transaction, unconfirmed, pressed, question } = transfer;
  if (question) {
    return {
      key: `question ${question.key}`,
      isQuestion: true,
      kind: 'warning',
      title: words.questionTitle,
      message: words.questionText,
      subtitle: words.questionHint,
      amountDollars: question.sending.body.amount,
      rows: questionRows(question, payees),
    };
  }
  if (loading) {
    return message === ''
      ? undefined
      : {
          key: 'late',
          kind: 'processing',
          title: transferMessages.processingTitle,
          message,
          subtitle: words.processingHint,
        };
  }
  if (error) {
    const key = `refused ${message}`;
    if (message === transferMessages.unconfirmed)
      return { key, kind: 'error', title: words.unconfirmedTitle, message };
    // The reason why nothing can confirm the transfer says so itself.
    const nothingSent = !message.includes(stepUpMessages.nothingDone) && transferMessages.nothingSent;
    const subtitle = unconfirmed ? words.checkFirst : nothingSent;
    return { key, kind: 'error', title: transferMessages.failedTitle, message, subtitle };
  }
  if (!transaction) return undefined;
  const external = transaction.type === 'external-transfer';
  return {
    key: transaction._id,
    kind: external ? 'pending' : 'success',
    title: external ? transferMessages.initiatedTitle : transferMessages.successfulTitle,
    message: external ? <Ranges>{transferMessages.initiatedText}</Ranges> : transferMessages.successfulText,
    subtitle: external ? (
      <>
        {words.onItsWay}{' '}
        {/* Invisible until the bank says when canceling ends, but takes its space, so that the dialog does not grow. */}
        <span className={cancelUntil ? undefined : 'TransferResult-reserved'}>
          {fill(bankWords.cancelUntil, { when: dayAndTime(cancelUntil ?? transaction.timestamp) })}
        </span>
      </>
    ) : (
      words.arrived
    ),
    amountDollars: transaction.amount,
    rows: receiptRows(transaction, pressed ? numberOf(pressed.sending) : ''),
  };
}

function questionRows({ sending, pressedAt }: Question, payees: readonly Payee[]) {
  const receiver = receiverOf(sending);
  const saved = findSaved(payees, receiver);
  const name = 'accountName' in receiver ? receiver.accountName : saved && titleOf(saved);
  const { description } = sending.body;
  return [
    name && { label: words.to, value: name },
    'bankName' in receiver && { label: bankWords.bank, value: receiver.bankName },
    { label: words.account, value: formatNumber(sending) },
    description && { label: transferMessages.description, value: description },
    { label: words.started, value: dayAndTime(new Date(pressedAt)) },
  ];
}

function receiptRows(transaction: Transaction, accountNumber: string) {
  const { externalBankDetails: bank, receiver, description, reference, timestamp } = transaction;
  const number = bank ? formatExternalNumber(bank.accountNumber) : formatAccountNumber(accountNumber);
  return [
    { label: words.to, value: bank?.accountName ?? nameOf(receiver) ?? words.dash },
    bank && { label: bankWords.bank, value: bank.bankName },
    number && { label: words.account, value: number },
    description && { label: transferMessages.description, value: description },
    { label: words.reference, value: reference },
    { label: words.date, value: dayAndTime(timestamp) },
  ];
}
