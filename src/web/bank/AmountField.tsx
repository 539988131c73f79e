/**
 * An amount in dollars, in large type so that it cannot be misread. The text never changes while the user types. On blur, a
 * well-formed amount gets its commas and cents (250 → 250.00); anything else stays as typed, and the form refuses it.
 */
import type { ComponentProps } from 'react';
import { partsOfCents, typedToCents } from '#contract/money.ts';
import { Field, type FieldTexts } from '#web/ui/Field.tsx';
import './AmountField.css';
import '#web/ui/Input.css';

export type AmountFieldProps = FieldTexts & {
  /** The text in the box; read it with `typedToCents`. */
  value: string;
  onChange: (value: string) => void;
} & Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'className' | 'children' | 'type'>;

/** `1234.5` as `1,234.50`; an ambiguous text is returned unchanged. */
function groupAmount(text: string): string {
  const cents = typedToCents(text);
  if (cents === undefined) return text;
  const { dollars, fraction } = partsOfCents(cents);
  return `${dollars}.${fraction}`;
}

export function AmountField(props: AmountFieldProps) {
  const {
    label,
    hint,
    error,
    optional,
    aside,
    status,
    hideLabel,
    className,
    id,
    value,
    onChange,
    onBlur,
    ...input
  } = props;
  return (
    <Field {...{ label, hint, error, optional, aside, status, hideLabel, className, id }}>
      {control => (
        <span className="AmountField">
          <span aria-hidden="true">$</span>
          <input
            autoComplete="off"
            {...input}
            {...control}
            className="Input"
            type="text"
            inputMode="decimal"
            value={value}
            onChange={event => onChange(event.target.value)}
            onBlur={event => {
              const grouped = groupAmount(value);
              if (grouped !== value) onChange(grouped);
              onBlur?.(event);
            }}
          />
        </span>
      )}
    </Field>
  );
}
