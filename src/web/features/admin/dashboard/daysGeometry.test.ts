/** The layout of the days chart: scales start at zero, a narrow chart shows weeks, nothing is drawn outside. */
import { expect, test } from 'vitest';
import { type Day, nameOfSpan, rateOf, rateText, shortSpan, spansOf, sumOf } from './daySpans.ts';
import { layOutDays, typicalEnd } from './daysGeometry.ts';

const quiet = (day: string): Day => ({ day, count: 0, completed: 0, pending: 0, volume: 0 });
const ninety: Day[] = Array.from({ length: 90 }, (_, place) =>
  quiet(new Date(Date.UTC(2026, 7, 24 + place)).toISOString().slice(0, 10)),
);
const with2 = ninety.map((day, place) =>
  place === 88
    ? { ...day, count: 4, completed: 3, volume: 1000.1 }
    : place === 89
      ? { ...day, count: 1, completed: 1, volume: 500.2 }
      : day,
);

test('a bar’s length is proportional to its figure, from zero', () => {
  const { bars } = layOutDays(with2, 1000);
  const [largest, half] = bars.slice(88);
  expect(bars).toHaveLength(90);
  expect(largest!.volumeLength / half!.volumeLength).toBeCloseTo(1000.1 / 500.2);
  expect(largest!.countLength / half!.countLength).toBeCloseTo(4);
  expect(bars[0]).toMatchObject({ volumeLength: 0, countLength: 0 });
});

test('a narrow chart shows weeks, the last of which ends today', () => {
  const { bars } = layOutDays(with2, 300);
  expect(bars).toHaveLength(13);
  expect(bars.at(-1)!.span).toEqual({
    from: '2026-11-15',
    to: '2026-11-21',
    count: 5,
    completed: 4,
    pending: 0,
    volume: 1500.3,
  });
});

test('the success rate is drawn from 0 to 100 percent, and a day without transactions has none', () => {
  const { rates, strips } = layOutDays(with2, 1000);
  expect(rates).toHaveLength(1);
  expect(rates[0]).toHaveLength(1);
  expect(rates[0]![0]!.rate).toBe(80);
  const hundred = strips.rate.lines.find(line => line.text === '100%')!.y;
  expect((strips.rate.base - rates[0]![0]!.y) / (strips.rate.base - hundred)).toBeCloseTo(0.8);
});

test('the success rate counts only payments that have ended, so a week of pending ones is not a week of failures [A-61]', () => {
  expect(rateOf({ count: 3, completed: 2, pending: 0 })).toBe(66.7);
  expect(rateOf({ count: 9, completed: 2, pending: 6 })).toBe(66.7);
  expect(rateOf({ count: 6, completed: 0, pending: 6 })).toBeUndefined();
  const later = with2.map(day => (day.count === 4 ? { ...day, count: 40, pending: 36 } : day));
  expect(layOutDays(later, 1000).rates[0]![0]!.rate).toBe(80);
});

test('an administrator reads 100% only if no payment failed [A-61]', () => {
  expect(rateText({ count: 2000, completed: 1999, pending: 0 })).toBe('99.9%');
  expect(rateText({ count: 2000, completed: 1999, pending: 1 })).toBe('100%');
});

test('the note over the largest bar stays inside the chart', () => {
  for (const width of [280, 612, 1100]) {
    const { peak, left, right } = layOutDays(with2, width);
    const half = (peak!.text.length * 7) / 2;
    expect(peak!.x - half).toBeGreaterThanOrEqual(left - 0.01);
    expect(peak!.x + half).toBeLessThanOrEqual(right + 0.01);
    expect(peak!.y).toBeGreaterThan(18);
  }
});

test('a bank without transactions has no bars, no note and only the grid lines of the rate', () => {
  const { bars, peak, rates, strips } = layOutDays(ninety, 612);
  expect(bars.every(bar => bar.volumeLength === 0 && bar.countLength === 0)).toBe(true);
  expect([peak, rates, strips.volume.lines, strips.count.lines]).toEqual([undefined, [], [], []]);
});

test('spans sum dollars to the cent and are named by their days', () => {
  expect(sumOf(with2).volume).toBe(1500.3);
  const [first] = spansOf(ninety, 7);
  expect(first).toMatchObject({ from: '2026-08-24', to: '2026-08-29' });
  expect(nameOfSpan(first!)).toBe('Aug 24–29, 2026');
  expect(shortSpan(first!)).toBe('Aug 24–29');
  expect(shortSpan({ ...first!, from: '2026-10-30', to: '2026-11-05' })).toBe('Oct 30 – Nov 5');
  expect(shortSpan({ ...first!, from: first!.to })).toBe('Aug 29');
});

test('on the typical scale one very large day is cut off, and the other days keep their proportions [A-57]', () => {
  const busy = ninety.map((day, place) => ({
    ...day,
    count: 1,
    completed: 1,
    volume: place === 40 ? 2_000_000 : 100 + place,
  }));
  const typical = layOutDays(busy, 1000, 'typical');
  const full = layOutDays(busy, 1000, 'full');
  expect([typical.hasTypical, full.hasTypical]).toEqual([true, true]);
  expect(typical.bars.filter(({ isCut }) => isCut).map(({ span }) => span.volume)).toEqual([2_000_000]);
  expect(full.bars.some(({ isCut }) => isCut)).toBe(false);
  const [first, last] = [typical.bars[0]!, typical.bars[89]!];
  expect(last.volumeLength).toBeGreaterThan(60);
  expect(last.volumeLength / first.volumeLength).toBeCloseTo(189 / 100);
  expect(full.bars[89]!.volumeLength).toBeLessThan(1);
});

test('days of similar size need no second scale', () => {
  expect(typicalEnd(ninety.map((_, place) => 100 + place * 3))).toBeUndefined();
  expect(typicalEnd([0, 0, 500])).toBeUndefined();
});
