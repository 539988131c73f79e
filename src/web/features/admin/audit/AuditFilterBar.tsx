/** The audit log's search and filters. If the log is narrowed to a person or transaction, a line above them says so. */

import { actorKinds } from '#contract/entities.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import { fill } from '#contract/messages/fill.ts';
import { DayFields } from '#web/bank/DayFields.tsx';
import { PrintedFilters } from '#web/bank/PrintedFilters.tsx';
import { Button } from '#web/ui/Button.tsx';
import { SelectField } from '#web/ui/SelectField.tsx';
import { TextField } from '#web/ui/TextField.tsx';
import { narrowBar, useWidth } from '#web/ui/useWidth.ts';
import { type AuditFilters, noAuditFilters } from './auditFilters.ts';
import { actionText, auditWords } from './auditWords.ts';
import './AuditFilterBar.css';

export type AuditFilterBarProps = {
  filters: AuditFilters;
  /** All recorded actions. */
  actions: readonly string[];
  /** The name of the person or transaction in the filters, if known. */
  personName: string | undefined;
  /** The text in the search field. */
  search: string;
  onSearch: (text: string) => void;
  onChange: (changed: Partial<AuditFilters>) => void;
};

const kindOptions = actorKinds.map(value => ({ value, label: adminMessages.actorKinds[value] }));

export function AuditFilterBar(props: AuditFilterBarProps) {
  const { filters, actions, personName, search, onSearch, onChange } = props;
  const [width, place] = useWidth(900);
  const { actorKind, action, person, startDate, endDate } = filters;
  const known = action === '' || actions.includes(action) ? actions : [...actions, action];
  const actionOptions = known
    .map(value => ({ value, label: actionText(value) }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
  return (
    <>
      {person && (
        <p className="AuditFilterBar-person">
          {fill(auditWords.onlyPerson, { name: personName ?? auditWords.thisPerson })}
          <Button kind="quiet" size="s" onClick={() => onChange({ person: '' })}>
            {auditWords.showAll}
          </Button>
        </p>
      )}
      <search ref={place} className="AuditFilterBar screen-only">
        <TextField
          className="AuditFilterBar-search"
          label={auditWords.search}
          hideLabel
          icon="search"
          type="search"
          autoComplete="off"
          placeholder={width < narrowBar ? auditWords.searchShort : auditWords.search}
          value={search}
          onChange={onSearch}
        />
        <SelectField
          label={auditWords.who}
          value={actorKind}
          onChange={value => onChange({ actorKind: value })}
          placeholder={auditWords.everybody}
          options={kindOptions}
        />
        <SelectField
          label={auditWords.action}
          value={action}
          onChange={value => onChange({ action: value })}
          placeholder={auditWords.allActions}
          options={actionOptions}
        />
        <DayFields startDate={startDate} endDate={endDate} onChange={onChange} />
        <Button
          kind="quiet"
          icon="filter"
          disabled={search === '' && Object.values(filters).every(value => value === '')}
          onClick={() => {
            onSearch('');
            onChange(noAuditFilters);
          }}
        >
          {auditWords.clear}
        </Button>
      </search>
      <PrintedFilters
        choices={[
          { label: auditWords.who, value: actorKind, options: kindOptions },
          { label: auditWords.action, value: action, options: actionOptions },
        ]}
        startDate={startDate}
        endDate={endDate}
        search={search}
      />
    </>
  );
}
