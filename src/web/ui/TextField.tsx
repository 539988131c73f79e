/** A single-line text field with label, hint and error. The value is a string and is never altered. */
import type { ComponentProps } from 'react';
import { classNames } from './classNames.ts';
import { Field, type FieldTexts, splitProps } from './Field.tsx';
import { Icon, type IconName } from './Icon.tsx';
import './TextField.css';
import './Input.css';

export type TextFieldProps = FieldTexts & {
  value: string;
  onChange: (value: string) => void;
  /** Inside the box at the left, e.g. `search`. */
  icon?: IconName | undefined;
  /** Tabular digits, for numbers that are compared digit by digit: account numbers, phone numbers. */
  figures?: boolean | undefined;
} & Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'className' | 'children'>;

export function TextField(props: TextFieldProps) {
  const [field, { icon, figures, onChange, ...input }] = splitProps(props);
  return (
    <Field {...field}>
      {control => (
        <span className={classNames('TextField', icon && 'TextField--icon')}>
          {icon && <Icon name={icon} />}
          <input
            {...input}
            {...control}
            className={classNames('Input', figures && 'TextField-figures')}
            onChange={event => onChange(event.target.value)}
          />
        </span>
      )}
    </Field>
  );
}
