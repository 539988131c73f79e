/**
 * Where everything in the chart of months stands, in pixels: bars up for money in, down for money out, on one scale that starts
 * at zero, with the months in the gutter between. Pure arithmetic; `MonthsChart` draws it.
 */
import type { Month } from '#contract/entities.ts';
import { fill } from '#contract/messages.ts';
import { dollarsToCents, formatCents, formatDollars } from '#contract/money.ts';
import { words } from './words.ts';

/** Left edge, width and length of one month's two bars; `middle` is where its name stands. */
export type Bar = { month: Month; x: number; middle: number; inLength: number; outLength: number };
export type Note = { text: string; x: number; y: number; anchor: 'start' | 'end' | 'middle' };
export type ChartGeometry = {
  height: number;
  left: number;
  right: number;
  inBase: number;
  outBase: number;
  barWidth: number;
  bars: Bar[];
  /** Hairlines: how far from each base, and the amount they stand for. */
  lines: { length: number; text: string }[];
  /** Baseline of the first of the two lines of each direct label. */
  inLabelY: number;
  outLabelY: number;
  note: Note | undefined;
};

const left = 48;
const longest = 106;
const inBase = 118;
const outBase = 146;
const height = 276;
/** Widths of a character at 13 px sans and 15 px italic serif; generous, since nothing can be measured before it is drawn. */
const labelCharacter = 7.8;
const noteCharacter = 7;

/** Lays out the given months, the last being the present one, in a drawing `width` px wide. */
export function layOutMonths(months: readonly Month[], width: number): ChartGeometry {
  const last = months.at(-1);
  const labels = [words.moneyIn, words.moneyOut, formatDollars(last?.in ?? 0), formatDollars(last?.out ?? 0)];
  const right = width - Math.max(...labels.map(label => label.length)) * labelCharacter - 4;
  const most = Math.max(...months.flatMap(month => [month.in, month.out]), 0);
  const scale = most > 0 ? longest / most : 0;
  const pitch = (right - left) / Math.max(months.length, 1);
  const barWidth = Math.min(18, Math.max(6, pitch * 0.5));
  const bars = months.map((month, place) => {
    const middle = left + pitch * (place + 0.5);
    return { month, x: middle - barWidth / 2, middle, inLength: month.in * scale, outLength: month.out * scale };
  });
  const step = stepOf(most);
  const end = bars.at(-1);
  return {
    height,
    left,
    right,
    inBase,
    outBase,
    barWidth,
    bars,
    lines: step === 0 ? [] : [1, 2].map(times => ({ length: step * times * scale, text: tickText(step * times) })),
    inLabelY: Math.min(inBase - (end?.inLength ?? 0) + 10, inBase - 26),
    outLabelY: Math.max(outBase + (end?.outLength ?? 0) - 20, outBase + 16),
    note: noteOf(bars, barWidth, right),
  };
}

/** The largest round step of which two fit under the longest bar. */
function stepOf(most: number): number {
  if (most < 0.02) return 0;
  const power = 10 ** Math.floor(Math.log10(most / 2));
  const round = [5, 4, 3, 2.5, 2, 1.5, 1].find(times => times * power * 2 <= most) ?? 1;
  return round * power;
}

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 2 });

function tickText(dollars: number): string {
  if (dollars >= 10_000) return `$${compact.format(dollars)}`;
  return Number.isInteger(dollars) ? `$${dollars.toLocaleString('en-US')}` : `$${dollars.toFixed(2)}`;
}

/** The largest payment's name beside its month's bar: right or left of the tip where it is clear of other bars, else under them. */
function noteOf(bars: readonly Bar[], barWidth: number, right: number): Note | undefined {
  let place = -1;
  bars.forEach(({ month }, index) => {
    const best = bars[place]?.month.largestOut?.amount ?? 0;
    if (month.largestOut && month.largestOut.amount > best) place = index;
  });
  const bar = bars[place];
  const payment = bar?.month.largestOut;
  if (!bar || !payment) return undefined;
  const amount = formatCents(dollarsToCents(payment.amount) ?? 0n).replace(/\.00$/, '');
  const room = Math.floor((right - left) / noteCharacter) - amount.length - 3;
  const name = payment.name.length > room ? `${payment.name.slice(0, Math.max(room - 1, 1)).trimEnd()}…` : payment.name;
  const text = fill(words.largest, { name, amount });
  const size = text.length * noteCharacter;
  const tip = outBase + bar.outLength;
  const lowest = (from: number, to: number) =>
    Math.max(outBase, ...bars.filter(other => other !== bar && other.middle + barWidth / 2 > from && other.x < to).map(other => outBase + other.outLength));
  const start = bar.x + barWidth + 6;
  if (start + size <= right && lowest(start, start + size) <= tip - 14) return { text, x: start, y: tip + 1, anchor: 'start' };
  const end = bar.x - 6;
  if (end - size >= left && lowest(end - size, end) <= tip - 14) return { text, x: end, y: tip + 1, anchor: 'end' };
  const middle = Math.min(Math.max(bar.middle, left + size / 2), right - size / 2);
  return { text, x: middle, y: Math.max(tip, lowest(middle - size / 2, middle + size / 2)) + 17, anchor: 'middle' };
}

/** The bar's outline from its base, with the far end rounded by 2 px: `up` for money in. */
export function barPath(x: number, base: number, width: number, length: number, up: boolean): string {
  if (length <= 0) return '';
  const away = up ? -1 : 1;
  const bend = Math.min(2, length);
  const straight = (length - bend) * away;
  return `M${x} ${base}v${straight}q0 ${bend * away} ${bend} ${bend * away}h${width - bend * 2}q${bend} 0 ${bend} ${-bend * away}v${-straight}z`;
}
