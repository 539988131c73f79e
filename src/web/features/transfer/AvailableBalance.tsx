/** What there is to send, over the form; asked of the bank each time the screen opens. */
import { messages } from '#contract/messages.ts';
import { SplitMoney } from '#web/bank/SplitMoney.tsx';
import './AvailableBalance.css';

export type AvailableBalanceProps = {
  /** Dollars; nothing while it is not known. */
  balance: number | undefined;
  failed: boolean;
  onRetry: () => unknown;
};

export function AvailableBalance({ balance, failed, onRetry }: AvailableBalanceProps) {
  return (
    <p className="AvailableBalance">
      <span className="type-label">{messages.dashboard.balance}</span>
      {balance !== undefined ? (
        <span className="type-head">
          <SplitMoney dollars={balance} />
        </span>
      ) : failed ? (
        <span className="type-small" role="alert">
          {messages.transactions.balanceFailed}{' '}
          <button type="button" className="link" onClick={() => void onRetry()}>
            {messages.app.tryAgain}
          </button>
        </span>
      ) : (
        <span className="AvailableBalance-wait" />
      )}
    </p>
  );
}
