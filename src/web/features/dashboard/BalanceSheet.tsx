/**
 * The night sheet (the dark panel at the top): the balance, which can be hidden from onlookers, the account number to copy, and
 * the links to send and to add money. Without money, or while the account is frozen, a button that shares the account's details
 * replaces the link to send.
 */
import * as appMessages from '#contract/messages/app.ts';
import * as dashboardMessages from '#contract/messages/dashboard.ts';
import * as navMessages from '#contract/messages/nav.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { AccountNumber } from '#web/bank/AccountNumber.tsx';
import { shareAccountDetails } from '#web/bank/copyAccountNumber.ts';
import { Money } from '#web/bank/Money.tsx';
import * as bankWords from '#web/bank/words.ts';
import { routingNumber } from '#web/base/routingNumber.ts';
import { Button } from '#web/ui/Button.tsx';
import { IconButton } from '#web/ui/IconButton.tsx';
import { NightSheet } from '#web/ui/NightSheet.tsx';
import { words } from './words.ts';
import './BalanceSheet.css';

export type BalanceSheetProps = {
  /** In dollars; undefined until it is loaded. */
  balance: number | undefined;
  isFrozen: boolean;
  failed: boolean;
  onRetry: () => unknown;
  accountNumber: string;
  /** The full name of the account's holder. */
  holder: string;
  hidden: boolean;
  onHide: (hidden: boolean) => void;
};

export function BalanceSheet(props: BalanceSheetProps) {
  const { balance, isFrozen, failed, onRetry, accountNumber, holder, hidden, onHide } = props;
  return (
    <NightSheet as="div" className="BalanceSheet">
      <div className="BalanceSheet-label">
        {dashboardMessages.balance}
        <IconButton
          icon={hidden ? 'eyeOff' : 'eye'}
          label={hidden ? words.showBalance : words.hideBalance}
          onClick={() => onHide(!hidden)}
        />
      </div>
      <p className="BalanceSheet-figure">
        {balance !== undefined ? (
          <Money dollars={balance} form="balance" ruled hidden={hidden} hiddenLabel={words.balanceHidden} />
        ) : failed ? (
          <span className="BalanceSheet-failed" role="alert">
            {transactionsMessages.balanceFailed}
            <button type="button" className="BalanceSheet-again" onClick={() => void onRetry()}>
              {appMessages.tryAgain}
            </button>
          </span>
        ) : (
          <span className="BalanceSheet-wait" role="status">
            <span className="sr-only">{words.loading}</span>
          </span>
        )}
      </p>
      <div className="BalanceSheet-foot">
        {balance === 0 || isFrozen ? (
          <Button
            kind="light"
            onClick={() => void shareAccountDetails({ name: holder, routingNumber, accountNumber })}
          >
            {bankWords.shareDetails}
          </Button>
        ) : (
          <Button kind="light" to="/dashboard/transfer">
            {transferMessages.title}
          </Button>
        )}
        <Button kind="light" to="/dashboard/add-money">
          {navMessages.addMoney}
        </Button>
        <span className="BalanceSheet-number">
          {dashboardMessages.accountNumber}
          <AccountNumber value={accountNumber} copyLabel={words.copyNumber} />
        </span>
      </div>
    </NightSheet>
  );
}
