/** What is about to be credited, as a paying-in slip beside the form: the same three things, the amount double ruled. */
import { formatAccountNumber } from '#contract/accountNumber.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { type Cents, centsToDollars } from '#contract/money.ts';
import { Money } from '#web/bank/Money.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Slip } from '#web/ui/Slip.tsx';
import { words } from '../words.ts';
import './CreditSlip.css';

/** `amount` is nothing while none has been typed. */
export type CreditSlipProps = {
  /** Nothing while the bank has not said whose account it is. */
  holderName: string | undefined;
  accountNumber: string;
  amount: Cents | undefined;
  description: string;
};

export function CreditSlip({ holderName, accountNumber, amount, description }: CreditSlipProps) {
  return (
    <Panel as="aside" label={words.slip} className="CreditSlip">
      <h2 className="type-head">{words.slip}</h2>
      <Slip
        rows={[
          { label: words.from, value: words.treasury },
          {
            label: words.to,
            value: (
              <>
                {holderName && <span className="CreditSlip-holder">{holderName}</span>}
                <span className="num">{formatAccountNumber(accountNumber.slice(0, 16)) || '—'}</span>
              </>
            ),
          },
          { label: words.description, value: description || '—' },
          {
            label: transferMessages.amount,
            value: <Money dollars={centsToDollars(amount ?? 0n)} />,
            total: true,
          },
        ]}
      />
    </Panel>
  );
}
