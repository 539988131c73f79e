/** Customers who wait for approval, longest waiting first. An approved one leaves the list when it has been reloaded. */
import { useRef, useState } from 'react';
import type { PendingApproval } from '#contract/entities.ts';
import { messages } from '#contract/messages.ts';
import { errorMessage } from '#web/base/callError.ts';
import { AccountNumber } from '#web/ui/AccountNumber.tsx';
import { Banner } from '#web/ui/Banner.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { type Column, Table } from '#web/ui/Table.tsx';
import { nameOf } from '#web/ui/transactionReading.ts';
import { useApproveMutation, usePendingApprovalsQuery } from './adminCalls.ts';
import { CustomerName } from './CustomerName.tsx';
import { DoneLine } from './DoneLine.tsx';
import { EmailText } from './EmailText.tsx';
import { LoadFailed } from './LoadFailed.tsx';
import { RowButton } from './RowButton.tsx';
import { ViewHead, type ViewProps } from './ViewHead.tsx';
import { words } from './words.ts';

export function ApprovalsView({ menu }: ViewProps) {
  const { data: rows = [], isFetching, error, refetch } = usePendingApprovalsQuery();
  const [approve] = useApproveMutation();
  const [done, setDone] = useState('');
  const [failed, setFailed] = useState<{ name: string; error: unknown }>();
  const line = useRef<HTMLParagraphElement>(null);

  const approveCustomer = async (customer: PendingApproval) => {
    const name = nameOf(customer) ?? '';
    setFailed(undefined);
    const answer = await approve({ params: { id: customer._id } });
    if (answer.error) return setFailed({ name, error: answer.error });
    setDone(words.approvedName(name));
    // The pressed button goes with its row; the focus must not fall out of the page.
    line.current?.focus();
  };

  const columns: Column<PendingApproval>[] = [
    { key: 'name', head: words.name, place: 'title', cell: row => <CustomerName {...row} roomy /> },
    { key: 'email', head: words.email, place: 'detail', cell: row => <EmailText value={row.email} roomy /> },
    {
      key: 'account',
      head: words.accountNumber,
      cell: row => <AccountNumber className="text-sm" value={row.accountNumber} />,
    },
    {
      key: 'approve',
      head: words.actions,
      hideHead: true,
      align: 'end',
      place: 'actions',
      cell: row => (
        <RowButton label={words.approveName(nameOf(row) ?? '')} onPress={() => approveCustomer(row)}>
          {messages.admin.approve}
        </RowButton>
      ),
    },
  ];

  return (
    <>
      <ViewHead menu={menu} title={messages.admin.approvals}>
        <DoneLine ref={line} text={done} />
      </ViewHead>
      {failed && (
        <Banner
          kind="error"
          className="mb-5"
          title={words.approveFailed(failed.name)}
          onDismiss={() => setFailed(undefined)}
        >
          {errorMessage(failed.error, messages.errors.fault)}
        </Banner>
      )}
      {error && rows.length === 0 ? (
        <LoadFailed error={error} onRetry={refetch} />
      ) : (
        <Panel pad={false} label={messages.admin.approvals}>
          <Table
            caption={messages.admin.approvals}
            columns={columns}
            rows={rows}
            stack="narrow"
            rowKey={row => row._id}
            loading={isFetching && rows.length === 0}
            loadingLabel={messages.admin.loadingApprovals}
            empty={
              <EmptyState title={messages.admin.noApprovals} level={2}>
                {words.noApprovalsText}
              </EmptyState>
            }
          />
        </Panel>
      )}
    </>
  );
}
