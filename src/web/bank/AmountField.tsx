/**
 * An amount in dollars, in large type so that it cannot be misread. Digits are grouped while they are typed, and the caret
 * keeps its position between them. On blur, a well-formed amount also gets its cents (250 → 250.00). Anything ambiguous stays
 * as typed, and the form refuses it. If the error is that the amount is not valid, the field adds how to write it.
 */
import { type ComponentProps, useRef } from 'react';
import * as transferMessages from '#contract/messages/transfer.ts';
import { partsOfCents, typedToCents } from '#contract/money.ts';
import { Field, type FieldTexts, splitProps } from '#web/ui/Field.tsx';
import { whyNoAmount } from './amountRule.ts';
import { useGroupedCaret } from './useGroupedCaret.ts';
import './AmountField.css';
import '#web/ui/Input.css';

export type AmountFieldProps = FieldTexts & {
  /** The text in the box; read it with `typedToCents`. */
  value: string;
  onChange: (value: string) => void;
  /** What the field adds to the error of an amount above `{max}`. */
  tooLarge?: string | undefined;
} & Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'className' | 'children' | 'type' | 'ref'>;

/** `1234.5` as `1,234.50`; an ambiguous text is returned unchanged. */
function groupAmount(text: string): string {
  const cents = typedToCents(text);
  if (cents === undefined) return text;
  const { dollars, fraction } = partsOfCents(cents);
  return `${dollars}.${fraction}`;
}

const commas = (text: string) => text.replace(/[^,]/g, '').length;

/**
 * Groups the thousands of `text`, unless the user typed a comma, which may mean a decimal point. `before` is the text before
 * the edit: if it was a valid amount, this function added its commas.
 */
function groupWhileTyping(text: string, before: string): string {
  const [whole = '', ...fraction] = text.split('.');
  const isOurs = typedToCents(before) === undefined ? commas(text) === 0 : commas(text) <= commas(before);
  const digits = whole.replaceAll(',', '');
  if (!isOurs || !/^[1-9]\d*$/.test(digits)) return text;
  return [digits.replace(/\B(?=(\d{3})+$)/g, ','), ...fraction].join('.');
}

export function AmountField(props: AmountFieldProps) {
  const [field, { value, onChange, onBlur, tooLarge = transferMessages.amountMost, ...input }] =
    splitProps(props);
  const why = field.error === transferMessages.invalidAmount && whyNoAmount(value, tooLarge);
  const { box, caret } = useGroupedCaret(value, ',');
  // A pasted comma may mean a decimal point, even where it replaces a comma that `groupWhileTyping` added.
  const hasPastedComma = useRef(false);
  const notePasted = (text: string) => {
    hasPastedComma.current = text.includes(',');
    // Applies only to the change event that follows the paste, if there is one.
    setTimeout(() => {
      hasPastedComma.current = false;
    });
  };
  const type = (text: string) => {
    const grouped = hasPastedComma.current ? text : groupWhileTyping(text, value);
    const place = box.current?.selectionStart ?? text.length;
    if (grouped !== text) caret.current = text.slice(0, place).replaceAll(',', '').length;
    onChange(grouped);
  };
  return (
    <Field {...field} error={why ? `${transferMessages.invalidAmount}. ${why}` : field.error}>
      {control => (
        <span className="AmountField">
          <span aria-hidden="true">$</span>
          <input
            autoComplete="off"
            {...input}
            {...control}
            ref={box}
            className="Input"
            type="text"
            inputMode="decimal"
            value={value}
            onPaste={({ clipboardData }) => notePasted(clipboardData.getData('text'))}
            onDrop={({ dataTransfer }) => notePasted(dataTransfer.getData('text'))}
            onChange={event => type(event.target.value)}
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
