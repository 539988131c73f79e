/**
 * Everything about one customer on one page, in parts: the facts, transactions, history. The URL names the customer and the
 * open part.
 */
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import * as z from 'zod/mini';
import type { User } from '#contract/entities.ts';
import { id as customerId } from '#contract/fields.ts';
import { nameOf } from '#web/bank/transactionReading.ts';
import type { CallError } from '#web/base/callError.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { TabSet } from '#web/ui/TabSet.tsx';
import { useUserQuery } from '../adminCalls.ts';
import { ListFailed } from '../panel/ListFailed.tsx';
import { ViewHead, type ViewProps } from '../panel/ViewHead.tsx';
import { customerPageAddress, viewAddress } from '../panel/viewAddress.ts';
import { type Notice, NoticeDialog } from '../users/NoticeDialog.tsx';
import { words } from '../words.ts';
import { CustomerHead } from './CustomerHead.tsx';
import { CustomerHistory } from './CustomerHistory.tsx';
import { CustomerProfile } from './CustomerProfile.tsx';
import { CustomerTransactions } from './CustomerTransactions.tsx';
import './CustomerView.css';

export function CustomerView({ menu }: ViewProps) {
  const [address] = useSearchParams();
  const id = z.safeParse(customerId, address.get('customer')).data;
  const { currentData, error, refetch } = useUserQuery({ params: { id: id ?? '' } }, { skip: !id });
  const isGone = (error as CallError | undefined)?.code === 'NOT_FOUND';
  const user = isGone ? undefined : currentData;
  const [notice, setNotice] = useState<Notice>();
  return (
    <>
      <ViewHead menu={menu} title={nameOf(user) ?? words.customer}>
        <Link className="link CustomerView-back" to={viewAddress('users')}>
          {words.allUsers}
        </Link>
      </ViewHead>
      {user ? (
        <>
          <CustomerHead user={user} onNotice={setNotice} />
          <Parts key={user._id} user={user} />
        </>
      ) : (
        <Panel>
          {!id ? (
            <EmptyState title={words.customerUnknown} level={2}>
              {words.customerUnknownText}
            </EmptyState>
          ) : isGone ? (
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

function Parts({ user }: { user: User }) {
  const [address, setAddress] = useSearchParams();
  const tabs = [
    { value: 'profile', label: words.profile, content: <CustomerProfile user={user} /> },
    { value: 'transactions', label: words.theirTransactions, content: <CustomerTransactions user={user} /> },
    { value: 'history', label: words.history, content: <CustomerHistory id={user._id} /> },
  ];
  const open = tabs.find(({ value }) => value === address.get('tab')) ?? tabs[0]!;
  return (
    <TabSet
      className="CustomerView-parts"
      label={words.partsOfCustomer}
      value={open.value}
      tabs={tabs}
      onChange={tab =>
        setAddress(customerPageAddress(user._id, tab === 'profile' ? undefined : tab).search, {
          replace: true,
          preventScrollReset: true,
        })
      }
    />
  );
}
