/** The rules of internal transfers, external transfers and credits: amounts, account numbers and descriptions. */
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { Credit } from './admin.ts';
import { ExternalTransfer, InternalTransfer, isIban, looksLikeIban } from './transfer.ts';

const internal = { receiverAccountNumber: '482109375527', amount: 250, description: 'Rent' };
const external = {
  bankName: 'Commerzbank',
  accountNumber: 'DE89370400440532013000',
  accountName: 'Ada Brandt',
  amount: 250,
  description: '',
};
const credit = { userAccountNumber: '482109375527', amount: 250, description: 'Welcome' };

const invalidAmount = 'Please enter a valid amount';
const numberFormat = 'Account number must be 12 digits';
const externalFormat = 'Account number must be 4 to 34 letters and digits';
const wrongIban = 'This IBAN isn’t valid. Check the digits and letters.';

/** The field and message of each broken rule. */
function errorsOf(schema: z.ZodMiniType, given: unknown): [field: string, sentence: string][] {
  const result = z.safeDecode(schema, given as never);
  return result.success ? [] : result.error.issues.map(issue => [issue.path.join('.'), issue.message]);
}

const payments = {
  'an internal transfer': { schema: InternalTransfer, form: internal },
  'an external transfer': { schema: ExternalTransfer, form: external },
  'a credit': { schema: Credit, form: credit },
} as const;

for (const [what, { schema, form }] of Object.entries(payments)) {
  const withAmount = (amount: unknown) => errorsOf(schema, { ...form, amount });

  describe(`the amount of ${what}`, () => {
    test.each([
      [0.01, 1n],
      [0.1, 10n],
      [1.15, 115n],
      [4.35, 435n],
      [1.1, 110n],
      [8.2, 820n],
      [1e3, 100_000n],
      [1_000_000.01, 100_000_001n],
      [999_999_999.99, 99_999_999_999n],
      [1_000_000_000, 100_000_000_000n],
    ])('may be %d dollars, which is %d cents [C-82]', (amount, cents) => {
      expect(z.decode(schema, { ...form, amount } as never).amount).toBe(cents);
    });

    test.each([0, -0, -1, -0.01, -20, -1_000_000_000])(
      'cannot be %d: it must be greater than zero [V-12, C-82]',
      amount => {
        expect(withAmount(amount)).toEqual([['amount', invalidAmount]]);
      },
    );

    test.each([0.001, 10.005, 1.999, 0.009, 1e-7, 0.1 + 0.2, 1.15e-2])(
      'cannot be %d: fractions of a cent are not rounded [C-17]',
      amount => {
        expect(withAmount(amount)).toEqual([['amount', invalidAmount]]);
      },
    );

    test.each([1_000_000_000.01, 1_000_000_001, 2 ** 53, Number('99999999999999999999'), 1e21])(
      'cannot be %d: the maximum is a billion dollars [C-82]',
      amount => {
        expect(withAmount(amount)).toEqual([['amount', invalidAmount]]);
      },
    );

    test.each([
      ['"0"', '0'],
      ['"5"', '5'],
      ['"-5"', '-5'],
      ['"1e3"', '1e3'],
      ['"0x10"', '0x10'],
      ['"1,000"', '1,000'],
      ['"10,50"', '10,50'],
      ['"$5"', '$5'],
      ['"１００"', '１００'],
      ['an empty string', ''],
      ['NaN', Number.NaN],
      ['Infinity', Number.POSITIVE_INFINITY],
      ['null', null],
      ['true', true],
      ['a list', [5]],
      ['an object', { dollars: 5 }],
      ['a whole bigint', 5n],
    ])('cannot be %s: an amount is a number [C-17, V-24]', (_, amount) => {
      expect(withAmount(amount)).toEqual([['amount', invalidAmount]]);
    });

    test('cannot be left out [V-12]', () => {
      const { amount: _, ...rest } = form;
      expect(errorsOf(schema, rest)).toEqual([['amount', invalidAmount]]);
    });
  });

  test.each(['senderAccountNumber', 'from', 'userId', 'fee', 'currency', 'status', 'customBankName'])(
    `${what} cannot have the field %s: unknown fields are refused [C-22]`,
    name => {
      const result = z.safeDecode(schema as z.ZodMiniType, { ...form, [name]: 'x' });
      expect(result.error?.issues).toMatchObject([{ code: 'unrecognized_keys', keys: [name] }]);
    },
  );
}

describe("a receiver's account number", () => {
  test.each([
    '',
    '48210937552',
    '4821093755270',
    '482109375527\n',
    ' 482109375527',
    '4821 0937 5527',
    '48210937552O',
    '٤٨٢١٠٩٣٧٥٥٢٧',
    '４８２１０９３７５５２７',
    'wren@larkspur.example',
    '018f3c1e-7a4b-7c2d-9e10-3b5f6a7c8d9e',
  ])('cannot be "%s": it must have 12 digits [V-14]', receiverAccountNumber => {
    expect(errorsOf(InternalTransfer, { ...internal, receiverAccountNumber })).toEqual([
      ['receiverAccountNumber', numberFormat],
    ]);
  });

  test('cannot be a number, a list, null or missing [C-22]', () => {
    for (const value of [482_109_375_527, ['482109375527', '730511842298'], null, undefined])
      expect(errorsOf(InternalTransfer, { ...internal, receiverAccountNumber: value })).toEqual([
        ['receiverAccountNumber', numberFormat],
      ]);
  });

  test('may have a wrong check digit: the ledger, not the contract, answers that the account does not exist [C-86]', () => {
    expect(errorsOf(InternalTransfer, { ...internal, receiverAccountNumber: '482109375528' })).toEqual([]);
  });
});

describe('a description', () => {
  test('is optional on a transfer [V-15]', () => {
    for (const { schema, form } of [payments['an internal transfer'], payments['an external transfer']]) {
      const { description: _, ...rest } = form;
      expect(z.decode(schema, rest as never)).toMatchObject({ description: '' });
      expect(z.decode(schema, { ...form, description: '  ' } as never)).toMatchObject({ description: '' });
    }
  });

  test('is kept as written, including emoji and angle brackets', () => {
    for (const description of ['<b>Rent</b>', 'Rent 👨‍👩‍👧 ❤️', "Zürich, Müller & Söhne's", '=1+1'])
      expect(z.decode(InternalTransfer, { ...internal, description } as never)).toMatchObject({
        description,
      });
  });

  test('has up to 140 characters', () => {
    expect(errorsOf(InternalTransfer, { ...internal, description: 'x'.repeat(140) })).toEqual([]);
    for (const length of [141, 50_000])
      expect(errorsOf(InternalTransfer, { ...internal, description: 'x'.repeat(length) })).toEqual([
        ['description', 'Please use at most 140 characters'],
      ]);
  });

  test('cannot contain invisible characters', () => {
    for (const description of ['a\u0000b', 'a\u202eb', 'a\nb', '\u200d'])
      expect(errorsOf(InternalTransfer, { ...internal, description })).toEqual([
        ['description', 'Please use plain text'],
      ]);
  });
});

describe('a credit', () => {
  test('needs all three of its fields [V-23]', () => {
    expect(errorsOf(Credit, {})).toEqual([
      ['userAccountNumber', numberFormat],
      ['amount', invalidAmount],
      ['description', 'Please enter a description'],
    ]);
    for (const description of ['', '   '])
      expect(errorsOf(Credit, { ...credit, description })).toEqual([
        ['description', 'Please enter a description'],
      ]);
  });

  test('is refused if it is zero, although the form starts at 0 [V-25]', () => {
    expect(errorsOf(Credit, { ...credit, amount: 0 })).toEqual([['amount', invalidAmount]]);
  });
});

describe('an external transfer', () => {
  test('is trimmed, and its account number is converted to capitals', () => {
    expect(
      z.decode(ExternalTransfer, {
        ...external,
        bankName: ' Bank of the Fells ',
        accountNumber: ' de89370400440532013000 ',
        accountName: ' Ada Brandt ',
      } as never),
    ).toMatchObject({
      bankName: 'Bank of the Fells',
      accountNumber: 'DE89370400440532013000',
      accountName: 'Ada Brandt',
    });
  });

  test('needs a bank, a holder and a number', () => {
    const expected = [
      ['bankName', 'Please choose a bank'],
      ['accountNumber', externalFormat],
      ['accountName', 'Please enter the account holder’s name'],
    ];
    expect(errorsOf(ExternalTransfer, { amount: 250 })).toEqual(expected);
    expect(
      errorsOf(ExternalTransfer, { ...external, bankName: ' ', accountNumber: ' ', accountName: ' ' }),
    ).toEqual(expected);
  });

  test('accepts any bank name of up to 100 characters, but no control character in a name [T-14]', () => {
    expect(errorsOf(ExternalTransfer, { ...external, bankName: 'B'.repeat(100) })).toEqual([]);
    expect(errorsOf(ExternalTransfer, { ...external, bankName: 'B'.repeat(101) })).toEqual([
      ['bankName', 'Please use at most 100 characters'],
    ]);
    expect(errorsOf(ExternalTransfer, { ...external, accountName: 'A\u0007da' })).toEqual([
      ['accountName', 'Please use plain text'],
    ]);
  });

  test.each(['1234', '0000', 'AB12', '12345678', 'Z'.repeat(34), '00112233445566778899'])(
    'may go to the number %s [V-27]',
    accountNumber => {
      expect(errorsOf(ExternalTransfer, { ...external, accountNumber })).toEqual([]);
    },
  );

  test.each([
    '123',
    'Z'.repeat(35),
    '12 34',
    '12-34',
    "1234'",
    '1234\n5',
    '١٢٣٤',
    '１２３４',
    'Müll',
    'ſſſſ12é',
    '12\u200b34',
  ])('cannot go to the number "%s" [V-27]', accountNumber => {
    expect(errorsOf(ExternalTransfer, { ...external, accountNumber })).toContainEqual([
      'accountNumber',
      externalFormat,
    ]);
  });
});

describe('an IBAN', () => {
  // Samples published in the SWIFT IBAN registry and by banks.
  const valid = [
    'GB82WEST12345698765432',
    'DE89370400440532013000',
    'FR1420041010050500013M02606',
    'CH9300762011623852957',
    'NL91ABNA0417164300',
    'ES9121000418450200051332',
    'IT60X0542811101000000123456',
    'SE4550000000058398257466',
    'DK5000400440116243',
    'NO9386011117947',
    'BR1800360305000010009795493C1',
    'AE070331234567890123456',
    'MT84MALT011000012345MTLCAST001S',
  ];

  test.each(valid)('%s is accepted, in capitals or lowercase [V-28]', accountNumber => {
    for (const text of [accountNumber, accountNumber.toLowerCase()]) {
      expect(looksLikeIban(text)).toBe(true);
      expect(isIban(text)).toBe(true);
      expect(errorsOf(ExternalTransfer, { ...external, accountNumber: text })).toEqual([]);
    }
  });

  test.each(valid)('%s with one digit mistyped or two neighbors swapped is refused [V-28]', accountNumber => {
    for (let at = 4; at < accountNumber.length; at++) {
      const digit = accountNumber[at]!;
      if (!/\d/.test(digit)) continue;
      const mistyped = `${accountNumber.slice(0, at)}${(Number(digit) + 1) % 10}${accountNumber.slice(at + 1)}`;
      expect(errorsOf(ExternalTransfer, { ...external, accountNumber: mistyped })).toEqual([
        ['accountNumber', wrongIban],
      ]);
      const next = accountNumber[at + 1];
      if (next === undefined || next === digit || !/\d/.test(next)) continue;
      const swapped = accountNumber.slice(0, at) + next + digit + accountNumber.slice(at + 2);
      expect(isIban(swapped), swapped).toBe(false);
    }
  });

  test('has check digits from 02 to 98, so that one account has one IBAN [V-28]', () => {
    const account = (checkDigits: string, rest: string) => `GB${checkDigits}WEST${rest}`;
    const twins = { '98': '01', '97': '00', '02': '99' };
    for (const [right, twin] of Object.entries(twins)) {
      const rest = Array.from({ length: 500 }, (_, i) => String(10_000_000_000_000 + i)).find(digits =>
        isIban(account(right, digits)),
      );
      expect(rest, `an account with the check digits ${right}`).toBeDefined();
      expect(isIban(account(twin, rest!))).toBe(false);
    }
  });

  test('is recognized by two letters, two digits and at least eleven more characters', () => {
    expect(looksLikeIban('NO9386011117947')).toBe(true);
    for (const text of ['NO938601111794', '9386011117947NO', 'N19386011117947', 'NO93 8601 1117 947', ''])
      expect(looksLikeIban(text), text).toBe(false);
  });
});
