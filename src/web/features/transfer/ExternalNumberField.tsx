/**
 * The field for an account number at another bank. Leaving the field validates it: an error is shown, and a valid IBAN is
 * grouped in fours and confirmed. Nothing changes while the number is typed.
 */
import { useState } from 'react';
import { Icon } from '#web/ui/Icon.tsx';
import { TextField } from '#web/ui/TextField.tsx';
import { checkExternalNumber } from './transferForm.ts';
import { words } from './words.ts';
import './ExternalNumberField.css';

export type ExternalNumberFieldProps = {
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
};

export function ExternalNumberField({ value, onChange, error }: ExternalNumberFieldProps) {
  const [left, setLeft] = useState(value !== '');
  const checked = checkExternalNumber(value);
  const leave = () => {
    setLeft(true);
    if (checked.shown !== value) onChange(checked.shown);
  };
  return (
    <TextField
      name="receiverAccountNumber"
      label={words.externalNumber}
      hint={checked.isIban ? undefined : words.externalNumberHint}
      error={error ?? (left && value !== '' && checked.message)}
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
      onBlur={leave}
      onChange={text => {
        setLeft(false);
        onChange(text);
      }}
    />
  );
}
