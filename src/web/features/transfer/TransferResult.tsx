/** The dialog for a transfer's answer, or for an answer that is late: the specification's four kinds. */
import { useMemo, useState } from 'react';
import { formatAccountNumber } from '#contract/accountNumber.ts';
import { dayAndTime } from '#contract/bankTime.ts';
import type { Transaction } from '#contract/entities.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { formatExternalNumber } from '#contract/transfer.ts';
import { ResultDialog, type ResultDialogProps } from '#web/bank/ResultDialog.tsx';
import { nameOf } from '#web/bank/transactionReading.ts';
import { useAppDispatch, useAppSelector } from '#web/base/store.ts';
import { Button } from '#web/ui/Button.tsx';
import { useLastKnown } from '#web/ui/useLastKnown.ts';
import { receiverOf } from './payees.ts';
import { useListPayeesQuery } from './payeesCalls.ts';
import { SavePayee } from './SavePayee.tsx';
import { numberOf } from './sending.ts';
import { closeTransfer } from './sendMoney.ts';
import { selectTransfer, type TransferState } from './transferSlice.ts';
import { words } from './words.ts';

export function TransferResult() {
  const transfer = useAppSelector(selectTransfer);
  const dispatch = useAppDispatch();
  const result = useMemo(() => describeTransfer(transfer), [transfer]);
  // Closing the dialog while the answer is late only hides it: the result opens it again.
  const [putAway, setPutAway] = useState('');
  if (!result && putAway) setPutAway('');
  const last = useLastKnown(result);
  const { data: payees } = useListPayeesQuery(undefined, { skip: !transfer.transaction });
  const receiver = transfer.pressed && receiverOf(transfer.pressed.sending);
  if (!last) return null;
  const close = () => {
    if (transfer.loading) setPutAway(last.key);
    else dispatch(closeTransfer());
  };
  const { key: _, ...shown } = last;
  return (
    <ResultDialog
      {...shown}
      open={result !== undefined && result.key !== putAway}
      onClose={close}
      action={
        last.rows && (
          <>
            {payees && receiver && <SavePayee payees={payees} receiver={receiver} />}
            <Button
              kind="text"
              to={`/dashboard/transactions/${last.key}`}
              onClick={() => dispatch(closeTransfer())}
            >
              {words.seeIt}
            </Button>
          </>
        )
      }
    />
  );
}

type Shown = Omit<ResultDialogProps, 'open' | 'onClose'> & { key: string };

/** Returns the dialog's content for a transfer; undefined if there is none or its answer is not late yet. */
function describeTransfer(transfer: TransferState): Shown | undefined {
  const { loading, error, message, transaction, unconfirmed, pressed } = transfer;
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
    const subtitle = unconfirmed ? words.checkFirst : transferMessages.nothingSent;
    return { key, kind: 'error', title: transferMessages.failedTitle, message, subtitle };
  }
  if (!transaction) return undefined;
  const external = transaction.type === 'external-transfer';
  return {
    key: transaction._id,
    kind: external ? 'pending' : 'success',
    title: external ? transferMessages.initiatedTitle : transferMessages.successfulTitle,
    message: external ? transferMessages.initiatedText : transferMessages.successfulText,
    subtitle: external ? words.onItsWay : words.arrived,
    amountDollars: transaction.amount,
    rows: receiptRows(transaction, pressed ? numberOf(pressed.sending) : ''),
  };
}

function receiptRows(transaction: Transaction, accountNumber: string) {
  const { externalBankDetails: bank, receiver, description, reference, timestamp } = transaction;
  const number = bank ? formatExternalNumber(bank.accountNumber) : formatAccountNumber(accountNumber);
  return [
    { label: words.to, value: bank?.accountName ?? nameOf(receiver) ?? words.dash },
    ...(bank ? [{ label: words.bank, value: bank.bankName }] : []),
    ...(number ? [{ label: words.account, value: number }] : []),
    ...(description ? [{ label: transferMessages.description, value: description }] : []),
    { label: words.reference, value: reference },
    { label: words.date, value: dayAndTime(timestamp) },
  ];
}
