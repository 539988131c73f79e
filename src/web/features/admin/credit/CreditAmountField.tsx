/** The credit's amount: a number field with a dollar sign, minimum 0, in steps of a cent. */
import { admin as limits } from '#contract/constants.ts';
import { Field } from '#web/ui/Field.tsx';
import { words } from '../words.ts';
import '#web/bank/AmountField.css';
import '#web/ui/Input.css';

export type CreditAmountFieldProps = {
  /** The text in the field; parse it with `typedToCents`. */
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
};

export function CreditAmountField({ value, onChange, error }: CreditAmountFieldProps) {
  return (
    <Field label={words.amount} hint={words.creditHint} error={error}>
      {control => (
        <span className="AmountField">
          <span aria-hidden="true">$</span>
          <input
            {...control}
            className="Input"
            type="number"
            name="amount"
            inputMode="decimal"
            autoComplete="off"
            required
            min={limits.creditMinDollars}
            step={limits.creditStepDollars}
            value={value}
            onChange={event => onChange(event.target.value)}
            // Scrolling the page with the pointer over a number field would change the amount.
            onWheel={event => event.currentTarget.blur()}
          />
        </span>
      )}
    </Field>
  );
}
