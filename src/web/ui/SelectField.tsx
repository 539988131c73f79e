/** The browser's own select in our box: options, and groups of options (banks by country). */
import type { ComponentProps } from 'react';
import { Field, type FieldTexts, splitProps } from './Field.tsx';
import { Icon } from './Icon.tsx';
import './SelectField.css';
import './Input.css';

export type Option = { value: string; label: string; disabled?: boolean | undefined };
export type OptionGroup = { label: string; options: readonly Option[] };

export type SelectFieldProps = FieldTexts & {
  value: string;
  onChange: (value: string) => void;
  options: readonly (Option | OptionGroup)[];
  /** The empty first option: 'Select a bank'. It cannot be selected again if the field is required. */
  placeholder?: string | undefined;
} & Omit<ComponentProps<'select'>, 'value' | 'onChange' | 'className' | 'children'>;

function choice({ value, label, disabled }: Option) {
  return (
    <option key={value} value={value} disabled={disabled}>
      {label}
    </option>
  );
}

export function SelectField(props: SelectFieldProps) {
  const [field, { options, placeholder, onChange, ...select }] = splitProps(props);
  return (
    <Field {...field}>
      {control => (
        <span className="SelectField">
          <select {...select} {...control} className="Input" onChange={event => onChange(event.target.value)}>
            {placeholder !== undefined && (
              <option value="" disabled={select.required}>
                {placeholder}
              </option>
            )}
            {options.map(option =>
              'options' in option ? (
                <optgroup key={option.label} label={option.label}>
                  {option.options.map(choice)}
                </optgroup>
              ) : (
                choice(option)
              ),
            )}
          </select>
          <Icon name="down" size={16} />
        </span>
      )}
    </Field>
  );
}
