/** Multi-line text with label, hint and error. Only the user resizes it. */
import type { ComponentProps } from 'react';
import { Field, type FieldTexts, splitProps } from './Field.tsx';
import './Input.css';

export type TextAreaFieldProps = FieldTexts & {
  value: string;
  onChange: (value: string) => void;
} & Omit<ComponentProps<'textarea'>, 'value' | 'onChange' | 'className' | 'children'>;

export function TextAreaField(props: TextAreaFieldProps) {
  const [field, { onChange, ...area }] = splitProps(props);
  return (
    <Field {...field}>
      {control => (
        <textarea {...area} {...control} className="Input" onChange={event => onChange(event.target.value)} />
      )}
    </Field>
  );
}
