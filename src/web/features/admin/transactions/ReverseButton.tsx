/** Reverses a credit or a transfer between two customers, with a reason. Every role sees a link to a waiting request for it. */
import { useState } from 'react';
import { adminCustomersApi } from '#contract/adminCustomers.ts';
import type { TransactionStory } from '#contract/entities.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import { formatDollars } from '#contract/money.ts';
import { useAppDispatch } from '#web/base/store.ts';
import { Button } from '#web/ui/Button.tsx';
import { useAdminTransactionQuery } from '../adminCalls.ts';
import { customerCalls } from '../customerCalls.ts';
import { moneyRefusalText } from '../panel/actRefusalText.ts';
import { ReasonDialog } from '../panel/ReasonDialog.tsx';
import { useKeyedPress } from '../panel/useKeyedPress.ts';
import { useMay } from '../panel/useRole.ts';
import { useSecondPerson } from '../panel/useSecondPerson.ts';
import { requestAddress } from '../panel/viewAddress.ts';
import { MatchWarning } from '../screening/MatchWarning.tsx';
import { screeningWords } from '../screening/screeningWords.ts';
import { usePayeeMatch } from '../screening/usePayeeMatch.ts';
import { type Notice, NoticeDialog, noticeOf } from '../users/NoticeDialog.tsx';
import { words } from '../words.ts';
import { payeeOf, refundedOf } from './transactionSides.ts';

/** Whether a transaction is of a kind that can be reversed and was not reversed yet. The bank checks balances and accounts. */
function isReversible({ type, status, sender, receiver, reversedBy }: TransactionStory): boolean {
  if (status !== 'completed' || reversedBy) return false;
  return type === 'admin-credit' || (type === 'transfer' && sender !== undefined && receiver !== undefined);
}

export function ReverseButton({ id }: { id: string }) {
  const { currentData } = useAdminTransactionQuery({ params: { id } });
  const may = useMay();
  const [open, setOpen] = useState(false);
  const needsSecond = useSecondPerson(!open)(currentData?.amount);
  const dispatch = useAppDispatch();
  const [notice, setNotice] = useState<Notice>();
  const press = useKeyedPress();
  const payee = usePayeeMatch(open ? currentData?.senderAccountNumber : undefined);

  const reverse = async (reason: string) => {
    const outcome = await press(JSON.stringify([id, reason]), keyed =>
      dispatch(customerCalls.endpoints.reverse.initiate({ ...keyed, params: { id }, body: { reason } })),
    );
    if ('error' in outcome) {
      const { isUnknown, error } = outcome;
      return { text: isUnknown ? words.reverseUnknown : moneyRefusalText(error), isUnknown };
    }
    setOpen(false);
    setNotice(noticeOf(outcome.data, outcome.message));
    return undefined;
  };

  if (!currentData) return null;
  const { reversalRequestId, reversedBy } = currentData;
  // A colleague acted while the dialog is open.
  const over = reversedBy ? staffMessages.reversedBefore : reversalRequestId && words.waitingForSecond;
  return (
    <>
      {reversalRequestId ? (
        <Button kind="quiet" icon="clock" to={`?${requestAddress(reversalRequestId).search}`}>
          {words.waitingForSecond}
        </Button>
      ) : (
        may(adminCustomersApi.reverse) &&
        isReversible(currentData) && (
          <Button kind="quiet" icon="back" onClick={() => setOpen(true)}>
            {words.reverse}
          </Button>
        )
      )}
      <ReasonDialog
        open={open}
        title={words.reverseTitle}
        hint={words.reverseHint(currentData.type === 'admin-credit')}
        needsSecond={needsSecond}
        suggestions={words.reverseReasons}
        kind="danger"
        confirmLabel={words.reverse}
        warning={<MatchWarning state={payee.state} />}
        checking={payee.isChecking && screeningWords.checking}
        over={open && over}
        onConfirm={reverse}
        onClose={() => setOpen(false)}
      >
        {words.reverseText(formatDollars(currentData.amount), payeeOf(currentData), refundedOf(currentData))}
      </ReasonDialog>
      <NoticeDialog notice={notice} onClose={() => setNotice(undefined)} />
    </>
  );
}
