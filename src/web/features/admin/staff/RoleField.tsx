/** Chooses a role and says what it may do. */
import * as staffMessages from '#contract/messages/staff.ts';
import { type Role, roles } from '#contract/roles.ts';
import { SelectField } from '#web/ui/SelectField.tsx';
import { staffWords as words } from './staffWords.ts';

const options = roles.map(value => ({ value, label: staffMessages.roleNames[value] }));

export function RoleField({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
  return (
    <SelectField
      label={words.role}
      hint={staffMessages.roleDescriptions[value]}
      value={value}
      onChange={chosen => {
        const role = roles.find(name => name === chosen);
        if (role) onChange(role);
      }}
      options={options}
    />
  );
}
