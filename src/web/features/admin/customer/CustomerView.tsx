/**
 * Everything about one customer on one page, in parts: the facts, transactions, alerts, notes, sessions, mails, history. The
 * URL names the customer and the open part.
 */
import { useState } from 'react';
import * as z from 'zod/mini';
import { id as customerId } from '#contract/fields.ts';
import * as alertsMessages from '#contract/messages/alerts.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import { nameOf } from '#web/bank/transactionReading.ts';
import { pollingOptions } from '#web/base/pollingOptions.ts';
import { useSearchParams } from '#web/router/hooks.ts';
import { Link } from '#web/router/Link.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { TabSet } from '#web/ui/TabSet.tsx';
import { CustomerAlerts } from '../alerts/CustomerAlerts.tsx';
import { useCustomerRecordQuery } from '../customerCalls.ts';
import { isGone } from '../panel/actRefusalText.ts';
import { ListFailed } from '../panel/ListFailed.tsx';
import { ViewHead, type ViewProps } from '../panel/ViewHead.tsx';
import { customerPageAddress, viewAddress } from '../panel/viewAddress.ts';
import { type Notice, NoticeDialog } from '../users/NoticeDialog.tsx';
import { words } from '../words.ts';
import { CustomerHead } from './CustomerHead.tsx';
import { CustomerHistory } from './CustomerHistory.tsx';
import { CustomerMails } from './CustomerMails.tsx';
import { CustomerNotes } from './CustomerNotes.tsx';
import { CustomerProfile, type CustomerProfileProps } from './CustomerProfile.tsx';
import { CustomerSessions } from './CustomerSessions.tsx';
import { CustomerTransactions } from './CustomerTransactions.tsx';
import './CustomerView.css';

export function CustomerView({ menu }: ViewProps) {
  const [address] = useSearchParams();
  const id = z.safeParse(customerId, address.get('customer')).data;
  const { currentData, error, refetch } = useCustomerRecordQuery(
    { params: { id: id ?? '' } },
    { ...pollingOptions, skip: !id },
  );
  const isDeleted = isGone(error);
  const customer = isDeleted ? undefined : currentData;
  const [notice, setNotice] = useState<Notice>();
  return (
    <>
      <ViewHead menu={menu} title={nameOf(customer) ?? words.customer}>
        <Link className="link CustomerView-back" to={viewAddress('users')}>
          {words.allUsers}
        </Link>
      </ViewHead>
      {customer ? (
        <>
          <CustomerHead customer={customer} onNotice={setNotice} />
          <Parts
            key={customer._id}
            customer={customer}
            onRejected={message => setNotice({ kind: 'success', message })}
          />
        </>
      ) : (
        <Panel>
          {!id ? (
            <EmptyState title={words.customerUnknown} level={2}>
              {words.customerUnknownText}
            </EmptyState>
          ) : isDeleted ? (
            <EmptyState title={words.customerGone} level={2}>
              {words.customerGoneText}
            </EmptyState>
          ) : error ? (
            <ListFailed error={error} onRetry={refetch} />
          ) : (
            <Skeleton kind="text" count={9} className="CustomerView-wait" label={words.loadingCustomer} />
          )}
        </Panel>
      )}
      <NoticeDialog notice={notice} onClose={() => setNotice(undefined)} />
    </>
  );
}

function Parts({ customer, onRejected }: CustomerProfileProps) {
  const [address, setAddress] = useSearchParams();
  const { _id: id } = customer;
  const tabs = [
    {
      value: 'profile',
      label: words.profile,
      content: <CustomerProfile customer={customer} onRejected={onRejected} />,
    },
    {
      value: 'transactions',
      label: words.theirTransactions,
      content: <CustomerTransactions customer={customer} />,
    },
    { value: 'alerts', label: alertsMessages.alerts, content: <CustomerAlerts id={id} /> },
    { value: 'notes', label: staffMessages.notes, content: <CustomerNotes id={id} /> },
    { value: 'sessions', label: words.sessions, content: <CustomerSessions id={id} /> },
    { value: 'mails', label: staffMessages.mails, content: <CustomerMails id={id} /> },
    { value: 'history', label: staffMessages.history, content: <CustomerHistory customer={customer} /> },
  ];
  const open = tabs.find(({ value }) => value === address.get('tab')) ?? tabs[0]!;
  return (
    <TabSet
      className="CustomerView-parts"
      label={words.partsOfCustomer}
      value={open.value}
      tabs={tabs}
      onChange={tab =>
        setAddress(customerPageAddress(id, tab === 'profile' ? undefined : tab).search, {
          replace: true,
          preventScrollReset: true,
        })
      }
    />
  );
}
