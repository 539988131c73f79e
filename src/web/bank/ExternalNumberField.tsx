/**
 * The field for an account number at another bank. It confirms a valid IBAN. Leaving the field formats a valid number (an IBAN
 * in groups of four); the text does not change while it is typed.
 */
import { Icon } from '#web/ui/Icon.tsx';
import { TextField } from '#web/ui/TextField.tsx';
import { checkExternalNumber } from './externalNumber.ts';
import * as words from './words.ts';
import './ExternalNumberField.css';

export type ExternalNumberFieldProps = {
  value: string;
  onChange: (value: string) => void;
  onLeave: () => void;
  error?: string | undefined;
};

export function ExternalNumberField({ value, onChange, onLeave, error }: ExternalNumberFieldProps) {
  const checked = checkExternalNumber(value);
  return (
    <TextField
      name="receiverAccountNumber"
      label={words.externalNumber}
      hint={checked.isIban ? undefined : words.externalNumberHint}
      error={error}
      status={
        checked.isIban && (
          <span className="ExternalNumberField-right">
            <Icon name="check" size={16} />
            {words.ibanRight}
          </span>
        )
      }
      figures
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      value={value}
      onChange={onChange}
      onBlur={() => {
        if (checked.shown !== value) onChange(checked.shown);
        onLeave();
      }}
    />
  );
}
