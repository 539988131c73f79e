/**
 * The filters of a transaction list: search, type, status and dates. On phones, the Filter button shows and hides all but the
 * search. The Clear button empties them all. A printed list names the filters instead.
 */
import { useId, useState } from 'react';
import { transactionStatuses, transactionTypes } from '#contract/entities.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import { Button } from '#web/ui/Button.tsx';
import { Count } from '#web/ui/Count.tsx';
import { classNames } from '#web/ui/classNames.ts';
import { SelectField } from '#web/ui/SelectField.tsx';
import { TextField } from '#web/ui/TextField.tsx';
import { useSearchText } from '#web/ui/useSearchText.ts';
import { narrowBar, useWidth } from '#web/ui/useWidth.ts';
import { DayFields } from './DayFields.tsx';
import { PrintedFilters } from './PrintedFilters.tsx';
import { countFilters, type Filters, noFilters } from './transactionFilters.ts';
import { statusTexts, typeTexts } from './transactionReading.ts';
import * as words from './words.ts';
import './FilterBar.css';

const typeOptions = transactionTypes.map(value => ({ value, label: typeTexts[value] }));
const statusOptions = transactionStatuses.map(value => ({ value, label: statusTexts[value] }));

const heldOption = { value: 'held', label: transactionsMessages.held };

export type FilterBarProps = {
  filters: Filters;
  onChange: (changed: Partial<Filters>) => void;
  /** Leaves out the search field, for a list that has its own. */
  withoutSearch?: boolean;
  /** Offers the payments that a freeze holds, in the lists of staff. */
  withHeld?: boolean;
};

export function FilterBar({ filters, onChange, withoutSearch, withHeld }: FilterBarProps) {
  const statuses = withHeld ? [...statusOptions, heldOption] : statusOptions;
  const [open, setOpen] = useState(false);
  const panel = useId();
  const [width, place] = useWidth(612);
  const [search, setSearch] = useSearchText(filters.search, text => onChange({ search: text }));
  const { type, status, startDate, endDate } = filters;
  const narrowed = countFilters(filters);
  const clear = () => {
    setSearch('');
    onChange(noFilters);
  };
  return (
    <search
      ref={place}
      className={classNames('FilterBar', open && 'FilterBar--open', withoutSearch && 'FilterBar--fields')}
    >
      {!withoutSearch && (
        <TextField
          className="FilterBar-search"
          label={words.search}
          hideLabel
          icon="search"
          type="search"
          placeholder={width < narrowBar ? words.searchHintShort : words.searchHint}
          value={search}
          onChange={setSearch}
          maxLength={100}
          autoComplete="off"
          enterKeyHint="search"
        />
      )}
      <Button
        kind="quiet"
        icon="filter"
        className="FilterBar-toggle"
        aria-expanded={open}
        aria-controls={panel}
        onClick={() => setOpen(!open)}
      >
        {transactionsMessages.filter}
        {narrowed > 0 && <Count value={narrowed} />}
      </Button>
      <div id={panel} className="FilterBar-fields">
        <SelectField
          label={words.type}
          value={type}
          onChange={value => onChange({ type: value })}
          placeholder={transactionsMessages.allTypes}
          options={typeOptions}
        />
        <SelectField
          label={words.status}
          value={status}
          onChange={value => onChange({ status: value })}
          placeholder={transactionsMessages.allStatus}
          options={statuses}
        />
        <DayFields startDate={startDate} endDate={endDate} onChange={onChange} />
        <Button
          kind="quiet"
          icon="filter"
          className="FilterBar-clear"
          disabled={narrowed === 0 && search === ''}
          onClick={clear}
        >
          {words.clear}
        </Button>
      </div>
      <PrintedFilters
        choices={[
          { label: words.type, value: type, options: typeOptions },
          { label: words.status, value: status, options: statuses },
        ]}
        startDate={startDate}
        endDate={endDate}
        search={filters.search}
      />
    </search>
  );
}
