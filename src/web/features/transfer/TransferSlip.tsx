/** What will happen on pressing the button, as a paying-in slip: to whom, how much, the fee, the total, what is left. */
import { externalTransfer } from '#contract/constants.ts';
import { fill } from '#contract/messages/fill.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { type Cents, formatCents } from '#contract/money.ts';
import { Button } from '#web/ui/Button.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Slip } from '#web/ui/Slip.tsx';
import type { Sending } from './sendMoney.ts';
import { judgeExternalNumber } from './transferForm.ts';
import { words } from './words.ts';
import './TransferSlip.css';

export type TransferSlipProps = {
  /** What the form would send as it stands. */
  sending: Sending;
  /** The receiver's name once it is known. */
  to: string;
  /** Nothing where what was typed is not an amount. */
  amount: Cents | undefined;
  /** Nothing while it is not known. */
  balance: Cents | undefined;
  busy: boolean;
  /** Of the note that says why nothing can be sent, where that is so. */
  closedBy: string | undefined;
};

export function TransferSlip({ sending, to, amount, balance, busy, closedBy }: TransferSlipProps) {
  const left = balance === undefined || amount === undefined ? undefined : balance - amount;
  const asked = amount === undefined ? words.nobody : formatCents(amount);
  return (
    <Panel as="aside" className="TransferSlip" label={words.summary}>
      <p className="type-note">{words.whenSent}</p>
      <Slip
        rows={[
          { label: words.to, value: to || words.nobody },
          ...(sending.kind === 'external' ? otherBankRows(sending.body) : []),
          { label: transferMessages.transferAmount, value: asked },
          { label: transferMessages.fee, value: formatCents(0n) },
          { label: words.total, value: asked, total: true },
        ]}
      />
      <p className="TransferSlip-after">
        <span>{words.balanceAfter}</span>
        {left !== undefined && left < 0n ? (
          <span className="TransferSlip-short">{transferMessages.insufficientBalance}</span>
        ) : (
          <span className="num">{left === undefined ? words.nobody : formatCents(left)}</span>
        )}
      </p>
      <Button
        type="submit"
        wide
        disabled={closedBy !== undefined}
        aria-describedby={closedBy}
        busy={busy}
        busyLabel={transferMessages.processing}
      >
        {transferMessages.send}
      </Button>
      <p className="type-small">
        {sending.kind === 'internal'
          ? words.final
          : fill(words.finalExternal, { days: externalTransfer.businessDays })}
      </p>
    </Panel>
  );
}

/** The bank and the number, so that they are read once more before the money leaves. */
function otherBankRows({ bankName, accountNumber }: { bankName: string; accountNumber: string }) {
  return [
    { label: words.bank, value: bankName.trim() || words.nobody },
    { label: words.account, value: judgeExternalNumber(accountNumber).shown || words.nobody },
  ];
}
