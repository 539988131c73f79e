/** The component sheet's lists: filters, rows, the question before a removal, pictures of goals, timelines. */
import { useState } from 'react';
import type { Transaction } from '#contract/entities.ts';
import { goalPictures } from '#contract/goals.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import { DayFields } from '#web/bank/DayFields.tsx';
import { EntryList } from '#web/bank/EntryList.tsx';
import { FilterBar } from '#web/bank/FilterBar.tsx';
import { GoalPicture } from '#web/bank/GoalPicture.tsx';
import { LoadFailed } from '#web/bank/LoadFailed.tsx';
import { RemoveQuestion } from '#web/bank/RemoveQuestion.tsx';
import { StoryTimeline } from '#web/bank/StoryTimeline.tsx';
import { TransactionRow } from '#web/bank/TransactionRow.tsx';
import { noFilters } from '#web/bank/transactionFilters.ts';
import { Panel } from '#web/ui/Panel.tsx';
import { Specimen } from './Specimen.tsx';
import { SpecimenGrid } from './SpecimenGrid.tsx';

const amara = { _id: 'amara', firstName: 'Amara', lastName: 'Lindqvist' };
const long = {
  _id: 'maximiliana',
  firstName: 'Maximiliana-Theodora',
  lastName: 'Wolfeschlegelsteinhausen',
};
const posted = '2026-11-19T14:41:00Z';
const decided = '2026-11-24T11:00:00Z';

function transaction(_id: string, rest: Partial<Transaction>): Transaction {
  return {
    _id,
    reference: 'LB-7F3K-9QXA-2M4T',
    type: 'transfer',
    status: 'completed',
    amount: 64.5,
    timestamp: posted,
    description: '',
    ...rest,
  };
}

const external: Partial<Transaction> = {
  type: 'external-transfer',
  sender: amara,
  amount: 1250,
  description: 'Rent share, December',
  externalBankDetails: {
    bankName: 'Deutsche Bank',
    accountName: 'Ines Caldeira',
    accountNumber: 'DE02120300000000202051',
  },
};

const rows = [
  transaction('in', { sender: long, receiver: amara, description: 'Concert tickets' }),
  transaction('out', { sender: amara, receiver: long, amount: 12_345_678.9 }),
  transaction('credit', { type: 'admin-credit', receiver: amara, amount: 4115.5, description: 'Opening' }),
  transaction('pending', { ...external, status: 'pending' }),
  transaction('failed', { ...external, status: 'failed' }),
];

const removal = {
  text: 'Remove Ines Caldeira from your payees?',
  label: 'Remove',
  busyLabel: 'Removing...',
  removeNow: async () => {},
  keep: () => {},
};

export function ListSpecimens() {
  const [filters, setFilters] = useState({ ...noFilters, type: 'transfer', startDate: '2026-11-01' });
  const [days, setDays] = useState({ startDate: '2026-11-01', endDate: '2026-11-21' });
  const [none, setNone] = useState(noFilters);
  const ignore = () => undefined;
  return (
    <>
      <Specimen name="Filters">
        <FilterBar filters={none} onChange={changed => setNone({ ...none, ...changed })} />
        <FilterBar filters={filters} onChange={changed => setFilters({ ...filters, ...changed })} />
        <FilterBar
          withoutSearch
          filters={filters}
          onChange={changed => setFilters({ ...filters, ...changed })}
        />
      </Specimen>
      <Specimen name="Question before a row is removed">
        <SpecimenGrid>
          <RemoveQuestion {...removal} busy={false} />
          <RemoveQuestion {...removal} busy />
        </SpecimenGrid>
      </Specimen>
      <Specimen name="Days">
        <SpecimenGrid>
          <DayFields startDate="" endDate="" onChange={ignore} />
          <DayFields {...days} onChange={changed => setDays({ ...days, ...changed })} />
          <DayFields startDate="2026-11-21" endDate="2026-11-01" onChange={ignore} />
        </SpecimenGrid>
      </Specimen>
      <Specimen name="Transactions">
        <SpecimenGrid>
          <Panel pad={false} className="Specimen-rows">
            <EntryList label="Short rows">
              {rows.map(row => (
                <TransactionRow key={row._id} transaction={row} customerId={amara._id} layout="short" />
              ))}
            </EntryList>
          </Panel>
          <LoadFailed
            title="The transactions could not be loaded"
            text={errorMessages.busy}
            onRetry={ignore}
          />
        </SpecimenGrid>
        <EntryList layout="wide" label="Wide rows">
          {rows.map(row => (
            <TransactionRow key={row._id} transaction={row} customerId={amara._id} layout="wide" />
          ))}
        </EntryList>
      </Specimen>
      <Specimen name="Pictures of savings goals">
        <SpecimenGrid>
          {goalPictures.map(name => (
            <GoalPicture key={name} name={name} />
          ))}
        </SpecimenGrid>
      </Specimen>
      <Specimen name="Stories">
        <SpecimenGrid>
          <StoryTimeline
            label="On its way"
            side="sender"
            transaction={{
              ...transaction('a', { ...external, status: 'pending' }),
              timeline: [{ step: 'posted', at: posted }],
              expectedBy: '2026-11-28',
            }}
          />
          <StoryTimeline
            label="Arrived"
            side="sender"
            transaction={{
              ...transaction('b', external),
              timeline: [
                { step: 'posted', at: posted },
                { step: 'settled', at: decided },
              ],
            }}
          />
          <StoryTimeline
            label="Came back"
            side="bank"
            transaction={{
              ...transaction('c', { ...external, status: 'failed' }),
              timeline: [
                { step: 'posted', at: posted },
                { step: 'returned', at: decided },
              ],
              returnReason: 'The account is closed',
            }}
          />
          <StoryTimeline
            label="Received"
            side="receiver"
            transaction={{ ...rows[0]!, timeline: [{ step: 'posted', at: posted }] }}
          />
        </SpecimenGrid>
      </Specimen>
    </>
  );
}
