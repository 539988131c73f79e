/** The available balance above the form, fetched each time the screen opens. */
import * as appMessages from '#contract/messages/app.ts';
import * as dashboardMessages from '#contract/messages/dashboard.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import { SplitMoney } from '#web/bank/SplitMoney.tsx';
import './AvailableBalance.css';

export type AvailableBalanceProps = {
  /** In dollars; undefined until it is loaded. */
  balance: number | undefined;
  failed: boolean;
  onRetry: () => unknown;
};

export function AvailableBalance({ balance, failed, onRetry }: AvailableBalanceProps) {
  return (
    <p className="AvailableBalance">
      <span className="type-small">{dashboardMessages.balance}</span>
      {balance !== undefined ? (
        <span className="type-head">
          <SplitMoney dollars={balance} />
        </span>
      ) : failed ? (
        <span className="type-small" role="alert">
          {transactionsMessages.balanceFailed}{' '}
          <button type="button" className="link" onClick={() => void onRetry()}>
            {appMessages.tryAgain}
          </button>
        </span>
      ) : (
        <span className="AvailableBalance-wait" />
      )}
    </p>
  );
}
