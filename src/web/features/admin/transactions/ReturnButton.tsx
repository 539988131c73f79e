/**
 * Returns an outgoing payment that is held because its sender's account is frozen. The call needs no idempotency key, because a
 * second return is refused.
 */
import { useState } from 'react';
import { limitsApi } from '#contract/limits.ts';
import * as limitsMessages from '#contract/messages/limits.ts';
import { formatDollars } from '#contract/money.ts';
import { FormDialog } from '#web/bank/FormDialog.tsx';
import { Button } from '#web/ui/Button.tsx';
import { useAdminTransactionQuery } from '../adminCalls.ts';
import { useReturnHeldPaymentMutation } from '../customerCalls.ts';
import { type Failure, failureOf } from '../panel/actRefusalText.ts';
import { useMay } from '../panel/useRole.ts';
import { type Notice, NoticeDialog } from '../users/NoticeDialog.tsx';
import { words } from '../words.ts';
import { payerOf } from './transactionSides.ts';

export function ReturnButton({ id }: { id: string }) {
  const { currentData } = useAdminTransactionQuery({ params: { id } });
  const may = useMay();
  const [giveBack, { isLoading }] = useReturnHeldPaymentMutation();
  const [open, setOpen] = useState(false);
  const [failed, setFailed] = useState<Failure>();
  const [notice, setNotice] = useState<Notice>();

  const confirm = async () => {
    setFailed(undefined);
    const answer = await giveBack({ params: { id } });
    if (!answer.data) return setFailed(failureOf(answer.error));
    setOpen(false);
    setNotice({ kind: 'success', message: answer.data.message });
  };

  if (!currentData || !may(limitsApi.returnHeldPayment)) return null;
  const over = currentData.status === 'failed' ? words.alreadyReturned : limitsMessages.notHeld;
  return (
    <>
      {currentData.isHeld && (
        <Button
          kind="quiet"
          icon="back"
          onClick={() => {
            setFailed(undefined);
            setOpen(true);
          }}
        >
          {words.returnPayment}
        </Button>
      )}
      <FormDialog
        open={open}
        onClose={() => setOpen(false)}
        title={words.returnTitle}
        description={words.returnText(formatDollars(currentData.amount), payerOf(currentData))}
        kind="danger"
        submitLabel={words.returnPayment}
        busy={isLoading}
        failed={failed}
        over={open && !currentData.isHeld && over}
        onSubmit={confirm}
      />
      <NoticeDialog notice={notice} onClose={() => setNotice(undefined)} />
    </>
  );
}
