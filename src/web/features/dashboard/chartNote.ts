/**
 * Places the chart's note near the longest downward bar without covering another bar. The note names the largest
 * payment of the bar's month.
 */
import { fill } from '#contract/messages/fill.ts';
import { dollarsToCents, formatCents } from '#contract/money.ts';
import type { Bar } from './chartGeometry.ts';
import { words } from './words.ts';

export type ChartNote = { text: string; x: number; y: number; anchor: 'start' | 'end' | 'middle' };

/**
 * The space for the note. The bars are between `left` and `right`. To their right is the label of the last bar, which ends at
 * `labelBottom`.
 */
export type NoteRoom = {
  left: number;
  right: number;
  width: number;
  outBase: number;
  barWidth: number;
  labelBottom: number;
};

/**
 * The widths of a Chinese, Japanese or Korean character, a capital and another character at 14 px, rounded up: text cannot be
 * measured before it is drawn. Latin letters with two accents also come after U+1100.
 */
const wide = 15;
const capital = 10;
const character = 7.5;
const lineHeight = 15;
const gap = 8;
/** If the note is under the bars or the label: how far its baseline is below the lowest of them. */
const drop = 19;

/**
 * Places the note right or left of the bar's tip if there is space, else under the bars, and under the label too if it is too
 * long to stay left of it. Returns undefined if no bar goes down, or if the month of the longest has no payment to name.
 */
export function placeNote(bars: readonly Bar[], room: NoteRoom): ChartNote | undefined {
  const { left, right, width, outBase, barWidth, labelBottom } = room;
  const bar = longestOut(bars);
  const payment = bar?.month.largestOut;
  if (!bar || !payment) return undefined;
  const tip = outBase + bar.outLength;
  const farRight = tip > labelBottom + lineHeight ? width : right - gap;
  const text = noteText(payment, width - left);
  const size = widthOf(text);
  const lowest = (from: number, to: number) =>
    bars
      .filter(other => other !== bar && other.x + barWidth > from && other.x < to)
      .reduce((low, other) => Math.max(low, outBase + other.outLength), outBase);
  const clear = (from: number, to: number) => lowest(from, to) <= tip - lineHeight;

  const start = bar.x + barWidth + gap;
  if (start + size <= farRight && clear(start, start + size))
    return { text, x: start, y: tip + 1, anchor: 'start' };
  const end = bar.x - gap;
  if (end - size >= left && clear(end - size, end)) return { text, x: end, y: tip + 1, anchor: 'end' };
  const isLong = size > farRight - left;
  const x = Math.min(Math.max(bar.middle, left + size / 2), (isLong ? width : farRight) - size / 2);
  const y = Math.max(tip, lowest(x - size / 2, x + size / 2)) + drop;
  return { text, x, y: isLong ? Math.max(y, labelBottom + drop) : y, anchor: 'middle' };
}

function longestOut(bars: readonly Bar[]): Bar | undefined {
  return bars.reduce<Bar | undefined>(
    (best, bar) => (bar.outLength > (best?.outLength ?? 0) ? bar : best),
    undefined,
  );
}

/** 'Brandt Roofing, $2,150': whole dollars without cents, a long name shortened to fit. */
function noteText({ name, ...payment }: { name: string; amount: number }, maxWidth: number): string {
  const amount = formatCents(dollarsToCents(payment.amount) ?? 0n).replace(/\.00$/, '');
  let text = fill(words.largest, { name, amount });
  for (let kept = name.length - 1; kept > 2 && widthOf(text) > maxWidth; kept--)
    text = fill(words.largest, { name: `${name.slice(0, kept).trimEnd()}…`, amount });
  return text;
}

function widthOf(text: string): number {
  return Array.from(text, each =>
    /(?!\p{Script=Latin})[\u{1100}-\u{10ffff}]/u.test(each)
      ? wide
      : /\p{Lu}/u.test(each)
        ? capital
        : character,
  ).reduce((sum, width) => sum + width, 0);
}
