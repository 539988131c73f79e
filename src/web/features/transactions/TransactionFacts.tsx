/**
 * All details of one transaction: a sheet on the screen, a receipt in print. Customers show receipts to the other party, so a
 * receipt has no balance, and the other account's number is masked.
 */
import { formatAccountNumber } from '#contract/accountNumber.ts';
import { dayAndTime } from '#contract/bankTime.ts';
import { bank, phoneLink } from '#contract/constants.ts';
import type { TransactionDetail } from '#contract/entities.ts';
import * as appMessages from '#contract/messages/app.ts';
import { fill } from '#contract/messages/fill.ts';
import * as recordsMessages from '#contract/messages/records.ts';
import { formatDollars } from '#contract/money.ts';
import { formatExternalNumber } from '#contract/transfer.ts';
import { Money } from '#web/bank/Money.tsx';
import { StoryTimeline } from '#web/bank/StoryTimeline.tsx';
import { nameOf, readTransaction, type TransactionReading } from '#web/bank/transactionReading.ts';
import type { SessionCustomer } from '#web/base/session.ts';
import { Breakable } from '#web/ui/Breakable.tsx';
import { copyText } from '#web/ui/copyText.ts';
import { IconButton } from '#web/ui/IconButton.tsx';
import { Slip, type SlipRows } from '#web/ui/Slip.tsx';
import { Status } from '#web/ui/Status.tsx';
import { words } from './words.ts';
import './TransactionFacts.css';

export type TransactionFactsProps = { transaction: TransactionDetail; customer: SessionCustomer };

export function TransactionFacts({ transaction, customer }: TransactionFactsProps) {
  const reading = readTransaction(transaction, customer._id);
  return (
    <div className="TransactionFacts">
      <p className="TransactionFacts-amount">
        <Money
          dollars={transaction.amount}
          direction={reading.received ? 'in' : 'out'}
          form="receipt"
          returned={reading.void}
          ruled={!reading.void}
        />
      </p>
      <Status status={transaction.status}>{reading.statusText}</Status>
      <Slip className="TransactionFacts-slip" rows={rowsOf(transaction, reading, customer)} />
      <h3 className="type-head">{words.story}</h3>
      <StoryTimeline
        label={words.story}
        transaction={transaction}
        side={reading.received ? 'receiver' : 'sender'}
      />
      <p className="TransactionFacts-foot">
        {words.questionsCall}{' '}
        <a className="link" href={phoneLink}>
          {bank.phone}
        </a>{' '}
        {words.questionsEmail}{' '}
        <a className="link" href={`mailto:${bank.supportEmail}`}>
          <Breakable>{bank.supportEmail}</Breakable>
        </a>
        .
      </p>
    </div>
  );
}

function rowsOf(
  transaction: TransactionDetail,
  reading: TransactionReading,
  customer: SessionCustomer,
): SlipRows {
  const {
    externalBankDetails: details,
    description,
    reference,
    timestamp,
    balanceAfter,
    timeline,
  } = transaction;
  const isReturned = timeline.some(({ step }) => step === 'returned');
  const own = (
    <>
      {nameOf(customer)}
      <span className="Slip-remark">{formatAccountNumber(customer.accountNumber)}</span>
    </>
  );
  return [
    { label: words.from, value: reading.received ? reading.partyName : own },
    { label: words.to, value: reading.received ? own : reading.partyName },
    // A deposit can come without the name of the other bank, and without the account number there.
    details?.bankName && { label: words.bank, value: details.bankName },
    details?.accountNumber && { label: words.account, value: <OtherAccount value={details.accountNumber} /> },
    description && { label: words.description, value: description },
    { label: words.reference, value: <Reference value={reference} /> },
    { label: words.date, value: <time dateTime={timestamp}>{dayAndTime(timestamp)}</time> },
    balanceAfter !== undefined && {
      label: isReturned ? words.balanceAfterLeaving : words.balanceAfter,
      value: <span className="TransactionFacts-balance">{formatDollars(balanceAfter)}</span>,
    },
  ];
}

function OtherAccount({ value }: { value: string }) {
  return (
    <>
      <span className="screen-only">{formatExternalNumber(value)}</span>
      <span className="TransactionFacts-masked">
        {fill(recordsMessages.masked, { digits: value.slice(-4) })}
      </span>
    </>
  );
}

function Reference({ value }: { value: string }) {
  const said = { copied: appMessages.referenceCopied, failed: appMessages.referenceCopyFailed };
  return (
    <span className="TransactionFacts-reference">
      {value}
      <IconButton icon="copy" label={words.copyReference} onClick={() => void copyText(value, said)} />
    </span>
  );
}
