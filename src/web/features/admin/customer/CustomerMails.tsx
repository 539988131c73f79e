/** The last 100 mails to a customer: when and about what. Some can be sent again, but never security mails. */
import { useState } from 'react';
import { adminCustomersApi } from '#contract/adminCustomers.ts';
import * as appMessages from '#contract/messages/app.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import { pollingOptions } from '#web/base/pollingOptions.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { type Column, Table } from '#web/ui/Table.tsx';
import { type CustomerMail, useCustomerMailsQuery, useResendMailMutation } from '../customerCalls.ts';
import { actionsColumn } from '../panel/actionsColumn.ts';
import { type Outcome, outcomeOf } from '../panel/actRefusalText.ts';
import { CellLines } from '../panel/CellLines.tsx';
import { ListFailed } from '../panel/ListFailed.tsx';
import { Moment } from '../panel/Moment.tsx';
import { RowButton } from '../panel/RowButton.tsx';
import { useMay } from '../panel/useRole.ts';
import { words } from '../words.ts';
import './CustomerMails.css';

export function CustomerMails({ id }: { id: string }) {
  const { currentData, error, isFetching, refetch } = useCustomerMailsQuery(
    { params: { id } },
    pollingOptions,
  );
  const [resend] = useResendMailMutation();
  const may = useMay();
  const [outcome, setOutcome] = useState<Outcome>();
  const send = async (mail: CustomerMail) => {
    setOutcome(outcomeOf(await resend({ params: { id }, body: { mailId: mail._id } })));
  };
  const columns: Column<CustomerMail>[] = [
    {
      key: 'subject',
      head: words.subject,
      place: 'title',
      cell: row => (
        <CellLines>
          {row.subject}
          {row.isSecurity && !row.canResend && <span className="type-small">{words.isSecurity}</span>}
        </CellLines>
      ),
    },
    {
      key: 'at',
      head: words.sentAt,
      cell: row => <Moment small iso={row.at} withTime />,
    },
    actionsColumn(
      row =>
        row.canResend &&
        may(adminCustomersApi.resendMail) && (
          <RowButton name={words.resendName(row.subject)} onPress={() => send(row)}>
            {words.resend}
          </RowButton>
        ),
    ),
  ];
  if (error && !currentData) return <ListFailed error={error} onRetry={refetch} />;
  return (
    <>
      {outcome && (
        <Banner
          kind={outcome.kind}
          className="CustomerMails-outcome"
          title={outcome.text}
          dismiss={{ label: appMessages.dismiss, onPress: () => setOutcome(undefined) }}
        />
      )}
      <Panel pad={false} label={staffMessages.mails}>
        <Table
          caption={staffMessages.mails}
          columns={columns}
          rows={currentData ?? []}
          rowKey={row => row._id}
          stack="narrow"
          loading={isFetching && !currentData}
          loadingLabel={words.loadingMails}
          empty={<EmptyState title={words.noMails}>{words.noMailsText}</EmptyState>}
        />
      </Panel>
    </>
  );
}
