/** The select in the head of a view: which of its lists is shown. */
import { SelectField, type SelectFieldProps } from '#web/ui/SelectField.tsx';
import './ViewFilter.css';

export type ViewFilterProps<Name extends string> = Pick<SelectFieldProps, 'label' | 'value' | 'onChange'> & {
  lists: readonly Name[];
  names: Record<Name, string>;
};

export const ViewFilter = <Name extends string>({ lists, names, ...props }: ViewFilterProps<Name>) => (
  <SelectField
    className="ViewFilter screen-only"
    hideLabel
    options={lists.map(value => ({ value, label: names[value] }))}
    {...props}
  />
);
