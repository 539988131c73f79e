/** Customers whose ID has not been checked. A verified one leaves the list. */
import { useRef, useState } from 'react';
import type { adminApi } from '#contract/admin.ts';
import type { Data } from '#contract/endpoint.ts';
import { messages } from '#contract/messages.ts';
import { errorMessage } from '#web/base/callError.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { type Column, Table } from '#web/ui/Table.tsx';
import { nameOf } from '#web/ui/transactionReading.ts';
import { useUnverifiedIdsQuery, useVerifyIdMutation } from './adminCalls.ts';
import { CustomerName } from './CustomerName.tsx';
import { DoneLine } from './DoneLine.tsx';
import { EmailText } from './EmailText.tsx';
import { IdCardLink } from './IdCardLink.tsx';
import { LoadFailed } from './LoadFailed.tsx';
import { Moment } from './Moment.tsx';
import { RowButton } from './RowButton.tsx';
import { ViewHead, type ViewProps } from './ViewHead.tsx';
import { words } from './words.ts';

type Unverified = Data<(typeof adminApi)['unverifiedIds']>[number];

export function IdVerificationsView({ menu }: ViewProps) {
  const { data: rows = [], isFetching, error, refetch } = useUnverifiedIdsQuery();
  const [verify] = useVerifyIdMutation();
  const [done, setDone] = useState('');
  const [failed, setFailed] = useState<{ name: string; error: unknown }>();
  const line = useRef<HTMLParagraphElement>(null);

  const verifyCustomer = async (customer: Unverified) => {
    const name = nameOf(customer) ?? '';
    setFailed(undefined);
    const answer = await verify({ params: { id: customer._id } });
    if (answer.error) return setFailed({ name, error: answer.error });
    setDone(words.verifiedName(name));
    // The pressed button goes with its row; the focus must not fall out of the page.
    line.current?.focus();
  };

  const columns: Column<Unverified>[] = [
    { key: 'name', head: words.name, place: 'title', cell: row => <CustomerName {...row} roomy /> },
    { key: 'email', head: words.email, place: 'detail', cell: row => <EmailText value={row.email} roomy /> },
    {
      key: 'idCard',
      head: words.idCard,
      cell: row =>
        row.idCard ? (
          <IdCardLink name={nameOf(row) ?? ''} url={row.idCard.url} />
        ) : (
          <span className="text-sm text-ink-2">{words.noIdUploaded}</span>
        ),
    },
    {
      key: 'submitted',
      head: words.submittedDate,
      cell: row => (
        <span className="text-sm text-ink-2">
          <Moment iso={row.createdAt} />
        </span>
      ),
    },
    {
      key: 'verify',
      head: words.actions,
      hideHead: true,
      align: 'end',
      place: 'actions',
      cell: row => (
        <RowButton label={words.verifyName(nameOf(row) ?? '')} onPress={() => verifyCustomer(row)}>
          {words.verifyId}
        </RowButton>
      ),
    },
  ];

  return (
    <>
      <ViewHead menu={menu} title={messages.admin.idVerifications}>
        <DoneLine ref={line} text={done} />
      </ViewHead>
      {failed && (
        <Banner
          kind="error"
          className="mb-5"
          title={words.verifyFailed(failed.name)}
          onDismiss={() => setFailed(undefined)}
        >
          {errorMessage(failed.error, messages.errors.fault)}
        </Banner>
      )}
      {error && rows.length === 0 ? (
        <LoadFailed error={error} onRetry={refetch} />
      ) : (
        <Panel pad={false} label={messages.admin.idVerifications}>
          <Table
            caption={messages.admin.idVerifications}
            columns={columns}
            rows={rows}
            rowKey={row => row._id}
            loading={isFetching && rows.length === 0}
            loadingLabel={messages.admin.loadingUnverified}
            empty={
              <EmptyState title={messages.admin.noUnverified} level={2}>
                {words.noUnverifiedText}
              </EmptyState>
            }
          />
        </Panel>
      )}
    </>
  );
}
