/** The select in the head of a view: which of its lists is shown. */
import { SelectField, type SelectFieldProps } from '#web/ui/SelectField.tsx';
import './ViewFilter.css';

export const ViewFilter = (props: Pick<SelectFieldProps, 'label' | 'value' | 'onChange' | 'options'>) => (
  <SelectField className="ViewFilter" hideLabel {...props} />
);
