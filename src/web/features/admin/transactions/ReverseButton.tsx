/** Reverses a credit or a transfer between two customers, with a reason. Every role sees a link to a waiting request for it. */
import { useState } from 'react';
import { adminCustomersApi } from '#contract/adminCustomers.ts';
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
import { hasClosedSide, isReversible, payeeOf, refundedOf } from './transactionSides.ts';

export function ReverseButton({ id }: { id: string }) {
  const { currentData } = useAdminTransactionQuery({ params: { id } });
  const may = useMay();
  const [open, setOpen] = useState(false);
  /** The answer to the last press was lost. */
  const [isLost, setLost] = useState(false);
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
      setLost(isUnknown);
      return { text: isUnknown ? words.reverseUnknown : moneyRefusalText(error), isUnknown };
    }
    setOpen(false);
    setNotice(noticeOf(outcome.data, outcome.message));
    return undefined;
  };

  if (!currentData) return null;
  const { reversalRequestId, reversedBy } = currentData;
  // While the dialog is open, a colleague acted, or a press whose answer was lost took effect.
  const over = reversedBy
    ? isLost
      ? words.reversedNow
      : staffMessages.reversedBefore
    : reversalRequestId
      ? words.waitingForSecond
      : hasClosedSide(currentData) && staffMessages.reversalClosed;
  return (
    <>
      {reversalRequestId ? (
        <Button kind="quiet" icon="clock" to={`?${requestAddress(reversalRequestId).search}`}>
          {words.waitingForSecond}
        </Button>
      ) : (
        may(adminCustomersApi.reverse) &&
        isReversible(currentData) &&
        !hasClosedSide(currentData) && (
          <Button
            kind="quiet"
            icon="back"
            onClick={() => {
              setLost(false);
              setOpen(true);
            }}
          >
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
