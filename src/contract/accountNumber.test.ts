/** Account numbers carry a check digit, so that a mistyped number is refused without a lookup. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatAccountNumber, isAccountNumber, luhnCheckDigit } from './accountNumber.ts';

const digits = '0123456789';
const elevenDigits = fc
  .array(fc.integer({ min: 0, max: 9 }), { minLength: 11, maxLength: 11 })
  .map(list => list.join(''));
const validNumbers = elevenDigits.map(text => text + luhnCheckDigit(text));

/** `text` with its characters at `at` and `at + 1` swapped. */
const swapAt = (text: string, at: number) =>
  text.slice(0, at) + text[at + 1]! + text[at]! + text.slice(at + 2);

describe('an account number', () => {
  test('has the check digit of the published Luhn samples', () => {
    expect(luhnCheckDigit('7992739871')).toBe('3');
    expect(luhnCheckDigit('1789372997')).toBe('4');
    expect(luhnCheckDigit('411111111111111')).toBe('1');
    expect(luhnCheckDigit('00000000000')).toBe('0');
  });

  test('is valid only if its last digit is the check digit of the other 11 [AC-02]', () => {
    fc.assert(
      fc.property(elevenDigits, text => {
        const checkDigit = luhnCheckDigit(text);
        for (const last of digits) expect(isAccountNumber(text + last)).toBe(last === checkDigit);
      }),
    );
  });

  test('is refused if any one digit is mistyped [T-09]', () => {
    fc.assert(
      fc.property(validNumbers, text => {
        for (let at = 0; at < text.length; at++) {
          for (const digit of digits) {
            if (digit === text[at]) continue;
            expect(isAccountNumber(text.slice(0, at) + digit + text.slice(at + 1))).toBe(false);
          }
        }
      }),
    );
  });

  test('is refused if any two neighboring digits are swapped, except 09 and 90 [T-09]', () => {
    fc.assert(
      fc.property(validNumbers, text => {
        for (let at = 0; at + 1 < text.length; at++) {
          const pair = text.slice(at, at + 2);
          if (pair[0] === pair[1]) continue;
          expect(isAccountNumber(swapAt(text, at)), `${text}, ${pair} swapped`).toBe(
            pair === '09' || pair === '90',
          );
        }
      }),
    );
  });

  test('has exactly 12 digits [V-14]', () => {
    const good = '482109375527';
    expect(isAccountNumber(good)).toBe(true);
    const elevenWithCheck = `4821093755${luhnCheckDigit('4821093755')}`;
    const thirteenWithCheck = `482109375527${luhnCheckDigit('482109375527')}`;
    for (const text of ['', elevenWithCheck, thirteenWithCheck]) expect(isAccountNumber(text)).toBe(false);
  });

  test('contains only ASCII digits', () => {
    const good = '482109375527';
    const inOtherScript = (zero: number) =>
      Array.from(good)
        .map(digit => String.fromCodePoint(zero + Number(digit)))
        .join('');
    const invalid = [
      inOtherScript(0x0660),
      inOtherScript(0xff10),
      `${good}\n`,
      ` ${good}`,
      '4821 0937 5527',
      '4821 9375527',
      '48210937552O',
      '-82109375527',
      '4.8210937552',
      '0x1234567890',
    ];
    for (const text of invalid) expect(isAccountNumber(text), text).toBe(false);
  });

  test('is shown in three groups of four', () => {
    expect(formatAccountNumber('482109375527')).toBe('4821 0937 5527');
  });

  test('is grouped while it is being typed', () => {
    expect(['', '4', '4821', '48210', '48210937', '482109375'].map(formatAccountNumber)).toEqual([
      '',
      '4',
      '4821',
      '4821 0',
      '4821 0937',
      '4821 0937 5',
    ]);
  });
});
