/**
 * Says how long a payment to another bank can be canceled. Asks for confirmation, then cancels it. After the cut-off or a
 * refusal, `onStale` reads the payment again. The button disappears once the payment is submitted.
 */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { dayAndTime } from '#contract/bankTime.ts';
import type { TransactionDetail } from '#contract/entities.ts';
import * as appMessages from '#contract/messages/app.ts';
import { fill } from '#contract/messages/fill.ts';
import * as limitsMessages from '#contract/messages/limits.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import { formatDollars } from '#contract/money.ts';
import * as bankWords from '#web/bank/words.ts';
import { isUncertain } from '#web/base/callError.ts';
import { type ActedOn, useActs } from '#web/base/useActs.ts';
import { useCancelTransactionMutation } from '#web/features/settings/limitsCalls.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { words } from './words.ts';
import './CancelPayment.css';

/** This long after the cut-off, the payment has been submitted, unless it is held or late. */
const submitMs = 5_000;

const wasCanceled = ({ returnReason }: TransactionDetail) =>
  returnReason === transactionsMessages.canceledReason;

export type CancelPaymentProps = {
  transaction: TransactionDetail;
  onStale: ActedOn<TransactionDetail>['refetch'];
};

export function CancelPayment({ transaction, onStale }: CancelPaymentProps) {
  const { _id: id, amount, cancelUntil, isHeld } = transaction;
  const [isAsking, setIsAsking] = useState(false);
  const [result, setResult] = useState<'answered' | 'lost'>();
  // After a lost answer, the payment may have been sent instead.
  const isLostCanceled = result === 'lost' && wasCanceled(transaction);
  const isCanceled = result === 'answered' || isLostCanceled;
  const done = useRef<HTMLDivElement>(null);
  const [cancel] = useCancelTransactionMutation();
  const { act, busy, failed, isUnknown, reset } = useActs(
    { data: transaction, refetch: onStale },
    words.cancelFailed,
  );
  const isBusy = busy !== undefined;
  // It was refused or not received in time, or the cut-off has passed while the question was open.
  const isOver = isAsking && !isBusy && cancelUntil === undefined && !isCanceled;
  const isTooLate = isOver && (isUnknown || failed === '');
  const closeButton = useRef<HTMLButtonElement>(null);
  // When `isOver`, the button that had the focus has disappeared.
  useEffect(() => {
    if (isOver) closeButton.current?.focus();
  }, [isOver]);
  const readAgain = useEffectEvent(() => void onStale());
  useEffect(() => {
    if (cancelUntil === undefined) return undefined;
    const wait = Date.parse(cancelUntil) - Date.now() + submitMs;
    const timer = setTimeout(readAgain, wait);
    return () => clearTimeout(timer);
  }, [cancelUntil]);
  const close = () => {
    setIsAsking(false);
    reset();
  };
  const confirm = async () => {
    const { hasWorked, error } = await act(
      'cancel',
      () => cancel({ params: { id } }),
      now => !wasCanceled(now),
    );
    if (hasWorked || (error && isUncertain(error))) setResult(error ? 'lost' : 'answered');
    if (hasWorked) setIsAsking(false);
  };
  return (
    <>
      {isCanceled && (
        <div ref={done} className="CancelPayment-done" tabIndex={-1}>
          <Banner kind="success" title={limitsMessages.canceled} />
        </div>
      )}
      {cancelUntil !== undefined && (
        <>
          <p className="CancelPayment-until type-small">
            {/* While a freeze holds the payment, each cut-off passes without it. */}
            {isHeld
              ? bankWords.cancelWhileHeld
              : fill(bankWords.cancelUntil, { when: dayAndTime(cancelUntil) })}
          </p>
          <Button kind="danger" onClick={() => setIsAsking(true)}>
            {words.cancelPayment}
          </Button>
        </>
      )}
      <Dialog
        // After a lost answer and a failed read, a later read can say that the payment was canceled. Nothing is left to ask.
        open={isAsking && !isLostCanceled}
        onClose={close}
        dismissible={!isBusy}
        // After a cancellation, the button that opened the question is gone.
        finalFocus={isCanceled ? done : undefined}
        title={isOver ? words.cancelPayment : words.cancelTitle}
        description={isOver ? undefined : fill(words.cancelText, { amount: formatDollars(amount) })}
        actions={
          <>
            <Button ref={closeButton} kind="quiet" disabled={isBusy} onClick={close}>
              {isOver ? appMessages.close : words.keepPayment}
            </Button>
            {!isOver && (
              <Button kind="danger" busy={isBusy} busyLabel={words.canceling} onClick={() => void confirm()}>
                {words.cancelPayment}
              </Button>
            )}
          </>
        }
      >
        {(failed || isOver) && (
          <Banner
            className="CancelPayment-failed"
            kind={isTooLate ? 'info' : isUnknown ? 'warning' : 'error'}
            title={isTooLate ? words.cancelOver : failed}
          />
        )}
      </Dialog>
    </>
  );
}
