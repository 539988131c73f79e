/** Narrows the users by state and ID document, orders them, and saves the filtered list as a file. */

import { adminCustomersApi, customerStates, documentStates } from '#contract/adminCustomers.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import { PrintedFilters } from '#web/bank/PrintedFilters.tsx';
import { SelectField } from '#web/ui/SelectField.tsx';
import { ExportButton } from '../panel/ExportButton.tsx';
import { words } from '../words.ts';
import { type UserFilters, userQuery, userSorts } from './userFilters.ts';
import './UserFilterBar.css';

export type UserFilterBarProps = {
  filters: UserFilters;
  /** The text in the search field, which applies to the file too. */
  search: string;
  onChange: (filters: UserFilters) => void;
};

const states = customerStates.map(value => ({ value, label: adminMessages.customerStates[value] }));
const documents = documentStates.map(value => ({ value, label: adminMessages.documentStates[value] }));

export function UserFilterBar({ filters, search, onChange }: UserFilterBarProps) {
  return (
    <>
      <search className="UserFilterBar screen-only">
        <SelectField
          label={words.filterState}
          hideLabel
          value={filters.state}
          onChange={state => onChange({ ...filters, state })}
          placeholder={words.allStates}
          options={states}
        />
        <SelectField
          label={words.filterDocument}
          hideLabel
          value={filters.document}
          onChange={document => onChange({ ...filters, document })}
          placeholder={words.allDocuments}
          options={documents}
        />
        <SelectField
          label={words.userSort}
          hideLabel
          value={filters.sort}
          onChange={sort => onChange({ ...filters, sort })}
          options={userSorts}
        />
        <ExportButton
          call={adminCustomersApi.exportCustomers}
          query={{ ...userQuery(filters), search: search.trim() }}
        />
      </search>
      <PrintedFilters
        choices={[
          { label: words.filterState, value: filters.state, options: states },
          { label: words.filterDocument, value: filters.document, options: documents },
        ]}
        search={search}
      />
    </>
  );
}
