/** The receiver at another bank: the bank (42 by country, or any other by name), the account holder, the account number. */
import { maxLength } from '#contract/constants.ts';
import { SelectField } from '#web/ui/SelectField.tsx';
import { TextField } from '#web/ui/TextField.tsx';
import { bankCountries, otherBank } from './banks.ts';
import { ExternalNumberField } from './ExternalNumberField.tsx';
import * as words from './words.ts';

const options = [
  ...bankCountries.map(({ country, banks }) => ({
    label: country,
    options: banks.map(name => ({ value: name, label: name })),
  })),
  { value: otherBank, label: otherBank },
];

type ExternalField = 'bankName' | 'customBankName' | 'accountName' | 'receiverAccountNumber';
type ExternalForm = Record<ExternalField, string>;

export type ExternalFieldsProps = {
  form: ExternalForm;
  onChange: (change: Partial<ExternalForm>) => void;
  onLeave?: (field: ExternalField) => void;
  /** Returns the form's error for a field, if there is one. */
  errorOf: (field: ExternalField) => string | undefined;
};

export function ExternalFields({ form, onChange, onLeave, errorOf }: ExternalFieldsProps) {
  return (
    <>
      <SelectField
        name="bankName"
        label={words.bank}
        placeholder={words.chooseBank}
        options={options}
        value={form.bankName}
        onChange={bankName => onChange({ bankName })}
        onBlur={() => onLeave?.('bankName')}
        error={errorOf('bankName')}
      />
      {form.bankName === otherBank && (
        <TextField
          name="customBankName"
          label={words.customBank}
          maxLength={maxLength.bankName}
          autoComplete="off"
          value={form.customBankName}
          onChange={customBankName => onChange({ customBankName })}
          onBlur={() => onLeave?.('customBankName')}
          error={errorOf('customBankName')}
        />
      )}
      <TextField
        name="accountName"
        label={words.accountName}
        maxLength={maxLength.accountName}
        autoComplete="off"
        value={form.accountName}
        onChange={accountName => onChange({ accountName })}
        onBlur={() => onLeave?.('accountName')}
        error={errorOf('accountName')}
      />
      <ExternalNumberField
        value={form.receiverAccountNumber}
        onChange={receiverAccountNumber => onChange({ receiverAccountNumber })}
        onLeave={() => onLeave?.('receiverAccountNumber')}
        error={errorOf('receiverAccountNumber')}
      />
    </>
  );
}
