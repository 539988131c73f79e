/** Values before and after a request is carried out. Balances are read now: they may have changed since the request. */
import type { ReactNode } from 'react';
import type { Approval } from '#contract/fourEyes.ts';
import * as appMessages from '#contract/messages/app.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import { formatDollars, sumDollars } from '#contract/money.ts';
import { formatExternalNumber } from '#contract/transfer.ts';
import { pollingOptions } from '#web/base/pollingOptions.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Icon } from '#web/ui/Icon.tsx';
import { useAccountHolderQuery, useAdminTransactionQuery } from '../adminCalls.ts';
import { useCustomerRecordQuery } from '../customerCalls.ts';
import { useFourEyesQuery } from '../staffCalls.ts';
import { payeeOf, payerOf, refundedOf } from '../transactions/transactionSides.ts';
import { words as panelWords } from '../words.ts';
import { limitText, requestWords as words } from './requestWords.ts';
import './BeforeAfter.css';

/** Without `before`, `after` is the difference. */
type Change = { name: string; before?: ReactNode; after: ReactNode };

export function BeforeAfter({ request }: { request: Approval }) {
  switch (request.kind) {
    case 'credit':
      return <OfCredit request={request} />;
    case 'deletion':
      return <OfDeletion request={request} />;
    case 'reversal':
      return <OfTransaction id={request.transactionId ?? ''} />;
    case 'unclaimed':
      return <OfPayout request={request} />;
    case 'email':
      return <OfEmail request={request} />;
    case 'limit':
      return <OfLimit from={request.from ?? null} />;
    case 'role':
    case 'invitation': {
      const { role, formerRole } = request;
      return (
        <Changes
          changes={[
            {
              name: request.kind === 'role' ? words.role : words.access,
              before: formerRole ? staffMessages.roleNames[formerRole] : words.noAccess,
              after: role && staffMessages.roleNames[role],
            },
          ]}
        />
      );
    }
  }
}

function Changes({ changes }: { changes: Change[] }) {
  return (
    <>
      <h3 className="type-head BeforeAfter-title">{words.beforeAndAfter}</h3>
      <dl className="BeforeAfter">
        {changes.map(({ name, before, after }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {before === undefined ? (
                <span>{words.changesBy}</span>
              ) : (
                <>
                  <span>
                    <span className="sr-only">{words.before}</span> {before}
                  </span>
                  <Icon name="arrowRight" size={16} />
                </>
              )}
              <b>
                {before !== undefined && <span className="sr-only">{words.after} </span>}
                {after}
              </b>
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

const show = (dollars: number | undefined) =>
  dollars === undefined ? appMessages.pleaseWait : formatDollars(dollars);

function OfCredit({ request: { customer, amount = 0 } }: { request: Approval }) {
  const { currentData } = useAccountHolderQuery(
    { params: { accountNumber: customer?.accountNumber ?? '' } },
    { skip: !customer },
  );
  const balance = currentData?.balance;
  return (
    <Changes
      changes={[
        {
          name: words.balanceOf(customer?.name ?? ''),
          before: show(balance),
          after: show(currentData && sumDollars(balance, amount)),
        },
      ]}
    />
  );
}

function OfDeletion({ request: { customer, amount } }: { request: Approval }) {
  const { currentData } = useCustomerRecordQuery(
    { params: { id: customer?._id ?? '' } },
    { ...pollingOptions, skip: !customer },
  );
  const { balance, inGoals } = currentData ?? {};
  const hasMore = amount !== undefined && currentData && sumDollars(balance, inGoals) > amount;
  return (
    <>
      {hasMore && (
        <Banner kind="warning" icon="alert" title={words.willFail}>
          {words.moreMoney(formatDollars(amount))}
        </Banner>
      )}
      <Changes
        changes={[
          { name: words.account, before: words.open, after: words.closed },
          { name: words.balanceOf(customer?.name ?? ''), before: show(balance), after: formatDollars(0) },
          ...(inGoals ? [{ name: panelWords.inGoals, before: show(inGoals), after: formatDollars(0) }] : []),
          {
            name: panelWords.bankAccounts.unclaimed,
            after: `+${show(currentData && sumDollars(balance, inGoals))}`,
          },
        ]}
      />
    </>
  );
}

function OfPayout({ request: { customer, bank, amount = 0 } }: { request: Approval }) {
  const payee = customer
    ? words.balanceOf(customer.name)
    : bank && `${bank.accountName}, ${bank.bankName}, ${formatExternalNumber(bank.accountNumber)}`;
  return (
    <Changes
      changes={[
        { name: panelWords.bankAccounts.unclaimed, after: `−${formatDollars(amount)}` },
        { name: payee ?? '', after: `+${formatDollars(amount)}` },
      ]}
    />
  );
}

function OfEmail({ request: { customer, email = '' } }: { request: Approval }) {
  const { currentData } = useCustomerRecordQuery(
    { params: { id: customer?._id ?? '' } },
    { skip: !customer },
  );
  return (
    <Changes
      changes={[{ name: words.email, before: currentData?.email ?? appMessages.pleaseWait, after: email }]}
    />
  );
}

function OfTransaction({ id }: { id: string }) {
  const { currentData } = useAdminTransactionQuery({ params: { id } }, { skip: !id });
  const number = currentData?.receiverAccountNumber;
  const { currentData: receiver } = useAccountHolderQuery(
    { params: { accountNumber: number ?? '' } },
    { ...pollingOptions, skip: !number },
  );
  if (!currentData) return null;
  const amount = formatDollars(currentData.amount);
  const payee = payeeOf(currentData);
  return (
    <>
      {receiver && receiver.balance < currentData.amount && (
        <Banner kind="warning" icon="alert" title={words.willFail}>
          {words.tooLittle(payee, formatDollars(receiver.balance), amount)}
        </Banner>
      )}
      <Changes
        changes={[
          { name: currentData.reference, before: words.asBooked, after: words.reversed },
          { name: words.balanceOf(payee), after: `−${amount}` },
          {
            name: currentData.sender ? words.balanceOf(payerOf(currentData)) : refundedOf(currentData),
            after: `+${amount}`,
          },
        ]}
      />
    </>
  );
}

function OfLimit({ from }: { from: number | null }) {
  const { currentData } = useFourEyesQuery();
  return (
    <Changes
      changes={[
        {
          name: words.limit,
          before: currentData ? limitText(currentData.from) : appMessages.pleaseWait,
          after: limitText(from),
        },
      ]}
    />
  );
}
