/** Returns a payment to another bank that is held because its sender's account is frozen. A second return is refused. */
import { useState } from 'react';
import { limitsApi } from '#contract/limits.ts';
import * as appMessages from '#contract/messages/app.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import { formatDollars } from '#contract/money.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { useAdminTransactionQuery } from '../adminCalls.ts';
import { useReturnHeldPaymentMutation } from '../customerCalls.ts';
import { staffRefusalText } from '../panel/actRefusalText.ts';
import { useMay } from '../panel/useRole.ts';
import { type Notice, NoticeDialog } from '../users/NoticeDialog.tsx';
import { words } from '../words.ts';
import { payerOf } from './transactionSides.ts';

export function ReturnButton({ id }: { id: string }) {
  const { currentData, refetch } = useAdminTransactionQuery({ params: { id } });
  const may = useMay();
  const [giveBack, { isLoading }] = useReturnHeldPaymentMutation();
  const [open, setOpen] = useState(false);
  const [failed, setFailed] = useState('');
  const [notice, setNotice] = useState<Notice>();

  const confirm = async () => {
    setFailed('');
    const answer = await giveBack({ params: { id } });
    if (!answer.data) {
      // The customer or a colleague acted first.
      void refetch();
      return setFailed(staffRefusalText(answer.error, errorMessages.fault));
    }
    setOpen(false);
    setNotice({ kind: 'success', message: answer.data.message });
  };

  if (!currentData || !may(limitsApi.returnHeldPayment)) return null;
  return (
    <>
      {currentData.isHeld && (
        <Button
          kind="quiet"
          icon="back"
          onClick={() => {
            setFailed('');
            setOpen(true);
          }}
        >
          {words.returnPayment}
        </Button>
      )}
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        dismissible={!isLoading}
        title={words.returnTitle}
        description={words.returnText(formatDollars(currentData.amount), payerOf(currentData))}
        actions={
          <>
            <Button kind="quiet" disabled={isLoading} onClick={() => setOpen(false)}>
              {appMessages.cancel}
            </Button>
            <Button kind="danger" busy={isLoading} onClick={() => void confirm()}>
              {words.returnPayment}
            </Button>
          </>
        }
      >
        {failed && <Banner kind="error" title={failed} />}
      </Dialog>
      <NoticeDialog notice={notice} onClose={() => setNotice(undefined)} />
    </>
  );
}
