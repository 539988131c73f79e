/**
 * An account number at another bank. On leaving the field it is told what is wrong with it, and an IBAN whose check number is
 * right gets its groups of four and is told so; while it is typed nothing is altered and nothing is blamed.
 */
import { useState } from 'react';
import { Icon } from '#web/ui/Icon.tsx';
import { TextField } from '#web/ui/TextField.tsx';
import { judgeExternalNumber } from './transferForm.ts';
import { words } from './words.ts';
import './ExternalNumberField.css';

export type ExternalNumberFieldProps = {
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
};

export function ExternalNumberField({ value, onChange, error }: ExternalNumberFieldProps) {
  const [left, setLeft] = useState(value !== '');
  const judged = judgeExternalNumber(value);
  const leave = () => {
    setLeft(true);
    if (judged.shown !== value) onChange(judged.shown);
  };
  return (
    <TextField
      name="receiverAccountNumber"
      label={words.externalNumber}
      hint={judged.isIban ? undefined : words.externalNumberHint}
      error={error ?? (left && value !== '' && judged.message)}
      status={
        judged.isIban && (
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
