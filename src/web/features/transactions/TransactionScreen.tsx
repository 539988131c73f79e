/**
 * One transaction at its own URL, in a sheet over its list; on phones it fills the page. It prints as a receipt on one
 * sheet of paper.
 */
import { useEffect } from 'react';
import * as z from 'zod/mini';
import { bank } from '#contract/constants.ts';
import { id as transactionId } from '#contract/fields.ts';
import * as appMessages from '#contract/messages/app.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import { recordsApi } from '#contract/records.ts';
import { LoadFailed } from '#web/bank/LoadFailed.tsx';
import { Logo } from '#web/bank/Logo.tsx';
import { useClose } from '#web/bank/openedRow.ts';
import { readTransaction } from '#web/bank/transactionReading.ts';
import * as bankWords from '#web/bank/words.ts';
import { type CallError, errorMessage } from '#web/base/callError.ts';
import { selectCustomer } from '#web/base/session.ts';
import { useAppSelector } from '#web/base/store.ts';
import { useSaveFile } from '#web/base/useSaveFile.ts';
import { useLocation, useParams } from '#web/router/hooks.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { IconButton } from '#web/ui/IconButton.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { CancelPayment } from './CancelPayment.tsx';
import { TransactionFacts } from './TransactionFacts.tsx';
import { useTransactionQuery } from './transactionsCalls.ts';
import { words } from './words.ts';
import './TransactionScreen.css';

export function TransactionScreen() {
  const { id = '' } = useParams();
  const known = z.safeParse(transactionId, id).success;
  const {
    currentData: transaction,
    error,
    refetch,
  } = useTransactionQuery({ params: { id } }, { skip: !known });
  const customer = useAppSelector(selectCustomer);
  // Back to the list with its filters.
  const close = useClose({ pathname: '/dashboard/transactions', search: useLocation().search });
  useFocusOnRow(id);
  const { save, bytes, failed } = useSaveFile(words.receiptFailedText);
  if (!customer) return null;
  const refusal = error as CallError | undefined;
  const missing = !known || refusal?.code === 'NOT_FOUND';
  return (
    <Dialog
      open
      onClose={close}
      finalFocus={leaveFocus}
      size="side"
      className="TransactionScreen"
      top={
        <>
          <header className="TransactionScreen-letterhead">
            <Logo />
            <p>
              {bank.name}
              <br />
              {bank.address}
            </p>
          </header>
          <IconButton
            className="TransactionScreen-close"
            icon="close"
            label={appMessages.close}
            onClick={close}
          />
        </>
      }
      title={transaction ? readTransaction(transaction, customer._id).title : transactionsMessages.one}
      actions={
        transaction && (
          <>
            <Button kind="quiet" icon="document" onClick={() => window.print()}>
              {words.printReceipt}
            </Button>
            <Button
              kind="quiet"
              icon="download"
              busy={bytes !== undefined}
              onClick={() => void save(recordsApi.receipt, { params: { id } })}
            >
              {bankWords.downloadReceipt}
            </Button>
            <CancelPayment key={id} transaction={transaction} onStale={refetch} />
          </>
        )
      }
    >
      {failed && (
        <Banner kind="error" title={words.receiptFailed}>
          {failed}
        </Banner>
      )}
      {transaction ? (
        <TransactionFacts transaction={transaction} customer={customer} />
      ) : missing ? (
        <EmptyState
          title={transactionsMessages.notFound}
          action={
            <Button kind="quiet" to="/dashboard/transactions">
              {words.toAll}
            </Button>
          }
        >
          {transactionsMessages.notFoundText}
        </EmptyState>
      ) : refusal ? (
        <LoadFailed
          className="TransactionScreen-wait"
          title={words.oneFailed}
          text={errorMessage(refusal, errorMessages.fault)}
          onRetry={refetch}
        />
      ) : (
        <Skeleton className="TransactionScreen-wait" kind="text" count={9} label={words.loadingOne} />
      )}
    </Dialog>
  );
}

/** Leaves the focus to `useFocusOnRow`: the dialog would set it before the overview has rendered its rows again. */
const leaveFocus = (): false => false;

/** On closing, focuses the transaction's row in whichever list is shown. */
function useFocusOnRow(id: string): void {
  useEffect(
    () => () =>
      document
        .querySelector<HTMLElement>(`main a[href*="/transactions/${CSS.escape(id)}"]`)
        ?.focus({ preventScroll: true }),
    [id],
  );
}
