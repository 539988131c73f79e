/** The component sheet's money and people: amounts, the night sheet, rows, slips, timelines, charts, pictures, tables. */
import { useState } from 'react';
import * as appMessages from '#contract/messages/app.ts';
import * as dashboardMessages from '#contract/messages/dashboard.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { AccountNumber } from '#web/bank/AccountNumber.tsx';
import { EntryList } from '#web/bank/EntryList.tsx';
import { EntryRow } from '#web/bank/EntryRow.tsx';
import { Logo } from '#web/bank/Logo.tsx';
import { Money } from '#web/bank/Money.tsx';
import { SplitMoney } from '#web/bank/SplitMoney.tsx';
import { Link } from '#web/router/Link.tsx';
import { Avatar } from '#web/ui/Avatar.tsx';
import { Badge } from '#web/ui/Badge.tsx';
import { BarRows } from '#web/ui/BarRows.tsx';
import { Button } from '#web/ui/Button.tsx';
import { ChartFrame } from '#web/ui/ChartFrame.tsx';
import { ChartLines } from '#web/ui/ChartLines.tsx';
import { ChartTable } from '#web/ui/ChartTable.tsx';
import { FigureRow } from '#web/ui/FigureRow.tsx';
import { IconButton } from '#web/ui/IconButton.tsx';
import { NightSheet } from '#web/ui/NightSheet.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Person } from '#web/ui/Person.tsx';
import { Slip } from '#web/ui/Slip.tsx';
import { Status } from '#web/ui/Status.tsx';
import { Switch } from '#web/ui/Switch.tsx';
import { type Column, Table } from '#web/ui/Table.tsx';
import { Timeline } from '#web/ui/Timeline.tsx';
import { Specimen } from './Specimen.tsx';
import { SpecimenGrid } from './SpecimenGrid.tsx';
import { SpecimenLine } from './SpecimenLine.tsx';
import './MoneySpecimens.css';

type Customer = {
  firstName: string;
  lastName: string;
  email: string;
  number: string;
  dollars: number;
  frozen: boolean;
};

const customers: Customer[] = [
  {
    firstName: 'Amara',
    lastName: 'Lindqvist',
    email: 'amara@lindqvist.example',
    number: '482109375527',
    dollars: 12_480.36,
    frozen: false,
  },
  {
    firstName: 'Hollis',
    lastName: 'Vane',
    email: 'hollis@vane.example',
    number: '445066731909',
    dollars: 1254.9,
    frozen: true,
  },
  {
    firstName: 'Maximiliana-Theodora',
    lastName: 'Wolfeschlegelsteinhausen',
    email: 'maximiliana.theodora.wolfeschlegelsteinhausen@post.example',
    number: '730511842298',
    dollars: 12_345_678.9,
    frozen: false,
  },
];

const columns: Column<Customer>[] = [
  {
    key: 'name',
    head: 'Name',
    place: 'title',
    foot: '3 customers',
    cell: row => (
      <Person firstName={row.firstName} lastName={row.lastName} className="MoneySpecimens-person" />
    ),
  },
  {
    key: 'email',
    head: 'Email',
    place: 'detail',
    cell: row => <span className="MoneySpecimens-email">{row.email}</span>,
  },
  { key: 'number', head: 'Account Number', cell: row => <AccountNumber value={row.number} /> },
  {
    key: 'balance',
    head: 'Balance',
    align: 'end',
    place: 'figure',
    foot: <Money dollars={12_359_414.16} />,
    cell: row => <Money dollars={row.dollars} />,
  },
  {
    key: 'frozen',
    head: 'Account Status',
    cell: row => (
      <Switch
        tone="danger"
        checked={row.frozen}
        onChange={() => undefined}
        name={`Freeze ${row.firstName}`}
        label={row.frozen ? 'Frozen' : 'Active'}
      />
    ),
  },
  {
    key: 'actions',
    head: 'Actions',
    place: 'actions',
    cell: row => (
      <Button kind="text" size="s" aria-label={`View ${row.firstName}`}>
        View
      </Button>
    ),
  },
];

export function MoneySpecimens() {
  const [hidden, setHidden] = useState(false);
  return (
    <>
      <Specimen name="Money">
        <div className="MoneySpecimens-figures">
          <Money dollars={12_345_678.9} form="balance" ruled />
          <Money dollars={0} form="balance" hidden />
          <Money dollars={250} form="receipt" ruled />
          <Money dollars={4115.5} direction="in" />
          <Money dollars={250} direction="out" />
          <Money dollars={420} direction="out" returned />
          <Money dollars={420} direction="out" form="receipt" returned />
          <Money dollars={-18.4} />
          <SplitMoney dollars={12_345_678.9} />
        </div>
      </Specimen>
      <Specimen name="Night sheet">
        <NightSheet label="Balance">
          <p className="MoneySpecimens-label">
            {dashboardMessages.balance}
            <IconButton
              icon={hidden ? 'eyeOff' : 'eye'}
              label={hidden ? 'Show balance' : 'Hide balance'}
              onClick={() => setHidden(!hidden)}
            />
          </p>
          <p className="MoneySpecimens-balance">
            <Money dollars={12_480.36} form="balance" ruled hidden={hidden} />
          </p>
          <div className="MoneySpecimens-foot">
            <AccountNumber value="482109375527" copyLabel="Copy account number" />
            <Button kind="light">{transferMessages.send}</Button>
          </div>
        </NightSheet>
      </Specimen>
      <Specimen name="Figures">
        <FigureRow
          figures={[
            { icon: 'loan', name: 'Total Borrowed', value: '$15,000.00', detail: 'in 2 loans' },
            { icon: 'calendar', name: 'Next Payment Due', value: '$236.54', detail: 'Dec 15, 2026' },
            { icon: 'list', name: 'Not known yet', value: undefined },
          ]}
        />
      </Specimen>
      <Specimen name="Entries and slip">
        <SpecimenGrid>
          <Panel pad={false} className="Specimen-rows">
            <EntryList label={transactionsMessages.list}>
              <EntryRow
                direction="in"
                title={<Link to="/dev/components">{transactionsMessages.titleReceived}</Link>}
                party="From: Tobias Fenn"
                description="Concert tickets"
                status={<Status status="completed">{transactionsMessages.completed}</Status>}
                when={<time dateTime="2026-11-21">Nov 21</time>}
                amount={<Money dollars={64.5} direction="in" />}
              />
              <EntryRow
                direction="bank"
                title="External Transfer to Wells Fargo"
                party="To: Ines Caldeira (7305118422)"
                description="Rent share, December"
                status={<Status status="pending">{transactionsMessages.pending}</Status>}
                when={<time dateTime="2026-11-20">Nov 20</time>}
                amount={<Money dollars={1250} direction="out" />}
              />
            </EntryList>
          </Panel>
          <Panel as="aside">
            <p className="type-note MoneySpecimens-note">When you press Send Money</p>
            <Slip
              rows={[
                { label: 'To', value: 'Ines Caldeira' },
                { label: transferMessages.transferAmount, value: '$250.00' },
                { label: transferMessages.fee, value: '$0.00' },
                { label: 'Total', value: '$250.00', total: true },
              ]}
            />
          </Panel>
        </SpecimenGrid>
        <EntryList layout="wide" label="Wide rows">
          <EntryRow
            direction="credit"
            title={transactionsMessages.titleAdminCredit}
            party="From: System"
            status={<Status status="completed">{transactionsMessages.completed}</Status>}
            when={<time dateTime="2026-11-19">Nov 19</time>}
            amount={<Money dollars={4115.5} direction="in" />}
          />
          <EntryRow
            direction="returned"
            title="External Transfer to Deutsche Bank"
            party="To: Maximiliana-Theodora Wolfeschlegelsteinhausen (DE02120300000000202051)"
            description="A very long description that has to end somewhere before the status begins"
            status={<Status status="failed">Failed, Returned</Status>}
            when={<time dateTime="2026-11-18">Nov 18</time>}
            amount={<Money dollars={420} direction="out" returned />}
          />
        </EntryList>
      </Specimen>
      <Specimen name="Timeline">
        <SpecimenGrid>
          <Timeline
            steps={[
              { state: 'done', title: 'Left your balance', when: 'Nov 19, 2026, 9:41 AM' },
              {
                state: 'next',
                title: 'Expected by Fri, Nov 28, 2026',
                text: transactionsMessages.businessDays,
              },
            ]}
          />
          <Timeline
            steps={[
              { state: 'done', title: 'Left your balance', when: 'Nov 19, 2026, 9:41 AM' },
              {
                state: 'back',
                title: transactionsMessages.returned,
                when: 'Nov 24, 2026, 6:00 AM',
                text: 'The money was returned to your account.',
              },
            ]}
          />
        </SpecimenGrid>
      </Specimen>
      <Specimen name="The frame of a drawing">
        <ChartFrame
          place={null}
          width={320}
          height={120}
          description="Two hairlines and a note"
          className="MoneySpecimens-frame"
        >
          <ChartLines
            lines={[
              { y: 20, text: '$10K' },
              { y: 60, text: '$5,000' },
            ]}
            left={52}
            right={320}
          />
          <text className="ChartFrame-note" x={120} y={46}>
            Sep 2, $7,500.00
          </text>
          <path className="ChartFrame-base" d="M52 100H320" />
        </ChartFrame>
      </Specimen>
      <Specimen name="Lying bars and the table behind them">
        <SpecimenGrid>
          <BarRows
            label="By type"
            rows={[
              { key: 'a', name: 'Transfer', value: 2400, figure: '$2,400.00', detail: '12 of 13 completed' },
              { key: 'b', name: 'External Transfer', value: 800, figure: '$800.00' },
              { key: 'c', name: 'Admin Credit', value: 0, figure: '$0.00' },
            ]}
          />
          <div>
            <BarRows
              label="Below zero"
              rows={[
                { key: 'a', name: 'Treasury', value: -900, figure: '−$900.00' },
                { key: 'b', name: 'On its way', value: 300, figure: '$300.00' },
              ]}
            />
            <ChartTable
              summary={appMessages.showAsTable}
              className="MoneySpecimens-table"
              caption="Below zero"
              heads={['Account', 'Balance']}
              rows={[{ key: 'a', name: 'Treasury', figures: ['−$900.00'] }]}
            />
          </div>
        </SpecimenGrid>
      </Specimen>
      <Specimen name="People">
        <SpecimenLine>
          <Avatar firstName="Amara" lastName="Lindqvist" size="s" />
          <Avatar firstName="Amara" lastName="Lindqvist" />
          <Avatar firstName="Amara" lastName="Lindqvist" size="l" />
          <Avatar firstName="Amara" lastName="Lindqvist" size="xl" src="/favicon.svg" />
          <Person firstName="Hollis" lastName="Vane" detail="4450 6673 1909" />
          <Badge kind="verified">{dashboardMessages.verified}</Badge>
          <Logo />
          <Logo form="mark" />
        </SpecimenLine>
      </Specimen>
      <Specimen name="Table">
        <Panel pad={false}>
          <Table caption="Users" columns={columns} rows={customers} rowKey={row => row.number} />
        </Panel>
        <Panel pad={false}>
          <Table
            caption="Users"
            columns={columns}
            rows={[]}
            rowKey={row => row.number}
            loading
            loadingRows={2}
            loadingLabel="Loading users..."
          />
        </Panel>
      </Specimen>
    </>
  );
}
