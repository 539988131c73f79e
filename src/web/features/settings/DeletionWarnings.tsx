/** The three warnings before an account is deleted, each with its current state and what to do about it. */
import { externalTransfer } from '#contract/constants.ts';
import { fill } from '#contract/messages/fill.ts';
import * as settingsMessages from '#contract/messages/settings.ts';
import { formatDollars } from '#contract/money.ts';
import { selectCustomer } from '#web/base/session.ts';
import { useAppSelector } from '#web/base/store.ts';
import { DeletionWarning } from './DeletionWarning.tsx';
import { useDeletionConditions } from './useDeletionConditions.ts';
import { words } from './words.ts';
import './DeletionWarnings.css';

const texts = words.deletion;
const [historyGone, balanceZero, nothingPending] = settingsMessages.deleteWarnings;

export function DeletionWarnings() {
  const { balance: left, saved, balanceFailed, pendingCount, pendingFailed } = useDeletionConditions();
  const isFrozen = useAppSelector(selectCustomer)?.isFrozen ?? false;
  const waiting = (failed: boolean) => (failed ? texts.unknown : texts.checking);
  return (
    <ul className="DeletionWarnings">
      <DeletionWarning state="warning" title={historyGone} text={texts.history} />
      <DeletionWarning
        state={left === undefined ? 'unknown' : left === 0 ? 'met' : 'open'}
        title={balanceZero}
        text={
          left === undefined
            ? waiting(balanceFailed)
            : left === 0
              ? texts.balanceZero
              : fill(saved > 0 ? texts.balanceSaved : texts.balanceLeft, {
                  amount: formatDollars(left),
                  saved: formatDollars(saved),
                })
        }
        next={
          isFrozen
            ? undefined
            : saved > 0
              ? { to: '/dashboard/goals', label: texts.takeOut }
              : { to: '/dashboard/transfer', label: texts.sendIt }
        }
      />
      <DeletionWarning
        state={pendingCount === undefined ? 'unknown' : pendingCount === 0 ? 'met' : 'open'}
        title={nothingPending}
        text={
          pendingCount === undefined
            ? waiting(pendingFailed)
            : pendingCount === 0
              ? texts.nothingPending
              : fill(pendingCount === 1 ? texts.onePending : texts.manyPending, {
                  n: pendingCount,
                  days: externalTransfer.businessDays,
                })
        }
        next={{ to: '/dashboard/transactions', label: texts.seePending }}
      />
    </ul>
  );
}
