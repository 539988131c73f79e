/** One transaction in a dialog over the list: sender, receiver, details, and its history with the reason if it was returned. */
import { formatAccountNumber } from '#contract/accountNumber.ts';
import { adminApi } from '#contract/admin.ts';
import { adminCustomersApi } from '#contract/adminCustomers.ts';
import { dayAndTime } from '#contract/bankTime.ts';
import type { Transaction, TransactionStory } from '#contract/entities.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import * as appMessages from '#contract/messages/app.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import { formatExternalNumber } from '#contract/transfer.ts';
import { Money } from '#web/bank/Money.tsx';
import { StoryTimeline } from '#web/bank/StoryTimeline.tsx';
import { statusTexts, typeTexts } from '#web/bank/transactionReading.ts';
import { pollingOptions } from '#web/base/pollingOptions.ts';
import { Link } from '#web/router/Link.tsx';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Slip } from '#web/ui/Slip.tsx';
import { Status } from '#web/ui/Status.tsx';
import { useAdminTransactionQuery } from '../adminCalls.ts';
import { MissingRow, type OpenedRowProps, RowSheet, type RowSheetProps } from '../panel/RowSheet.tsx';
import { useMay } from '../panel/useRole.ts';
import { auditAddress, customerAddress, transactionAddress } from '../panel/viewAddress.ts';
import { words } from '../words.ts';
import { ReturnButton } from './ReturnButton.tsx';
import { ReverseButton } from './ReverseButton.tsx';
import { hasClosedSide, isClosed, isReversible, otherBankOf, payeeOf, payerOf } from './transactionSides.ts';
import './TransactionSheet.css';

export const TransactionSheet = (props: RowSheetProps) => <RowSheet {...props} of={Opened} />;

function Opened({ id, isId, isOpen, onClose }: OpenedRowProps) {
  const may = useMay();
  const { currentData, error, refetch } = useAdminTransactionQuery(
    { params: { id } },
    { ...(isOpen && pollingOptions), skip: !isId },
  );
  return (
    <Dialog
      open={isOpen}
      onClose={onClose}
      size="side"
      title={transactionsMessages.one}
      closeLabel={appMessages.close}
      actions={
        <>
          {may(adminApi.auditLog) && (
            <Button kind="quiet" icon="shield" to={`?${auditAddress(id).search}`}>
              {words.inAuditLog}
            </Button>
          )}
          <ReverseButton id={id} />
          <ReturnButton id={id} />
        </>
      }
    >
      {currentData ? (
        <Facts transaction={currentData} />
      ) : (
        <MissingRow isId={isId} error={error} onRetry={refetch} words={missingWords} />
      )}
    </Dialog>
  );
}

const missingWords = {
  gone: transactionsMessages.notFound,
  goneText: words.notFoundText,
  loading: adminMessages.loadingTransactions,
};

function Facts({ transaction }: { transaction: TransactionStory }) {
  const { amount, status, type, reference, timestamp, description, sender, receiver, reverses, reversedBy } =
    transaction;
  const other = otherBankOf(transaction);
  const isVoid = status === 'failed';
  const mayReverse = useMay()(adminCustomersApi.reverse);
  return (
    <>
      <p className="TransactionSheet-amount">
        <Money dollars={amount} form="receipt" returned={isVoid} ruled={!isVoid} />
      </p>
      <Status status={status}>
        {transaction.isHeld
          ? transactionsMessages.held
          : isVoid && other
            ? `${statusTexts[status]}, ${transactionsMessages.returned}`
            : statusTexts[status]}
      </Status>
      {transaction.isHeld && (
        <Banner kind="warning" icon="lock" className="TransactionSheet-held" title={words.held}>
          {words.heldText}
        </Banner>
      )}
      <Slip
        className="TransactionSheet-slip"
        rows={[
          { label: words.type, value: typeTexts[type] },
          {
            label: words.from,
            value: (
              <Party
                name={payerOf(transaction)}
                customer={sender}
                accountNumber={transaction.senderAccountNumber}
                bankAccount={transaction.bankAccount}
              />
            ),
          },
          {
            label: words.to,
            value: (
              <Party
                name={payeeOf(transaction)}
                customer={receiver}
                accountNumber={transaction.receiverAccountNumber}
                bankAccount={transaction.bankAccount}
              />
            ),
          },
          other && { label: words.bank, value: other.bankName },
          other && { label: words.account, value: formatExternalNumber(other.accountNumber) },
          description && { label: words.description, value: description },
          { label: words.reference, value: reference },
          reverses && { label: words.reverses, value: <OtherTransaction id={reverses} /> },
          reversedBy && { label: words.reversedBy, value: <OtherTransaction id={reversedBy} /> },
          { label: words.date, value: <time dateTime={timestamp}>{dayAndTime(timestamp)}</time> },
        ]}
      />
      {mayReverse && isReversible(transaction) && hasClosedSide(transaction) && (
        <p className="type-small TransactionSheet-closed">{staffMessages.reversalClosed}</p>
      )}
      <h3 className="type-head TransactionSheet-story">{words.story}</h3>
      <StoryTimeline label={words.story} transaction={transaction} side="bank" />
    </>
  );
}

/** A link to the reversed transaction, or to the reversal. */
function OtherTransaction({ id }: { id: string }) {
  return (
    <Link className="link" to={transactionAddress(id)}>
      {words.viewTransaction}
    </Link>
  );
}

type PartyProps = {
  name: string;
  /** Absent for the bank itself and for holders at other banks. */
  customer: Transaction['sender'];
  accountNumber: string | undefined;
  bankAccount: TransactionStory['bankAccount'];
};

/** A side of the transaction: a customer with a link to the details and the account number, or only a name. */
function Party({ name, customer, accountNumber, bankAccount }: PartyProps) {
  return (
    <>
      {customer && !isClosed(customer) ? (
        <Link className="link" to={customerAddress(customer._id)}>
          {name}
        </Link>
      ) : (
        name
      )}
      {accountNumber && <span className="Slip-remark num">{formatAccountNumber(accountNumber)}</span>}
      {bankAccount && name === transactionsMessages.system && (
        <span className="Slip-remark">{words.bankAccounts[bankAccount]}</span>
      )}
    </>
  );
}
