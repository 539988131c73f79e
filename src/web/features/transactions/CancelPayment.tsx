/** Cancels a payment that is not at the other bank's side yet, after a question. Says until when that works. */
import { useState } from 'react';
import { dayAndTime } from '#contract/bankTime.ts';
import type { TransactionDetail } from '#contract/entities.ts';
import { fill } from '#contract/messages/fill.ts';
import { formatDollars } from '#contract/money.ts';
import * as bankWords from '#web/bank/words.ts';
import { errorMessage } from '#web/base/callError.ts';
import { useCancelTransactionMutation } from '#web/features/settings/limitsCalls.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { words } from './words.ts';
import './CancelPayment.css';

export function CancelPayment({ transaction }: { transaction: TransactionDetail }) {
  const { _id: id, amount, cancelUntil = '' } = transaction;
  const [isAsking, setIsAsking] = useState(false);
  const [cancel, { isLoading, error, reset }] = useCancelTransactionMutation();
  const close = () => {
    setIsAsking(false);
    reset();
  };
  const confirm = async () => {
    const { data } = await cancel({ params: { id } });
    if (data) close();
  };
  return (
    <>
      <p className="CancelPayment-until type-small">
        {fill(bankWords.cancelUntil, { when: dayAndTime(cancelUntil) })}
      </p>
      <Button kind="danger" onClick={() => setIsAsking(true)}>
        {words.cancelPayment}
      </Button>
      <Dialog
        open={isAsking}
        onClose={close}
        dismissible={!isLoading}
        title={words.cancelTitle}
        description={fill(words.cancelText, { amount: formatDollars(amount) })}
        actions={
          <>
            <Button kind="quiet" disabled={isLoading} onClick={close}>
              {words.keepPayment}
            </Button>
            <Button kind="danger" busy={isLoading} busyLabel={words.canceling} onClick={() => void confirm()}>
              {words.cancelPayment}
            </Button>
          </>
        }
      >
        {error !== undefined && <Banner kind="error" title={errorMessage(error, words.cancelFailed)} />}
      </Dialog>
    </>
  );
}
