/** Field rules that forms share: what is accepted, what is refused, and with which message. */
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { adminApi } from './admin.ts';
import { authApi } from './auth.ts';
import { contactApi } from './contact.ts';
import {
  amount,
  day,
  email,
  givenPassword,
  id,
  limit,
  line,
  moment,
  money,
  newPassword,
  oneTimeCode,
  page,
  paragraph,
  phoneNumber,
  requiredLine,
  search,
} from './fields.ts';
import { settingsApi } from './settings.ts';
import { adminPassword, staffApi } from './staff.ts';
import { TransactionFilter } from './transactions.ts';

const general = 'Please check what you entered and try again.';
const emailSentence = 'Please enter a valid email address';
const phoneSentence = 'Please enter a valid 10-digit phone number';
const passwordSentence = 'Password must be at least 6 digits long and contain only numbers';
const codeSentence = 'Invalid or expired code';
const plainText = 'Please use plain text';

/** The message of each broken rule. */
function messagesOf(schema: z.ZodMiniType, given: unknown): string[] {
  const result = z.safeDecode(schema, given as never);
  return result.success ? [] : result.error.issues.map(issue => issue.message);
}

/** The field and message of each broken rule. */
function errorsOf(schema: z.ZodMiniType, given: unknown): [field: string, sentence: string][] {
  const result = z.safeDecode(schema, given as never);
  return result.success ? [] : result.error.issues.map(issue => [issue.path.join('.'), issue.message]);
}

describe('an email address', () => {
  test.each([
    'wren@larkspur.example',
    'a@b.co',
    'a.b-c_d+tag@mail.larkspur.example',
    "o'neil@x.org",
    '1@2.museum',
    'a@xn--bcher-kva.example',
    'a@b.xn--p1ai',
    `${'a'.repeat(242)}@example.org`,
  ])('%s is accepted [V-03]', address => {
    expect(z.decode(email, address)).toBe(address);
  });

  test('is read trimmed and in lower case', () => {
    expect(z.decode(email, '  Wren@Larkspur.EXAMPLE\n')).toBe('wren@larkspur.example');
  });

  test.each([
    '',
    ' ',
    'a',
    'a@',
    '@b.co',
    '@b.c',
    'a@b',
    'a@b.c',
    'a@b.c\n',
    'a b@c.de',
    'a@b c.de',
    'a@@b.co',
    'a@b@c.co',
    '.a@b.co',
    'a.@b.co',
    'a..b@c.co',
    'a@.b.co',
    'a@b..co',
    'a@b.co.',
    'a@-b.co',
    'a@b-.co',
    'a@b.1co',
    'a@127.0.0.1',
    'a@[127.0.0.1]',
    'a@localhost',
    'wrén@larkspur.example',
    'wren@lаrkspur.example',
    'wren@larkspur。example',
    '"x"@evil.example',
    '"x"@evil.example,victim@b.co',
    'a@b.co, d@e.fi',
    'a@b.co;d@e.fi',
    '<a@b.co>',
    'Wren <a@b.co>',
    'a(comment)@b.co',
    'group:a@b.co;',
    'a@b.co\nbcc:d@e.fi',
    'a@b.co\u0000',
    'a\u202e@b.co',
    'mailto:a@b.co',
    'a@b.co?subject=x',
    'a@b.co>',
    'a\\@b.co',
    `${'a'.repeat(243)}@example.org`,
    `a@${'b'.repeat(64)}.co`,
  ])('"%s" is refused [V-03]', address => {
    expect(new Set(messagesOf(email, address))).toEqual(new Set([emailSentence]));
  });

  test('is refused with the same message if it is not a string', () => {
    for (const value of [undefined, null, 5, true, ['a@b.co'], { to: 'a@b.co' }])
      expect(messagesOf(email, value)).toEqual([emailSentence]);
  });

  test('is refused quickly if it has sixty thousand characters', () => {
    for (const unit of ['a', 'a.', 'a@', '-', 'a-'])
      expect(messagesOf(email, `a@${unit.repeat(30_000)}!`)).toContain(emailSentence);
  });
});

describe('a phone number', () => {
  test('has ten digits, not counting surrounding spaces [V-04]', () => {
    expect(z.decode(phoneNumber, ' 2125550142 ')).toBe('2125550142');
  });

  test.each([
    '',
    '212555014',
    '21255501422',
    '+2125550142',
    '212-555-0142',
    '٢١٢٥٥٥٠١٤٢',
    '２１２５５５０１４２',
  ])('cannot be "%s" [V-04]', text => {
    expect(messagesOf(phoneNumber, text)).toEqual([phoneSentence]);
  });

  test('cannot be a number', () => {
    expect(messagesOf(phoneNumber, 2_125_550_142)).toEqual([phoneSentence]);
  });
});

describe('a new password', () => {
  test.each(['480213', '000000', '123456', '7'.repeat(64)])('may be %s [V-05, V-29]', text => {
    expect(z.decode(newPassword, text)).toBe(text);
  });

  test.each([
    '',
    '48021',
    '7'.repeat(65),
    '48021a',
    ' 480213',
    '480213\n',
    '４８０２１３',
    '٤٨٠٢١٣',
    '-48021',
    '4e1000',
    '0x1234',
  ])('cannot be "%s" [V-05]', text => {
    expect(messagesOf(newPassword, text)).toEqual([passwordSentence]);
  });

  test('cannot be a number', () => {
    expect(messagesOf(newPassword, 480_213)).toEqual([passwordSentence]);
  });

  test('obeys the same rule if it is changed or reset [V-18]', () => {
    const reset = { email: 'wren@larkspur.example', otp: '480213', newPassword: '48021' };
    expect(errorsOf(authApi.resetPassword.body, reset)).toEqual([['newPassword', passwordSentence]]);
    const change = { currentPassword: '480213', newPassword: 'letters' };
    expect(errorsOf(settingsApi.changePassword.body, change)).toEqual([['newPassword', passwordSentence]]);
  });
});

describe('a password given to log in', () => {
  test('may be 1 to 64 digits, so that a wrong password is reported as wrong, not as malformed', () => {
    for (const text of ['1', '480213', '9'.repeat(64)]) expect(messagesOf(givenPassword, text)).toEqual([]);
  });

  test.each(['', '4802a3', '9'.repeat(65), '４８０２１３'])('cannot be "%s"', text => {
    expect(messagesOf(givenPassword, text)).toEqual([passwordSentence]);
  });
});

describe("an administrator's password", () => {
  test.each(['twelve chars', 'Rather-Long-Passphrase 1', 'päßwörter über alles', 'x'.repeat(128)])(
    'may be "%s": 12 to 128 characters of any kind [V-31]',
    text => {
      expect(z.decode(adminPassword, text)).toBe(text);
    },
  );

  test.each(['', 'eleven char', 'x'.repeat(129)])('cannot be "%s" [V-31]', text => {
    expect(messagesOf(adminPassword, text)).toEqual([
      'An administrator’s password must have at least 12 characters',
    ]);
  });

  test('that is too long is not searched for a repeated part, which would take seconds for 64 kB [V-31]', () => {
    const body = { token: 'x'.repeat(43), password: 'x'.repeat(129) };
    expect(messagesOf(staffApi.setAdminPassword.body, body)).toEqual([
      'An administrator’s password must have at least 12 characters',
    ]);
  });
});

describe('a one-time code', () => {
  test('is six digits as text, including leading zeros [V-11]', () => {
    expect(z.decode(oneTimeCode, '004217')).toBe('004217');
  });

  test.each([
    '',
    '00421',
    '0042170',
    '00421x',
    ' 04217',
    '004217 ',
    '004217\n',
    '004-217',
    '٠٠٤٢١٧',
    '۰۰۴۲۱۷',
    '００４２１７',
    '०४२१७०',
    '1e4217',
    '-04217',
    'null',
    "1' OR1",
  ])('cannot be "%s" [V-11]', text => {
    expect(messagesOf(oneTimeCode, text)).toEqual([codeSentence]);
  });

  test('cannot be a number, a list, an object, null or missing', () => {
    for (const value of [4217, 480_213, ['480213'], { $ne: null }, null, undefined, true])
      expect(messagesOf(oneTimeCode, value)).toEqual([codeSentence]);
  });
});

describe('a line of text', () => {
  const short = line(5);

  test('is trimmed before its length is checked', () => {
    expect(z.decode(short, '  five5  ')).toBe('five5');
    expect(messagesOf(short, 'sixsix')).toEqual(['Please use at most 5 characters']);
  });

  test('is normalized to Unicode NFC before its length is checked', () => {
    expect(z.decode(short, 'e\u0301'.repeat(5))).toBe('\u00e9'.repeat(5));
  });

  test('may be empty, unless it is required', () => {
    expect(z.decode(short, '   ')).toBe('');
    const required = requiredLine(5, 'Please write something');
    expect(messagesOf(required, '   ')).toEqual(['Please write something']);
    expect(messagesOf(required, undefined)).toEqual(['Please write something']);
    expect(messagesOf(required, 'abc')).toEqual([]);
  });

  test('cannot contain a line break or tab', () => {
    for (const text of ['a\nb', 'a\rb', 'a\tb', 'a\u2028b', 'a\u0085b'])
      expect(messagesOf(short, text)).toEqual([plainText]);
  });
});

describe('a paragraph', () => {
  const message = paragraph(20, 'Please fill in all fields');

  test('may have any number of lines', () => {
    expect(z.decode(message, ' a\r\n\tb\n\nc ')).toBe('a\r\n\tb\n\nc');
  });

  test('is required and has a limit', () => {
    expect(messagesOf(message, ' \n ')).toEqual(['Please fill in all fields']);
    expect(messagesOf(message, 'x'.repeat(21))).toEqual(['Please use at most 20 characters']);
  });

  test('cannot contain invisible characters or change the text direction', () => {
    for (const text of ['a\u0000', 'a\u001bb', 'a\u202eb', 'a\u200bb', 'a\ud83d', 'a\u00adb'])
      expect(messagesOf(message, text), JSON.stringify(text)).toEqual([plainText]);
  });
});

test('an overlong string or run of combining marks is refused at once, because normalizing it would take quadratic time', () => {
  const { user: before } = process.cpuUsage();
  for (const marks of ['\u0301\u0316', '\u302e\u{1d165}'])
    for (const schema of [line(20), paragraph(20, plainText)]) {
      expect(messagesOf(schema, `a${marks.repeat(50_000)}`)).toEqual(['Please use at most 20 characters']);
      expect(messagesOf(schema, `a${marks.repeat(18)}`)).toEqual([plainText]);
    }
  expect(process.cpuUsage().user - before).toBeLessThan(500_000);
  expect(z.decode(line(20), `a${'\u1abe'.repeat(7)}`)).toHaveLength(8);
});

test('an overlong string with runs of 30 combining marks is refused at once, without a search for longer runs', () => {
  const text = `${'\u0301'.repeat(30)}a`.repeat(1_000);
  const { user: before } = process.cpuUsage();
  for (let n = 0; n < 200; n++)
    expect(messagesOf(line(140), text)).toEqual(['Please use at most 140 characters']);
  expect(process.cpuUsage().user - before).toBeLessThan(1_000_000);
  // Each letter of a decomposed text counts once.
  expect(z.decode(line(20), 'e\u0323\u0302'.repeat(20))).toBe('ệ'.repeat(20));
});

describe('a day', () => {
  const start = day('Start date must be a date like 2026-11-21');

  test.each(['2026-11-21', '2024-02-29', '2000-02-29', '1900-01-01', '9999-12-31'])(
    'may be %s [C-94]',
    text => {
      expect(z.decode(start, text)).toBe(text);
    },
  );

  test.each([
    '',
    '2026-02-29',
    '1900-02-29',
    '2026-02-30',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '2026-01-32',
    '1899-12-31',
    '0000-01-01',
    '2026-1-1',
    '26-01-01',
    '2026/01/01',
    '01-01-2026',
    '20260101',
    '2026-01-01T00:00:00Z',
    '2026-01-01 ',
    '2026-01-01\n',
    '+2026-01-01',
    '２０２６-01-01',
    'today',
    "2026-01-01'; DROP TABLE",
  ])('cannot be "%s" [C-94]', text => {
    expect(messagesOf(start, text)).toEqual(['Start date must be a date like 2026-11-21']);
  });
});

describe('a page and a limit', () => {
  test('default to page 1 and the default limit [C-50, C-72]', () => {
    expect(page.parse(undefined)).toBe(1);
    expect(limit(10).parse(undefined)).toBe(10);
  });

  test.each(['1', '2', '999999', '1000000'])('page %s can be requested', text => {
    expect(z.decode(page, text)).toBe(Number(text));
  });

  test.each(['1', '10', '100'])('%s rows can be requested [C-52]', text => {
    expect(z.decode(limit(10), text)).toBe(Number(text));
  });

  test.each([
    '',
    '0',
    '-1',
    '101',
    '1.5',
    '1.0',
    '1e2',
    '+1',
    ' 1',
    '1 ',
    '0x1',
    'ten',
    'NaN',
    'Infinity',
    '١٠',
    '１０',
    '9'.repeat(20),
  ])('"%s" rows cannot be requested [C-52]', text => {
    expect(messagesOf(limit(10), text)).toEqual([general]);
  });

  test.each(['', '0', '-1', '1000001', '999999999', '9999999999', '1.5', '1e2', '１'])(
    'page "%s" cannot be requested',
    text => {
      expect(messagesOf(page, text)).toEqual([general]);
    },
  );
});

describe('an id', () => {
  const valid = '018f3c1e-7a4b-7c2d-9e10-3b5f6a7c8d9e';

  test('is a lowercase UUID [C-14]', () => {
    expect(z.decode(id, valid)).toBe(valid);
  });

  test.each([
    '',
    '1',
    valid.toUpperCase(),
    valid.replaceAll('-', ''),
    `{${valid}}`,
    `urn:uuid:${valid}`,
    `${valid}\n`,
    ` ${valid}`,
    `${valid.slice(0, -1)}g`,
    `${valid}0`,
    '../../etc/passwd',
    "1' OR '1'='1",
    '__proto__',
  ])('cannot be "%s"', text => {
    expect(messagesOf(id, text)).toEqual([general]);
  });
});

describe('money on the wire', () => {
  test('is decoded from dollars to cents and encoded from cents to dollars [C-16]', () => {
    expect(z.decode(money, 1234.5)).toBe(123_450n);
    expect(z.encode(money, 123_450n)).toBe(1234.5);
    expect(z.encode(money, -1n)).toBe(-0.01);
    expect(z.encode(amount, 10n)).toBe(0.1);
  });

  test('may be zero or negative, but an amount in a request may not [C-82]', () => {
    for (const dollars of [0, -0.01, -1000]) {
      expect(messagesOf(money, dollars)).toEqual([]);
      expect(messagesOf(amount, dollars)).toEqual(['Please enter a valid amount']);
    }
    expect(messagesOf(money, 0.001)).toEqual(['Please enter a valid amount']);
  });
});

describe('a timestamp', () => {
  test('is sent as ISO 8601 in UTC [C-15]', () => {
    const text = '2026-03-09T17:05:00.000Z';
    expect(z.encode(moment, new Date(Date.UTC(2026, 2, 9, 17, 5)))).toBe(text);
    expect(z.decode(moment, text).toISOString()).toBe(text);
  });
});

describe('a transaction filter', () => {
  test('may have a type, a status, days and a search [C-50, C-51]', () => {
    const filter = {
      page: '2',
      limit: '50',
      type: 'external-transfer',
      status: 'pending',
      startDate: '2026-01-01',
      endDate: '2026-01-31',
      search: ' Ada ',
    };
    expect(z.decode(TransactionFilter, filter as never)).toEqual({
      ...filter,
      page: 2,
      limit: 50,
      search: 'Ada',
    });
  });

  test('cannot have an unknown type, status or field [C-22]', () => {
    expect(errorsOf(TransactionFilter, { type: 'loan' })).toEqual([['type', general]]);
    expect(errorsOf(TransactionFilter, { status: 'Completed' })).toEqual([['status', general]]);
    const result = z.safeDecode(TransactionFilter, { userId: '1' } as never);
    expect(result.error?.issues).toMatchObject([{ code: 'unrecognized_keys', keys: ['userId'] }]);
  });

  test('reports which of its days is invalid [C-94]', () => {
    expect(errorsOf(TransactionFilter, { startDate: 'x', endDate: '2026-02-30' })).toEqual([
      ['startDate', 'Start date must be a date like 2026-11-21'],
      ['endDate', 'End date must be a date like 2026-11-21'],
    ]);
  });

  test('has its search trimmed, with single spaces between words [X-20]', () => {
    expect(z.decode(search, '  Ines   Caldeira ')).toBe('Ines Caldeira');
  });

  test('has a search of at most 100 characters', () => {
    expect(messagesOf(search, 'x'.repeat(100))).toEqual([]);
    expect(messagesOf(search, 'x'.repeat(101))).toEqual(['Please use at most 100 characters']);
  });
});

describe('other forms', () => {
  test('a login needs an email and a password [V-10]', () => {
    expect(errorsOf(authApi.initiateLogin.body, {})).toEqual([
      ['email', emailSentence],
      ['password', passwordSentence],
    ]);
  });

  test("an administrator's login needs an email and a password [V-26]", () => {
    const body = adminApi.adminLogin.body;
    expect(errorsOf(body, { email: 'admin@larkspur.example' })).toEqual([
      ['password', 'Please fill in all fields'],
    ]);
    expect(errorsOf(body, { email: 'admin@larkspur.example', password: '' })).toEqual([
      ['password', 'Please fill in all fields'],
    ]);
    expect(errorsOf(body, { password: 'Rather-Long-Passphrase' })).toEqual([['email', emailSentence]]);
    expect(errorsOf(body, { email: 'admin@larkspur.example', password: 'any of them' })).toEqual([]);
  });

  test('closing the account needs the password [V-21]', () => {
    expect(errorsOf(settingsApi.deleteAccount.body, {})).toEqual([['password', passwordSentence]]);
    expect(errorsOf(settingsApi.deleteAccount.body, { password: '480213' })).toEqual([]);
  });

  test('a message to the Help Desk needs all four fields [V-22]', () => {
    expect(
      errorsOf(contactApi.sendMessage.body, { name: '', email: 'a', subject: ' ', message: '\n' }),
    ).toEqual([
      ['name', 'Please fill in all fields'],
      ['email', emailSentence],
      ['subject', 'Please fill in all fields'],
      ['message', 'Please fill in all fields'],
    ]);
  });

  test('contact details need all four fields', () => {
    expect(errorsOf(settingsApi.updateContact.body, {})).toEqual([
      ['phoneNumber', phoneSentence],
      ['address', 'Please fill in all fields'],
      ['region', 'Please fill in all fields'],
      ['zipCode', 'Please fill in all fields'],
    ]);
  });

  test('freezing takes true or false and nothing else', () => {
    for (const isFrozen of [true, false]) expect(errorsOf(adminApi.freeze.body, { isFrozen })).toEqual([]);
    for (const isFrozen of ['true', 1, 0, null, undefined])
      expect(errorsOf(adminApi.freeze.body, { isFrozen })).toEqual([['isFrozen', general]]);
  });
});
