/** What is before a request is carried out, and what will be after it, read now: balances may have changed since it was made. */
import type { ReactNode } from 'react';
import type { Approval } from '#contract/fourEyes.ts';
import * as appMessages from '#contract/messages/app.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import { formatDollars } from '#contract/money.ts';
import { formatExternalNumber } from '#contract/transfer.ts';
import { Icon } from '#web/ui/Icon.tsx';
import { useAccountHolderQuery, useAdminTransactionQuery } from '../adminCalls.ts';
import { useCustomerRecordQuery } from '../customerCalls.ts';
import { useFourEyesQuery } from '../staffCalls.ts';
import { payeeOf, payerOf } from '../transactions/transactionSides.ts';
import { words as panelWords } from '../words.ts';
import { requestWords as words } from './requestWords.ts';
import './BeforeAfter.css';

type Change = { name: string; before: ReactNode; after: ReactNode };

export function BeforeAfter({ request }: { request: Approval }) {
  switch (request.kind) {
    case 'credit':
    case 'deletion':
      return <OfAccount request={request} />;
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
              <span>
                <span className="sr-only">{words.before}</span> {before}
              </span>
              <Icon name="arrowRight" size={16} />
              <b>
                <span className="sr-only">{words.after}</span> {after}
              </b>
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function OfAccount({ request: { kind, customer, amount = 0 } }: { request: Approval }) {
  const { currentData } = useAccountHolderQuery(
    { params: { accountNumber: customer?.accountNumber ?? '' } },
    { skip: !customer },
  );
  const balance = currentData?.balance;
  const show = (dollars: number | undefined) =>
    dollars === undefined ? appMessages.pleaseWait : formatDollars(dollars);
  const plus = balance === undefined ? undefined : Math.round((balance + amount) * 100) / 100;
  return (
    <Changes
      changes={
        kind === 'credit'
          ? [{ name: words.balanceOf(customer?.name ?? ''), before: show(balance), after: show(plus) }]
          : [
              { name: words.account, before: words.open, after: words.closed },
              { name: words.balanceOf(customer?.name ?? ''), before: show(balance), after: formatDollars(0) },
              { name: words.unclaimed, before: words.noChange, after: `+${show(balance)}` },
            ]
      }
    />
  );
}

function OfPayout({ request: { customer, bank, amount = 0 } }: { request: Approval }) {
  const payee = customer
    ? words.balanceOf(customer.name)
    : bank && `${bank.accountName}, ${bank.bankName}, ${formatExternalNumber(bank.accountNumber)}`;
  return (
    <Changes
      changes={[
        { name: words.unclaimed, before: words.noChange, after: `−${formatDollars(amount)}` },
        { name: payee ?? '', before: words.noChange, after: `+${formatDollars(amount)}` },
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
  if (!currentData) return null;
  const amount = formatDollars(currentData.amount);
  return (
    <Changes
      changes={[
        { name: currentData.reference, before: words.asBooked, after: words.reversed },
        { name: words.balanceOf(payeeOf(currentData)), before: words.noChange, after: `−${amount}` },
        {
          name: currentData.sender ? words.balanceOf(payerOf(currentData)) : panelWords.treasury,
          before: words.noChange,
          after: `+${amount}`,
        },
      ]}
    />
  );
}

function OfLimit({ from }: { from: number | null }) {
  const { currentData } = useFourEyesQuery();
  const show = (dollars: number | null) => (dollars === null ? words.never : formatDollars(dollars));
  return (
    <Changes
      changes={[
        {
          name: words.limit,
          before: currentData ? show(currentData.from) : appMessages.pleaseWait,
          after: show(from),
        },
      ]}
    />
  );
}
