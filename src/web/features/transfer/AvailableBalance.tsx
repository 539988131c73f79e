/** The available balance above the form, fetched each time the screen opens, and the button that hides it. */
import * as appMessages from '#contract/messages/app.ts';
import * as dashboardMessages from '#contract/messages/dashboard.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import { SplitMoney } from '#web/bank/SplitMoney.tsx';
import { hideAmounts } from '#web/base/hiddenAmounts.ts';
import { IconButton } from '#web/ui/IconButton.tsx';
import { words } from './words.ts';
import './AvailableBalance.css';

export type AvailableBalanceProps = {
  /** In dollars; undefined until it is loaded. */
  balance: number | undefined;
  failed: boolean;
  onRetry: () => unknown;
  hidden: boolean;
};

export function AvailableBalance({ balance, failed, onRetry, hidden }: AvailableBalanceProps) {
  return (
    <div className="AvailableBalance">
      <span className="type-small">{dashboardMessages.balance}</span>
      <IconButton
        icon={hidden ? 'eyeOff' : 'eye'}
        label={hidden ? words.showBalance : words.hideBalance}
        onClick={() => hideAmounts(!hidden)}
      />
      {balance !== undefined ? (
        <span className="AvailableBalance-figure type-head">
          <SplitMoney dollars={balance} hidden={hidden} />
        </span>
      ) : failed ? (
        <span className="AvailableBalance-figure type-small" role="alert">
          {transactionsMessages.balanceFailed}{' '}
          <button type="button" className="link" onClick={() => void onRetry()}>
            {appMessages.tryAgain}
          </button>
        </span>
      ) : (
        <span className="AvailableBalance-figure AvailableBalance-wait" />
      )}
    </div>
  );
}
