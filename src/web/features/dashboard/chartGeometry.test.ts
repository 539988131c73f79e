/** The months chart has one scale from zero, and its note never overlaps a bar or a label. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Month } from '#contract/entities.ts';
import { barPath } from '#web/ui/chartScale.ts';
import { layOutMonths } from './chartGeometry.ts';

const dollars = fc.integer({ min: 0, max: 2_000_000_000 }).map(cents => cents / 100);
const payment = fc.record({ name: fc.string({ minLength: 1, maxLength: 60 }), amount: dollars });
const year = fc.array(
  fc.record({ in: dollars, out: dollars, largestOut: fc.option(payment, { nil: undefined }) }),
  { minLength: 12, maxLength: 12 },
);
const toMonths = (drawn: { in: number; out: number; largestOut: Month['largestOut'] }[]): Month[] =>
  drawn.map((month, place) => ({
    ...month,
    month: `2026-${String(place + 1).padStart(2, '0')}`,
  }));

test('a bar’s length is proportional to its amount, up and down on the same scale', () => {
  const { bars, lines } = layOutMonths([{ month: '2026-11', in: 5480, out: 2740 }], 612);
  expect(bars[0]?.inLength).toBeCloseTo(2 * (bars[0]?.outLength ?? 0));
  expect(lines.map(line => line.text)).toEqual(['$2,500', '$2,500', '$5,000']);
});

test('the space goes to the side that needs it, the height is constant, and nothing is drawn outside the chart', () => {
  fc.assert(
    fc.property(year, drawn => {
      const { bars, lines, inBase, outBase, height } = layOutMonths(toMonths(drawn), 612);
      fc.pre(drawn.some(month => month.in + month.out > 0));
      expect(height).toBeCloseTo(278);
      const [up, down] = [inBase - 12, height - 26 - outBase];
      expect(Math.min(up, down)).toBeGreaterThanOrEqual(44 - 0.01);
      for (const bar of bars) {
        expect(bar.inLength).toBeLessThanOrEqual(up + 0.01);
        expect(bar.outLength).toBeLessThanOrEqual(down + 0.01);
      }
      for (const { y } of lines) expect(y >= 11.99 && y <= height - 25.99).toBe(true);
    }),
  );
});

test('a month without money has no bar', () => {
  expect(barPath(10, 100, 18, 0, true)).toBe('');
});

test('on a narrow phone every second month is named, so that names do not overlap', () => {
  const months = toMonths(Array.from({ length: 6 }, () => ({ in: 3000, out: 1000, largestOut: undefined })));
  const named = (width: number) => layOutMonths(months, width).bars.map(bar => bar.named);
  expect(named(256)).toEqual([false, true, false, true, false, true]);
  expect(named(340)).toEqual([true, true, true, true, true, true]);
});

test('the note names the largest payment of the month with the most money out, next to its bar', () => {
  const rent = { name: 'Rent', amount: 900 };
  const months: Month[] = Array.from({ length: 12 }, (_, place) => ({
    month: `2026-${String(place + 1).padStart(2, '0')}`,
    in: 3000,
    out: place === 6 ? 2500 : 1000,
    largestOut: place === 6 ? { name: 'Roof', amount: 800 } : rent,
  }));
  const { note, bars, barWidth } = layOutMonths(months, 612);
  expect(note).toMatchObject({ text: 'Roof, $800', anchor: 'start' });
  expect(note?.x).toBeCloseTo((bars[6]?.x ?? 0) + barWidth + 8);
});

test.each([
  ['WOMACK MAMMOTH MOVING', 312.4, 294, 8.46],
  ['WOMACK MAMMOTH MOVING', 312.4, 324, 8.46],
  ['Jürgen Großmann', 310.25, 294, 7.4],
  ['Jürgen Großmann', 310.25, 324, 7.4],
])(
  'on a phone, a customer who paid %s %s can read the note and the amount of money out in a chart of %s px',
  (name, amount, width, measured) => {
    const months = toMonths(Array.from({ length: 6 }, () => ({ in: 0, out: 0, largestOut: undefined })));
    months[5] = { ...months[5]!, in: 3000, out: amount, largestOut: { name, amount } };
    const { note, outLabel, right } = layOutMonths(months, width);
    const size = note!.text.length * measured;
    const end = note!.x + { start: size, middle: size / 2, end: 0 }[note!.anchor];
    expect(end - size).toBeGreaterThanOrEqual(40);
    expect(end).toBeLessThanOrEqual(width);
    expect(end <= right - 4 || note!.y - 11 >= outLabel.y + 19).toBe(true);
  },
);

test.each(['北京市朝阳区长城建筑装饰工程有限责任公司', '대한민국서울특별시강남구주식회사한강'])(
  'on a phone, a customer who paid %s can read the amount in the note',
  name => {
    const months = toMonths(Array.from({ length: 6 }, () => ({ in: 0, out: 0, largestOut: undefined })));
    months[5] = { ...months[5]!, in: 3000, out: 312.4, largestOut: { name, amount: 312.4 } };
    const { note } = layOutMonths(months, 294);
    // Such letters are as wide as the text is high: 14 px.
    const size = Array.from(note!.text).reduce((sum, letter) => sum + (letter > '\u1100' ? 14 : 7), 0);
    const end = note!.x + { start: size, middle: size / 2, end: 0 }[note!.anchor];
    expect(end - size).toBeGreaterThanOrEqual(40);
    expect(end).toBeLessThanOrEqual(294);
  },
);

test('the note stays inside the chart and does not overlap a bar or the last labels', () => {
  fc.assert(
    fc.property(year, fc.constantFrom(296, 612, 960), (drawn, width) => {
      const months = toMonths(drawn).slice(width < 460 ? -6 : 0);
      const { note, bars, barWidth, outBase, height, outLabel, right } = layOutMonths(months, width);
      if (!note) return;
      const size = note.text.length * 7;
      const from = note.x - (note.anchor === 'start' ? 0 : note.anchor === 'end' ? size : size / 2);
      const top = note.y - 11;
      expect(note.y + 4).toBeLessThanOrEqual(height);
      expect(from + size).toBeLessThanOrEqual(width + 0.01);
      for (const bar of bars) {
        const apart = bar.x + barWidth <= from || bar.x >= from + size;
        expect(apart || outBase + bar.outLength <= top).toBe(true);
      }
      expect(from + size <= right + 0.01 || top >= outLabel.y + 19).toBe(true);
    }),
    { numRuns: 300 },
  );
});
