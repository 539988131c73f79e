/**
 * Previews the credit as a deposit slip above the button: holder, account and description, the amount
 * above a double rule, and the balance before and after. `isUnknown`: the balance may include the credit already.
 */
import type { ReactNode } from 'react';
import { formatAccountNumber } from '#contract/accountNumber.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { type Cents, centsToDollars, sumDollars } from '#contract/money.ts';
import { Money } from '#web/bank/Money.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Slip } from '#web/ui/Slip.tsx';
import { words } from '../words.ts';
import './CreditSlip.css';

/** `amount` is undefined while none is entered. */
export type CreditSlipProps = {
  /** The name and the balance in dollars; undefined until the bank has returned the account's holder. */
  holder: { accountName: string; balance: number } | undefined;
  accountNumber: string;
  amount: Cents | undefined;
  description: string;
  isUnknown?: boolean;
  /** The button that makes the credit. */
  children: ReactNode;
};

export function CreditSlip(props: CreditSlipProps) {
  const { holder, accountNumber, amount, description, isUnknown = false, children } = props;
  return (
    <Panel as="aside" label={words.slip} className="CreditSlip">
      <h2 className="type-head">{words.slip}</h2>
      <Slip
        rows={[
          { label: words.from, value: words.bankAccounts.treasury },
          {
            label: words.to,
            value: (
              <>
                {holder && <span className="CreditSlip-holder">{holder.accountName}</span>}
                <span className="num">{formatAccountNumber(accountNumber) || words.none}</span>
              </>
            ),
          },
          { label: words.description, value: description || words.none },
          {
            label: transferMessages.amount,
            value: <Money dollars={centsToDollars(amount ?? 0n)} />,
            total: true,
          },
        ]}
      />
      {holder && (
        <Slip
          rows={[
            { label: words.balance, value: <Money dollars={holder.balance} /> },
            {
              label: words.newBalance,
              value: isUnknown ? (
                '–'
              ) : (
                <Money dollars={sumDollars(holder.balance, centsToDollars(amount ?? 0n))} />
              ),
            },
          ]}
        />
      )}
      {children}
    </Panel>
  );
}
