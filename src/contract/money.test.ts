/** Amounts convert exactly between typed text, dollars on the wire and cents; anything inexact or ambiguous is refused. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  centsToDollars,
  dollarsToCents,
  formatCents,
  formatDollars,
  partsOfCents,
  sumDollars,
  typedToCents,
} from './money.ts';

/** The largest amount that is exact to the cent on the wire: 2^46 dollars. */
const maxExactCents = 2n ** 46n * 100n;
const cents = fc.oneof(
  fc.bigInt({ min: -maxExactCents, max: maxExactCents }),
  fc.bigInt({ min: -100_000n, max: 100_000n }),
  fc.bigInt({ min: maxExactCents - 1000n, max: maxExactCents }),
);
const positiveCents = fc.oneof(
  fc.bigInt({ min: 0n, max: 10n ** 16n }),
  fc.bigInt({ min: 0n, max: 10n ** 6n }),
);

describe('dollars on the wire', () => {
  test('convert from cents and back without change, up to 70 trillion [C-16]', () => {
    fc.assert(
      fc.property(cents, amount => {
        expect(dollarsToCents(centsToDollars(amount))).toBe(amount);
      }),
      { numRuns: 2000 },
    );
  });

  test('sum to the exact cent [C-16]', () => {
    fc.assert(
      fc.property(cents, fc.array(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n })), (amount, others) => {
        expect(sumDollars(centsToDollars(amount), undefined)).toBe(centsToDollars(amount));
        const total = others.reduce((sum, one) => sum + one, 0n);
        expect(sumDollars(...others.map(centsToDollars))).toBe(centsToDollars(total));
      }),
    );
  });

  test('survive JSON, with at most two decimals [C-16]', () => {
    fc.assert(
      fc.property(cents, amount => {
        const text = JSON.stringify(centsToDollars(amount));
        expect(text).toMatch(/^-?\d+(\.\d{1,2})?$/);
        expect(dollarsToCents(JSON.parse(text) as number)).toBe(amount);
      }),
    );
  });

  test.each([
    [1.15, 115n],
    [4.35, 435n],
    [1.1, 110n],
    [8.2, 820n],
    [0.07, 7n],
    [0.29, 29n],
    [1.005e2, 10_050n],
    [1e3, 100_000n],
    [1_000_000, 100_000_000n],
    [1_000_000_000, 100_000_000_000n],
    [-0.01, -1n],
    [0, 0n],
  ])('%d dollars are %d cents', (dollars, expected) => {
    expect(dollarsToCents(dollars)).toBe(expected);
  });

  test('add up in cents: ten times ten cents is one dollar, though 0.1 + 0.2 is not 0.3', () => {
    let sum = 0n;
    for (let i = 0; i < 10; i++) sum += dollarsToCents(0.1)!;
    expect(centsToDollars(sum)).toBe(1);
    expect(dollarsToCents(0.1 + 0.2)).toBeUndefined();
  });

  test('are refused and never rounded if they have a fraction of a cent [C-17]', () => {
    const thirdDecimal = fc.integer({ min: 1, max: 9 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 11 }), thirdDecimal, (whole, digit) => {
        const dollars = Number(`${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, '0')}${digit}`);
        expect(dollarsToCents(dollars)).toBeUndefined();
        expect(dollarsToCents(-dollars)).toBeUndefined();
      }),
    );
    for (const dollars of [0.001, 10.005, 1.999, 0.009, 1e-7, Number.MIN_VALUE])
      expect(dollarsToCents(dollars)).toBeUndefined();
  });

  test('are read exactly or refused, whatever their value [C-17]', () => {
    fc.assert(
      fc.property(fc.double(), dollars => {
        const read = dollarsToCents(dollars);
        if (read !== undefined) expect(Number(read) / 100).toBe(dollars === 0 ? 0 : dollars);
      }),
      { numRuns: 1000 },
    );
  });

  test('are refused if a number cannot hold them exactly to the cent [C-17]', () => {
    for (const dollars of [
      Number.NaN,
      Infinity,
      -Infinity,
      Number('9007199254740993'),
      Number('99999999999999999999'),
      1e21,
    ])
      expect(dollarsToCents(dollars)).toBeUndefined();
    expect(dollarsToCents(2 ** 46)).toBe(maxExactCents);
    expect(dollarsToCents(2 ** 46 + 1)).toBeUndefined();
    expect(dollarsToCents(-(2 ** 46) - 1)).toBeUndefined();
  });
});

describe('an amount as a person types it', () => {
  test('is read in the format the bank shows, with or without the dollar sign and commas', () => {
    fc.assert(
      fc.property(positiveCents, amount => {
        const shown = formatCents(amount);
        expect(typedToCents(shown)).toBe(amount);
        expect(typedToCents(shown.slice(1))).toBe(amount);
        expect(typedToCents(shown.replaceAll(',', ''))).toBe(amount);
        expect(typedToCents(`  ${shown} `)).toBe(amount);
      }),
    );
  });

  test.each([
    ['250', 25_000n],
    ['250.', 25_000n],
    ['250.5', 25_050n],
    ['250.50', 25_050n],
    ['1,234.56', 123_456n],
    ['1234567', 123_456_700n],
    ['007', 700n],
    ['0.01', 1n],
    ['$5', 500n],
    ['$ 50', 5000n],
    ['$\u00a01,234.50 ', 123_450n],
  ])('"%s" is read', (text, expected) => {
    expect(typedToCents(text)).toBe(expected);
  });

  test.each([
    '',
    ' ',
    '$',
    '.',
    '.5',
    ',',
    '1,5',
    '10,50',
    '1,23',
    '12,34,567',
    '1234,567',
    '1,2345',
    '1,,234',
    ',123',
    '1,234,',
    '1.234',
    '1.234,56',
    '1.2.3',
    '10.005',
    '1e3',
    '0x10',
    '-5',
    '−5',
    '+5',
    '(5)',
    '5-',
    '$-5',
    '$$5',
    '5 $',
    '$ $5',
    '$ ',
    '5$',
    '€5',
    '1 000',
    '1_000',
    "1'000",
    '１００',
    '٣',
    'five',
    'NaN',
    'Infinity',
    'null',
    '5\n6',
    '123456789012345678901',
  ])('"%s" is not an amount or could be misread, and is refused', text => {
    expect(typedToCents(text)).toBeUndefined();
  });

  test('is read as exactly its digits or refused, whatever is typed', () => {
    const typed = fc
      .array(fc.constantFrom(...Array.from('0123456789,.$-+ e')), { maxLength: 12 })
      .map(characters => characters.join(''));
    fc.assert(
      fc.property(typed, text => {
        const read = typedToCents(text);
        if (read === undefined) return;
        const [whole = '', fraction = ''] = text.replace(/[$, ]/g, '').split('.');
        expect(read).toBe(BigInt(whole + fraction.padEnd(2, '0')));
        expect(fraction.length).toBeLessThanOrEqual(2);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('an amount as a person reads it', () => {
  test.each([
    [0n, '$0.00'],
    [1n, '$0.01'],
    [99n, '$0.99'],
    [100n, '$1.00'],
    [123_400n, '$1,234.00'],
    [100_000_000_000n, '$1,000,000,000.00'],
    [-5n, '−$0.05'],
    [-123_456n, '−$1,234.56'],
    [9_007_199_254_740_991n, '$90,071,992,547,409.91'],
  ])('%d cents read %s [K-02]', (amount, expected) => {
    expect(formatCents(amount)).toBe(expected);
  });

  test('has a dollar sign, groups of three digits and two decimals [K-01, K-02]', () => {
    fc.assert(
      fc.property(cents, amount => {
        expect(formatCents(amount)).toMatch(/^−?\$\d{1,3}(,\d{3})*\.\d{2}$/);
      }),
    );
  });

  test('is the same for dollars from the wire and for cents', () => {
    fc.assert(
      fc.property(cents, amount => {
        expect(formatDollars(centsToDollars(amount))).toBe(formatCents(amount));
      }),
      { numRuns: 2000 },
    );
  });

  test('splits into a sign, dollars and a fraction that add up to it', () => {
    expect(partsOfCents(-123_405n)).toEqual({ sign: '−', dollars: '1,234', fraction: '05' });
    fc.assert(
      fc.property(cents, amount => {
        const { sign, dollars, fraction } = partsOfCents(amount);
        const whole = BigInt(dollars.replaceAll(',', '') + fraction);
        expect(sign === '−' ? -whole : whole).toBe(amount);
      }),
    );
  });
});
