/**
 * Reverses a credit or a transfer between two customers, with a reason. After a lost answer, a retry with the same reason sends
 * the same idempotency key, so that it cannot reverse twice.
 */
import { useRef, useState } from 'react';
import { adminCustomersApi } from '#contract/adminCustomers.ts';
import type { TransactionStory } from '#contract/entities.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import { formatDollars } from '#contract/money.ts';
import { sendKeyed } from '#web/base/keyedPress.ts';
import { selectAdmin } from '#web/base/session.ts';
import { useAppDispatch, useAppSelector } from '#web/base/store.ts';
import { Button } from '#web/ui/Button.tsx';
import { useAdminTransactionQuery } from '../adminCalls.ts';
import { customerCalls } from '../customerCalls.ts';
import { staffRefusalText } from '../panel/actRefusalText.ts';
import { ReasonDialog } from '../panel/ReasonDialog.tsx';
import { useMay } from '../panel/useRole.ts';
import { useSecondPerson } from '../panel/useSecondPerson.ts';
import { type Notice, NoticeDialog, noticeOf } from '../users/NoticeDialog.tsx';
import { words } from '../words.ts';
import { payeeOf, payerOf } from './transactionSides.ts';

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
  const adminId = useAppSelector(selectAdmin)?._id ?? '';
  const [notice, setNotice] = useState<Notice>();
  /** The last press. A repeated press with the same reason sends the same idempotency key. */
  const press = useRef<{ key: string; reason: string; isRepeat: boolean }>(undefined);

  const reverse = async (reason: string) => {
    if (press.current?.reason !== reason)
      press.current = { key: crypto.randomUUID(), reason, isRepeat: false };
    const { key, isRepeat } = press.current;
    const outcome = await sendKeyed(
      keyed =>
        dispatch(customerCalls.endpoints.reverse.initiate({ ...keyed, params: { id }, body: { reason } })),
      { idempotencyKey: key, onlyFor: adminId },
      isRepeat,
    );
    if ('error' in outcome) {
      press.current.isRepeat = outcome.isUnknown;
      if (outcome.isUnknown) return words.reverseUnknown;
      press.current = undefined;
      return `${staffRefusalText(outcome.error, errorMessages.fault)} ${words.noMoneyMoved}`;
    }
    press.current = undefined;
    setOpen(false);
    setNotice(noticeOf(outcome.data, outcome.message));
    return undefined;
  };

  if (!currentData || !may(adminCustomersApi.reverse)) return null;
  return (
    <>
      {isReversible(currentData) && (
        <Button kind="quiet" icon="back" onClick={() => setOpen(true)}>
          {words.reverse}
        </Button>
      )}
      <ReasonDialog
        open={open}
        title={words.reverseTitle}
        hint={words.reverseHint}
        needsSecond={needsSecond}
        suggestions={words.reverseReasons}
        kind="danger"
        confirmLabel={words.reverse}
        onConfirm={reverse}
        onClose={() => setOpen(false)}
      >
        {words.reverseText(
          formatDollars(currentData.amount),
          payeeOf(currentData),
          currentData.sender ? payerOf(currentData) : words.bankAccounts.treasury,
        )}
      </ReasonDialog>
      <NoticeDialog notice={notice} onClose={() => setNotice(undefined)} />
    </>
  );
}
