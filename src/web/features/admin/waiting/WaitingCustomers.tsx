/**
 * A list of customers who each wait for one action of the administrator. A customer leaves the list when it is reloaded
 * after the action.
 */
import { useRef, useState } from 'react';
import * as appMessages from '#contract/messages/app.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import { nameOf } from '#web/bank/transactionReading.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { type Column, Table, type TableProps } from '#web/ui/Table.tsx';
import { actRefusalText } from '../panel/actRefusalText.ts';
import { CustomerName } from '../panel/CustomerName.tsx';
import { DoneLine } from '../panel/DoneLine.tsx';
import { EmailText } from '../panel/EmailText.tsx';
import { ListFailed } from '../panel/ListFailed.tsx';
import { RowButton } from '../panel/RowButton.tsx';
import { ViewButton } from '../panel/ViewButton.tsx';
import { ViewHead, type ViewProps } from '../panel/ViewHead.tsx';
import { words } from '../words.ts';
import './WaitingCustomers.css';

type Customer = { _id: string; firstName: string; lastName: string; email: string };

export type WaitingCustomersProps<Row extends Customer> = ViewProps & {
  title: string;
  /** The query that lists the customers. */
  list: {
    data?: Row[] | undefined;
    isFetching: boolean;
    error?: unknown;
    refetch: () => unknown;
  };
  /** Columns between the email and the button. */
  columns: readonly Column<Row>[];
  step: {
    /** The button's label. */
    label: string;
    describe: (name: string) => string;
    /** Why the action is not possible for a customer yet, if it is not. */
    waitsFor?: (customer: Row) => string | undefined;
    run: (id: string) => Promise<{ data?: { message: string } | undefined; error?: unknown }>;
    failed: (name: string) => string;
  };
  /** Shows a customer's details before the action. */
  onView?: (customer: Row) => void;
  loadingLabel: string;
  none: { title: string; text: string };
  stack?: TableProps<Row>['stack'];
};

export function WaitingCustomers<Row extends Customer>(props: WaitingCustomersProps<Row>) {
  const { menu, title, list, step, onView, none } = props;
  const { data: rows = [], isFetching, error, refetch } = list;
  const [done, setDone] = useState('');
  const [failed, setFailed] = useState<{ name: string; error: unknown }>();
  const line = useRef<HTMLParagraphElement>(null);

  const press = async (customer: Row) => {
    const name = nameOf(customer) ?? '';
    setFailed(undefined);
    const answer = await step.run(customer._id);
    if (!answer.data) return setFailed({ name, error: answer.error });
    // Show the bank's answer: a colleague may have acted first.
    setDone(`${name}: ${answer.data.message}`);
    // The clicked button disappears with its row; move the focus so that it is not lost.
    line.current?.focus();
  };

  const columns: Column<Row>[] = [
    { key: 'name', head: words.name, place: 'title', cell: row => <CustomerName {...row} roomy /> },
    { key: 'email', head: words.email, place: 'detail', cell: row => <EmailText value={row.email} roomy /> },
    ...props.columns,
    {
      key: 'step',
      head: words.actions,
      hideHead: true,
      align: 'end',
      place: 'actions',
      cell: row => {
        const missing = step.waitsFor?.(row);
        const name = nameOf(row) ?? '';
        return (
          <>
            {onView && <ViewButton name={name} onPress={() => onView(row)} />}
            <RowButton
              label={missing ?? step.describe(name)}
              disabled={missing !== undefined}
              onPress={() => press(row)}
            >
              {step.label}
            </RowButton>
          </>
        );
      },
    },
  ];

  return (
    <>
      <ViewHead menu={menu} title={title}>
        <DoneLine ref={line} text={done} />
      </ViewHead>
      {failed && (
        <Banner
          kind="error"
          className="WaitingCustomers-failed"
          title={step.failed(failed.name)}
          dismiss={{ label: appMessages.dismiss, onPress: () => setFailed(undefined) }}
        >
          {actRefusalText(failed.error, failed.name, errorMessages.fault)}
        </Banner>
      )}
      {error && rows.length === 0 ? (
        <ListFailed error={error} onRetry={refetch} />
      ) : (
        <Panel pad={false} label={title}>
          <Table
            caption={title}
            columns={columns}
            rows={rows}
            rowKey={row => row._id}
            stack={props.stack}
            loading={isFetching && rows.length === 0}
            loadingLabel={props.loadingLabel}
            empty={
              <EmptyState title={none.title} level={2}>
                {none.text}
              </EmptyState>
            }
          />
        </Panel>
      )}
    </>
  );
}
