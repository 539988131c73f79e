/** Previews the transfer as a deposit slip: receiver, amount, fee, total, remaining balance, and the button that sends it. */
import type { RefObject } from 'react';
import { externalTransfer } from '#contract/constants.ts';
import { fill } from '#contract/messages/fill.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { type Cents, formatCents } from '#contract/money.ts';
import { checkExternalNumber } from '#web/bank/externalNumber.ts';
import { HiddenMoney } from '#web/bank/HiddenMoney.tsx';
import * as bankWords from '#web/bank/words.ts';
import { Button } from '#web/ui/Button.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Ranges } from '#web/ui/Ranges.tsx';
import { Slip } from '#web/ui/Slip.tsx';
import type { Sending } from './sending.ts';
import { words } from './words.ts';
import './TransferSlip.css';

export type TransferSlipProps = {
  /** The transfer that the form's current values would send. */
  sending: Sending;
  /** The receiver's name, once it is known. */
  to: string;
  /** Whether the transfer can be sent as is. Only then does the slip describe it in a sentence. */
  isValid: boolean;
  /** Undefined if the typed text is not an amount. */
  amount: Cents | undefined;
  /** Undefined until it is loaded. */
  balance: Cents | undefined;
  /** Hides the remaining balance; what the customer typed stays visible. */
  hidden: boolean;
  isBusy: boolean;
  onSend: () => void;
  /** The button's ref: Enter in a field of the form moves the focus to it. */
  button: RefObject<HTMLButtonElement | null>;
  /** The id of the note that says why sending is blocked, if it is. */
  closedBy: string | undefined;
};

export function TransferSlip(props: TransferSlipProps) {
  const { sending, to, isValid, amount, balance, hidden, isBusy, onSend, button, closedBy } = props;
  const left = balance === undefined || amount === undefined ? undefined : balance - amount;
  const amountText = amount === undefined ? words.dash : formatCents(amount);
  return (
    <Panel as="aside" className="TransferSlip" label={words.summary}>
      <p className="type-note type-note--amounts">
        {isValid && to && amount
          ? fill(words.readBack, { amount: amountText, name: to })
          : words.readBackEmpty}
      </p>
      <Slip
        rows={[
          { label: words.to, value: to || words.dash },
          ...(sending.kind === 'external' ? otherBankRows(sending.body) : []),
          { label: transferMessages.transferAmount, value: amountText },
          { label: transferMessages.fee, value: formatCents(0n) },
          { label: words.total, value: amountText, total: true },
        ]}
      />
      <p className="TransferSlip-after">
        <span>{words.balanceAfter}</span>
        {left !== undefined && left < 0n ? (
          <span className="TransferSlip-short">{transferMessages.insufficientBalance}</span>
        ) : (
          <span className="num">
            {left === undefined ? words.dash : hidden ? <HiddenMoney /> : formatCents(left)}
          </span>
        )}
      </p>
      <Button
        ref={button}
        wide
        disabled={closedBy !== undefined}
        aria-describedby={closedBy}
        busy={isBusy}
        onClick={onSend}
        // Ignore key repeats: the Enter that moved the focus here may still be held down.
        onKeyDown={event => event.repeat && event.preventDefault()}
        busyLabel={transferMessages.processing}
      >
        {transferMessages.send}
      </Button>
      <p className="type-small">
        <Ranges>
          {sending.kind === 'internal'
            ? words.final
            : fill(words.finalExternal, { days: externalTransfer.businessDays })}
        </Ranges>
      </p>
    </Panel>
  );
}

/** The bank and the account number, for a last check before sending. */
function otherBankRows({ bankName, accountNumber }: { bankName: string; accountNumber: string }) {
  return [
    { label: bankWords.bank, value: bankName.trim() || words.dash },
    { label: words.account, value: checkExternalNumber(accountNumber).shown || words.dash },
  ];
}
