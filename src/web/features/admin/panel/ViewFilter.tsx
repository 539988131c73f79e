/** The select in the head of a view: which of its lists is shown. */
import { PrintedFilters } from '#web/bank/PrintedFilters.tsx';
import { SelectField } from '#web/ui/SelectField.tsx';
import './ViewFilter.css';

export type ViewFilterProps<Name extends string> = {
  label: string;
  value: Name;
  onChange: (value: string) => void;
  lists: readonly Name[];
  names: Record<Name, string>;
};

export function ViewFilter<Name extends string>(props: ViewFilterProps<Name>) {
  const { label, value, onChange, lists, names } = props;
  const choice = { label, value, options: lists.map(value => ({ value, label: names[value] })) };
  return (
    <>
      <SelectField className="ViewFilter screen-only" hideLabel onChange={onChange} {...choice} />
      <PrintedFilters choices={[choice]} />
    </>
  );
}
