/** Customers who wait for approval, longest waiting first; each can be looked at before. */
import { useState } from 'react';
import type { PendingApproval } from '#contract/entities.ts';
import { messages } from '#contract/messages.ts';
import { AccountNumber } from '#web/bank/AccountNumber.tsx';
import { useApproveMutation, usePendingApprovalsQuery } from '../adminCalls.ts';
import type { ViewProps } from '../panel/ViewHead.tsx';
import { UserDetails } from '../users/UserDetails.tsx';
import { words } from '../words.ts';
import { WaitingCustomers } from './WaitingCustomers.tsx';

export function ApprovalsView({ menu }: ViewProps) {
  const list = usePendingApprovalsQuery();
  const [approve] = useApproveMutation();
  const [viewed, setViewed] = useState<PendingApproval>();
  return (
    <>
      <WaitingCustomers
        menu={menu}
        title={messages.admin.approvals}
        list={list}
        columns={[
          {
            key: 'account',
            head: words.accountNumber,
            cell: row => <AccountNumber className="text-sm" value={row.accountNumber} />,
          },
        ]}
        step={{
          label: messages.admin.approve,
          describe: words.approveName,
          run: id => approve({ params: { id } }),
          failed: words.approveFailed,
        }}
        loadingLabel={messages.admin.loadingApprovals}
        none={{ title: messages.admin.noApprovals, text: words.noApprovalsText }}
        stack="narrow"
        onView={setViewed}
      />
      <UserDetails user={viewed} onClose={() => setViewed(undefined)} />
    </>
  );
}
