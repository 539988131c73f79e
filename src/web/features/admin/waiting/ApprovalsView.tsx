/** Customers waiting for approval, longest waiting first. The administrator can view each one's details. */
import { useState } from 'react';
import type { PendingApproval } from '#contract/entities.ts';
import * as adminMessages from '#contract/messages/admin.ts';
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
        title={adminMessages.approvals}
        list={list}
        columns={[
          {
            key: 'account',
            head: words.accountNumber,
            cell: row => <AccountNumber small value={row.accountNumber} />,
          },
        ]}
        step={{
          label: adminMessages.approve,
          describe: words.approveName,
          run: id => approve({ params: { id } }),
          failed: words.approveFailed,
        }}
        loadingLabel={adminMessages.loadingApprovals}
        none={{ title: adminMessages.noApprovals, text: words.noApprovalsText }}
        stack="narrow"
        onView={setViewed}
      />
      <UserDetails user={viewed} onClose={() => setViewed(undefined)} />
    </>
  );
}
