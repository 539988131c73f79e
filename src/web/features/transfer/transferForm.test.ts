/** The form's validation before anything is sent, with the specification's sentences. */
import { expect, test } from 'vitest';
import { otherBank } from '#web/bank/banks.ts';
import { checkExternalNumber } from '#web/bank/externalNumber.ts';
import { emptyForm, findProblems, sendingOf, type TransferForm, type TransferKind } from './transferForm.ts';

const found = { state: 'found', found: { accountName: 'Ines Caldeira' }, message: '' } as const;
const internal: TransferForm = { ...emptyForm, receiverAccountNumber: '730511842298', amount: '250' };
const external: TransferForm = {
  ...emptyForm,
  receiverAccountNumber: 'CH93 0076 2011 6238 5295 7',
  amount: '1,000.50',
  bankName: 'UBS',
  accountName: 'Alpenverlag Thun',
};

function problemOf(
  form: TransferForm,
  kind: TransferKind = 'internal',
  balance: bigint | undefined = 100_000n,
) {
  return findProblems(sendingOf(kind, form), form, found, balance)[0]?.message;
}

test('an amount over the rest of the daily limit is reported with the limit’s figures before it is sent [BR-63]', () => {
  const limit = { dailyOut: 300, sentToday: 120.5, leftToday: 179.5 };
  const problemOf = (amount: string, isHidden = false) =>
    findProblems(
      sendingOf('internal', { ...internal, amount }),
      { ...internal, amount },
      found,
      undefined,
      isHidden,
      limit,
    );
  expect(problemOf('179.50')).toEqual([]);
  const message = 'This is more than your daily limit';
  expect(problemOf('179.51')).toEqual([
    { field: 'amount', message, reason: 'Daily limit $300.00: $120.50 sent today, $179.50 left.' },
  ]);
  expect(problemOf('179.51', true)).toEqual([{ field: 'amount', message }]);
});

test('a correctly filled form has no problem [E-11]', () => {
  expect(problemOf(internal)).toBeUndefined();
  expect(Object.keys(emptyForm).sort()).toEqual([
    'accountName',
    'amount',
    'bankName',
    'customBankName',
    'description',
    'receiverAccountNumber',
  ]);
});

test.each(['', '0', '0.00', '-5', '1,5', '10.999', '1e3', 'abc', '1000000000.01'])(
  'the amount "%s" is refused before it is sent [V-12]',
  amount => {
    expect(problemOf({ ...internal, amount }, 'internal', 10n ** 15n)).toBe('Please enter a valid amount');
  },
);

test('the whole balance can be sent, but not a cent more [V-13]', () => {
  expect(problemOf({ ...internal, amount: '1,000.00' })).toBeUndefined();
  expect(problemOf({ ...internal, amount: '1,000.01' })).toBe('Insufficient balance');
});

test('while the balance is not loaded, the form does not compare the amount with it', () => {
  expect(findProblems(sendingOf('internal', internal), internal, found, undefined)).toEqual([]);
});

test('a number whose holder is unknown is reported [V-16]', () => {
  const unknown = { state: 'unknown', message: 'Account not found' } as const;
  expect(findProblems(sendingOf('internal', internal), internal, unknown, undefined)).toEqual([
    { field: 'receiverAccountNumber', message: 'Account not found' },
  ]);
});

test('an external transfer sends the IBAN without spaces', () => {
  expect(problemOf(external, 'external', 100_050n)).toBeUndefined();
  expect(sendingOf('external', external).body).toEqual({
    bankName: 'UBS',
    accountNumber: 'CH9300762011623852957',
    accountName: 'Alpenverlag Thun',
    amount: 1000.5,
    description: '',
  });
});

test('another bank is sent by its typed name, and a missing name is reported [T-14]', () => {
  expect(problemOf({ ...external, bankName: '' }, 'external')).toBe('Please choose a bank');
  const other = { ...external, bankName: otherBank };
  expect(findProblems(sendingOf('external', other), other, found, undefined)).toEqual([
    { field: 'customBankName', message: 'Please enter the bank’s name' },
  ]);
  const named = { ...other, customBankName: 'Alpenbank' };
  expect(sendingOf('external', named).body).toMatchObject({ bankName: 'Alpenbank' });
  expect(sendingOf('external', named).body).not.toHaveProperty('customBankName');
});

test('a mistyped IBAN is reported before it is sent [V-28]', () => {
  const mistyped = { ...external, receiverAccountNumber: 'CH93 0076 2011 6238 5295 8' };
  expect(problemOf(mistyped, 'external', 100_050n)).toBe(
    'This IBAN isn’t valid. Check the digits and letters.',
  );
});

test('a customer who enters more than the balance reads the balance, unless it is hidden', () => {
  const form = { ...internal, amount: '13000' };
  const problems = (isHidden: boolean) =>
    findProblems(sendingOf('internal', form), form, found, 1_248_036n, isHidden);
  expect(problems(false)).toEqual([
    { field: 'amount', message: 'Insufficient balance', reason: 'You have $12,480.36.' },
  ]);
  expect(problems(true)).toEqual([{ field: 'amount', message: 'Insufficient balance' }]);
});

test('every wrong field is reported, from top to bottom [V-33]', () => {
  const wrong = { ...external, bankName: '', accountName: ' ', receiverAccountNumber: '12', amount: '12,50' };
  expect(findProblems(sendingOf('external', wrong), wrong, found, 1n)).toEqual([
    { field: 'bankName', message: 'Please choose a bank' },
    { field: 'accountName', message: 'Please enter the account holder’s name' },
    { field: 'receiverAccountNumber', message: 'Account number must be 4 to 34 letters and digits' },
    { field: 'amount', message: 'Please enter a valid amount', reason: 'For cents, use a period: 12.50.' },
  ]);
});

test.each([
  ['.5', 'Write it as 0.50.'],
  ['12,50', 'For cents, use a period: 12.50.'],
  ['0', 'Enter more than $0.00.'],
  ['10.999', 'Use no more than two digits for cents.'],
  ['1e3', 'Use only digits, like 1,250.00.'],
  ['1,000,000,000.01', 'You can send up to $1,000,000,000.00 at a time.'],
  ['', undefined],
])('the amount "%s" is refused, with a reason unless it is empty [V-12, V-33]', (amount, reason) => {
  const form = { ...internal, amount };
  const [problem] = findProblems(sendingOf('internal', form), form, found, undefined);
  expect(problem).toEqual({
    field: 'amount',
    message: 'Please enter a valid amount',
    ...(reason && { reason }),
  });
});

test('an account number at another bank is sent without dashes [V-32]', () => {
  const form = { ...external, receiverAccountNumber: '1234-5678-9012' };
  expect(sendingOf('external', form).body).toMatchObject({ accountNumber: '123456789012' });
});

test.each([
  ['ch9300762011623852957', { isIban: true, shown: 'CH93 0076 2011 6238 5295 7' }],
  ['40 218 836 117', { isIban: false, shown: '40218836117' }],
  ['CH93 0076 2011 6238 5295 8', { isIban: false, shown: 'CH93 0076 2011 6238 5295 8' }],
  ['12', { isIban: false, shown: '12' }],
])('the number %s at another bank is checked and formatted [V-27, V-28]', (typed, expected) => {
  expect(checkExternalNumber(typed)).toMatchObject(expected);
});
