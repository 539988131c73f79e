/** The rules of the registration form, and the message for each broken rule (the specification's chapter 5). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { authApi, Registration, requiredRegistrationFields } from './auth.ts';

const wren = {
  firstName: 'Wren',
  middleName: '',
  lastName: 'Okafor',
  gender: 'female',
  address: '18 Meadow Row',
  region: 'New York',
  zipCode: '10014',
  email: 'wren@larkspur.example',
  phoneNumber: '2125550142',
  password: '480213',
};

const missingSentence = 'Please fill in all required fields: ';
const emailSentence = 'Please enter a valid email address';
const phoneSentence = 'Please enter a valid 10-digit phone number';
const passwordSentence = 'Password must be at least 6 digits long and contain only numbers';
const genderSentence = 'Gender must be either male or female';
const plainTextSentence = 'Please use plain text';

/** The field and message of each broken rule, in order. */
function errorsOf(form: unknown): [field: string, sentence: string][] {
  const result = z.safeDecode(Registration, form as never);
  return result.success ? [] : result.error.issues.map(issue => [issue.path.join('.'), issue.message]);
}

/** Wren's form with `changes`, decoded. */
function decode(changes: Record<string, unknown>) {
  return z.decode(Registration, { ...wren, ...changes } as never);
}

describe('a valid form', () => {
  test('is accepted as it is', () => {
    expect(decode({})).toEqual(wren);
  });

  test('needs no middle name [V-02]', () => {
    const { middleName: _, ...form } = wren;
    expect(errorsOf(form)).toEqual([]);
    expect(z.decode(Registration, form as never).middleName).toBe('');
    expect(decode({ middleName: 'Adaeze' }).middleName).toBe('Adaeze');
  });

  test('has its texts trimmed [V-09]', () => {
    const padded = Object.fromEntries(Object.entries(wren).map(([name, text]) => [name, ` \t${text}\n `]));
    expect(z.decode(Registration, padded as never)).toEqual(wren);
  });

  test('has its email in lower case', () => {
    expect(decode({ email: 'Wren@Larkspur.Example' }).email).toBe('wren@larkspur.example');
  });

  test.each([
    'José',
    'Łukasz',
    'Ngũgĩ',
    "O'Brien",
    'Anne-Marie',
    'María del Carmen',
    'Jr.',
    '李小龍',
    'Дарья',
    'محمد',
    'علی‌رضا',
    'नेहा',
    '葛󠄀城',
    '=HYPERLINK("http://x")',
    '<b>Wren</b>',
  ])('keeps the name %s as the person wrote it', name => {
    expect(decode({ firstName: name, lastName: name })).toMatchObject({ firstName: name, lastName: name });
  });

  test.each(['Test1', 'J.', "D'", 'Ngũgĩ-2', 'A\u0301'])(
    'keeps the name %s, which has a letter [SX-12]',
    name => {
      expect(decode({ firstName: name, lastName: name })).toMatchObject({ firstName: name.normalize() });
    },
  );

  test.each(['.', '-', '42', '\u0301', 'ʼ', "'"])(
    'cannot have the name "%s", which has no letter [SX-12]',
    name => {
      const sentence = 'Please enter a name with at least one letter';
      expect(errorsOf({ ...wren, firstName: name })).toEqual([['firstName', sentence]]);
      expect(errorsOf({ ...wren, lastName: name })).toEqual([['lastName', sentence]]);
    },
  );

  test.each(['A🅸🆅🅰🅽', 'A🇮🇻', 'Wren 🎉', 'Wren ⓘ', 'Wren 🏻'])(
    'cannot have the name "%s", which has a symbol [SX-12]',
    name => {
      const sentence = 'Please enter a name without emoji or symbols';
      for (const field of ['firstName', 'middleName', 'lastName'])
        expect(errorsOf({ ...wren, [field]: name })).toEqual([[field, sentence]]);
    },
  );

  test('has its names normalized to Unicode NFC, however the accents were typed', () => {
    expect(decode({ firstName: 'Jose\u0301' }).firstName).toBe('Jos\u00e9');
  });

  test.each(['male', 'female'])('may have the gender %s [V-06]', gender => {
    expect(decode({ gender }).gender).toBe(gender);
  });

  test.each(['480213', '000000', '123456', '2125550142', '7'.repeat(64)])(
    'may have the password %s, easy to guess or not [V-05, V-29]',
    password => {
      expect(decode({ password }).password).toBe(password);
    },
  );
});

describe('a form with missing fields', () => {
  test('is checked for exactly these fields, in this order [V-01]', () => {
    expect([...requiredRegistrationFields]).toEqual([
      'firstName',
      'lastName',
      'gender',
      'address',
      'region',
      'zipCode',
      'email',
      'phoneNumber',
      'password',
    ]);
  });

  for (const name of requiredRegistrationFields) {
    test(`is refused if ${name} is missing, empty or blank [V-01]`, () => {
      const expected = [[name, missingSentence + name]];
      const { [name]: _, ...without } = wren;
      expect(errorsOf(without)).toEqual(expected);
      for (const blank of ['', ' ', '\t\r\n \u00a0\u3000'])
        expect(errorsOf({ ...wren, [name]: blank })).toEqual(expected);
    });
  }

  test('gets one message that lists all missing fields in the order of the form [V-01]', () => {
    const everything = requiredRegistrationFields.join(', ');
    expect(errorsOf({})).toEqual(
      requiredRegistrationFields.map(name => [name, missingSentence + everything]),
    );
    fc.assert(
      fc.property(fc.subarray([...requiredRegistrationFields], { minLength: 1 }), gaps => {
        const form = Object.fromEntries(
          Object.entries(wren).filter(([name]) => !gaps.includes(name as never)),
        );
        expect(errorsOf(form)).toEqual(gaps.map(name => [name, missingSentence + gaps.join(', ')]));
      }),
    );
  });

  test('gets the errors of its other fields in the same answer, after the missing ones [V-01]', () => {
    expect(
      errorsOf({
        ...wren,
        region: '',
        email: 'a',
        phoneNumber: '1',
        password: 'x',
        gender: 'y',
        zipCode: '-',
      }),
    ).toEqual([
      ['region', `${missingSentence}region`],
      ['email', emailSentence],
      ['phoneNumber', phoneSentence],
      ['password', passwordSentence],
      ['gender', genderSentence],
      ['zipCode', 'Please enter a valid ZIP code'],
    ]);
  });
});

describe('a form with invalid fields', () => {
  test('gets the errors of its other fields together with those of a name, after the missing ones [V-01]', () => {
    expect(
      errorsOf({ ...wren, firstName: '42', lastName: 'Wren 🎉', zipCode: '-', email: 'a', region: '' }),
    ).toEqual([
      ['region', `${missingSentence}region`],
      ['firstName', 'Please enter a name with at least one letter'],
      ['lastName', 'Please enter a name without emoji or symbols'],
      ['email', emailSentence],
      ['zipCode', 'Please enter a valid ZIP code'],
    ]);
  });

  test('gets its errors in the order email, phone, password, gender', () => {
    const wrong = {
      email: ['email', emailSentence],
      phoneNumber: ['phoneNumber', phoneSentence],
      password: ['password', passwordSentence],
      gender: ['gender', genderSentence],
    } as const;
    const names = ['email', 'phoneNumber', 'password', 'gender'] as const;
    for (let from = 0; from < names.length; from++) {
      const broken = names.slice(from);
      const form = { ...wren, ...Object.fromEntries(broken.map(name => [name, 'no'])) };
      expect(errorsOf(form)).toEqual(broken.map(name => wrong[name]));
    }
  });

  test.each([
    'a',
    'a@',
    '@b.c',
    'a b@c.de',
    'a@b',
    'a@b.c\n',
    'a@b.co, d@e.fi',
    '<a@b.co>',
    '"x"@evil.example,victim@b.co',
    `${'a'.repeat(249)}@b.com`,
  ])('cannot have the email "%s" [V-03]', email => {
    expect(errorsOf({ ...wren, email })).toEqual([['email', emailSentence]]);
  });

  test.each([
    '212555014',
    '21255501420',
    '+12125550142',
    '212-555-0142',
    '(212)5550142',
    '212 555 0142',
    '21255501４2',
    '٢١٢٥٥٥٠١٤٢',
    '212555014x',
    '-212555014',
    '2125550142\n1',
  ])('cannot have the phone number "%s" [V-04]', phoneNumber => {
    expect(errorsOf({ ...wren, phoneNumber })).toEqual([['phoneNumber', phoneSentence]]);
  });

  test.each([
    '48021',
    '48021a',
    'larkspur',
    '48 0213',
    '４８０２１３',
    '٤٨٠٢١٣',
    '-480213',
    '+480213',
    '4802.13',
    '1e5000',
    '7'.repeat(65),
  ])('cannot have the password "%s" [V-05]', password => {
    expect(errorsOf({ ...wren, password })).toEqual([['password', passwordSentence]]);
  });

  test.each(['other', 'Male', 'FEMALE', 'm', 'male,female', 'x'.repeat(500), 'ma\u200ble', 'fe\nmale'])(
    'cannot have the gender "%s" [V-06]',
    gender => {
      expect(errorsOf({ ...wren, gender })).toEqual([['gender', genderSentence]]);
    },
  );

  test('cannot have numbers, lists or null instead of strings [C-22]', () => {
    for (const value of [480_213, true, null, ['male'], { a: 1 }]) {
      expect(errorsOf({ ...wren, firstName: value })).toEqual([['firstName', plainTextSentence]]);
      expect(errorsOf({ ...wren, gender: value })).toEqual([['gender', genderSentence]]);
      expect(errorsOf({ ...wren, email: value })).toEqual([['email', emailSentence]]);
      expect(errorsOf({ ...wren, phoneNumber: value })).toEqual([['phoneNumber', phoneSentence]]);
      expect(errorsOf({ ...wren, password: value })).toEqual([['password', passwordSentence]]);
    }
    for (const form of [undefined, null, 'form', 5, []]) expect(errorsOf(form)).toHaveLength(1);
  });

  test.each(['isApproved', 'balance', 'role', 'accountNumber', '_id', 'isVerified', 'avatar', 'constructor'])(
    'cannot have additional fields: %s is unknown [C-22]',
    name => {
      const result = z.safeDecode(Registration, { ...wren, [name]: 'true' } as never);
      expect(result.error?.issues).toMatchObject([{ code: 'unrecognized_keys', keys: [name] }]);
    },
  );
});

describe('the texts of a form', () => {
  const limits = {
    firstName: 60,
    middleName: 60,
    lastName: 60,
    address: 200,
    region: 80,
    zipCode: 12,
  } as const;

  for (const [name, max] of Object.entries(limits)) {
    test(`${name} has up to ${max} characters, not counting surrounding spaces`, () => {
      expect(errorsOf({ ...wren, [name]: `  ${'1'.repeat(max - 1)}a  ` })).toEqual([]);
      expect(errorsOf({ ...wren, [name]: 'x'.repeat(max + 1) })).toEqual([
        [name, `Please use at most ${max} characters`],
      ]);
    });

    test(`${name} is one line without invisible or private characters or changes of direction [V-34]`, () => {
      const refused = {
        'a line break': 'a\nb',
        'a carriage return': 'a\rb',
        'a tab': 'a\tb',
        'a zero': 'a\u0000b',
        'an escape': 'a\u001b[2Jb',
        'a delete': 'a\u007fb',
        'a next line': 'a\u0085b',
        'a line separator': 'a\u2028b',
        'half a character': 'a\ud800b',
        'a right-to-left override': 'a\u202eb',
        'a right-to-left isolate': 'a\u2067b',
        'a right-to-left mark': 'a\u200fb',
        'an Arabic letter mark': 'a\u061cb',
        'a zero-width space': 'a\u200bb',
        'a word joiner': 'a\u2060b',
        'a byte order mark inside': 'a\ufeffb',
        'a soft hyphen': 'a\u00adb',
        'an invisible times sign': 'a\u2062b',
        'a Hangul filler alone': '\u3164',
        'a blank of Braille alone': '\u2800',
        'an annotation': 'a\ufff9b\ufffac\ufffb',
        'a pile of marks': `Z${'\u0353'.repeat(8)}`,
        'a joiner alone': '\u200d',
        'a variation selector alone': '\ufe0f',
        'a joiner after a blank': 'a \u200db',
        'a hidden tag': 'a\u{e0041}b',
        'a private-use character': 'a\ue000b',
        'a private-use character of plane 16': 'a\u{100000}b',
      };
      for (const [what, text] of Object.entries(refused))
        expect(errorsOf({ ...wren, [name]: text }), what).toEqual([[name, plainTextSentence]]);
    });
  }
});

describe('the pictures of a form', () => {
  test('are a required profile image and an optional ID card [V-07, C-43]', () => {
    expect(authApi.register.files).toEqual({
      avatar: { required: true, missing: 'Please upload a profile image' },
      idCard: { required: false },
    });
  });
});

describe('a ZIP code', () => {
  test.each(['10014', '10014-1234', 'SW1A 1AA', 'K1A 0B1', 'D02 X285', 'AD500'])(
    'can be %s [G-17]',
    zipCode => {
      expect(errorsOf({ ...wren, zipCode })).toEqual([]);
    },
  );

  test.each(['hello', '-', 'N/A'])('cannot be %s, which has no digit [G-17]', zipCode => {
    expect(errorsOf({ ...wren, zipCode })).toEqual([['zipCode', 'Please enter a valid ZIP code']]);
  });
});
