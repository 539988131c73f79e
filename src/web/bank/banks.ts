/** The banks that a customer can choose by name: 42 in 19 countries. The name of any other bank is typed in. */
import * as transferMessages from '#contract/messages/transfer.ts';

/** A bank as listed in the external form. */
export type Bank = { readonly name: string; readonly country: string };

const byCountry = {
  USA: ['Bank of America', 'Citibank', 'JPMorgan Chase', 'PNC Bank', 'U.S. Bank', 'Wells Fargo'],
  UK: ['Barclays', 'HSBC UK', 'Lloyds Bank', 'NatWest'],
  Germany: ['Commerzbank', 'Deutsche Bank', 'DZ Bank'],
  France: ['BNP Paribas', 'Crédit Agricole', 'Société Générale'],
  Spain: ['Banco Santander', 'BBVA'],
  Italy: ['Intesa Sanpaolo', 'UniCredit'],
  Netherlands: ['ABN AMRO', 'ING Bank'],
  Switzerland: ['UBS', 'Zürcher Kantonalbank'],
  Sweden: ['Handelsbanken', 'Swedbank'],
  Denmark: ['Danske Bank'],
  Japan: ['MUFG Bank', 'Sumitomo Mitsui Banking Corporation'],
  China: ['Bank of China', 'Industrial and Commercial Bank of China'],
  Singapore: ['DBS Bank', 'OCBC Bank'],
  Australia: ['Commonwealth Bank', 'Westpac'],
  Canada: ['Royal Bank of Canada', 'Toronto-Dominion Bank'],
  Brazil: ['Itaú Unibanco'],
  Nigeria: ['Guaranty Trust Bank', 'Zenith Bank'],
  'South Africa': ['Standard Bank'],
  UAE: ['Emirates NBD'],
} as const;

/** Countries in the specification's order, each with its banks. */
export const bankCountries: readonly { country: string; banks: readonly string[] }[] = Object.entries(
  byCountry,
).map(([country, banks]) => ({ country, banks }));

/** All banks, ordered by country. */
export const banks: readonly Bank[] = bankCountries.flatMap(({ country, banks: names }) =>
  names.map(name => ({ name, country })),
);

/** The list's last entry. It opens a field for the bank's name, and is never sent as a name itself. */
export const otherBank = transferMessages.otherBank;

type BankChoice = { bankName: string; customBankName: string };

/** The fields for a bank's name: the list's entry, or 'Other Bank' and the typed name. */
export const choiceOf = (name: string): BankChoice =>
  name === '' || banks.some(bank => bank.name === name)
    ? { bankName: name, customBankName: '' }
    : { bankName: otherBank, customBankName: name };

/** The name of the bank that was chosen or typed. */
export const bankOf = ({ bankName, customBankName }: BankChoice): string =>
  bankName === otherBank ? customBankName : bankName;

/** Converts the message for a field of the contract: returns the form's field and the message to show there. */
export function atField(name: string, message: string, form: BankChoice): readonly [string, string] {
  if (name === 'accountNumber') return ['receiverAccountNumber', message];
  if (name !== 'bankName' || form.bankName !== otherBank) return [name, message];
  // The 'other bank' entry is already chosen; only the bank's name is missing.
  return ['customBankName', form.customBankName.trim() === '' ? transferMessages.customBankName : message];
}
