/**
 * Computes the layout of the months chart in pixels: bars up for money in and down for money out, on one scale from zero,
 * with the month names between them. Pure arithmetic; `MonthsChart` draws it.
 */
import { bank } from '#contract/constants.ts';
import type { Month } from '#contract/entities.ts';
import { formatDollars } from '#contract/money.ts';
import { axisDollars } from '#web/bank/axisDollars.ts';
import { ticksUnder } from '#web/ui/chartScale.ts';
import { type ChartNote, placeNote } from './chartNote.ts';
import { words } from './words.ts';

/** One month's two bars in pixels: left edge and lengths. `middle`: the x of the month's name. `named`: the name fits. */
export type Bar = {
  month: Month;
  x: number;
  middle: number;
  named: boolean;
  inLength: number;
  outLength: number;
};
export type ChartGeometry = {
  height: number;
  left: number;
  right: number;
  inBase: number;
  outBase: number;
  barWidth: number;
  bars: Bar[];
  /** Grid lines with their amounts, as far as either side extends. */
  lines: { y: number; text: string }[];
  /** The current month's amounts next to its bars; `y` is the baseline of the upper line. */
  inLabel: { amount: string; y: number };
  outLabel: { amount: string; y: number };
  note: ChartNote | undefined;
};

const left = 48;
/** The height of both sides together, split in proportion to the amounts; each side fits at least its label. */
const reach = 212;
const minReach = 44;
const emptyReach = 150;
const gutter = 28;
/** Space above the upward bars and below the downward bars. The note may be in the space below. */
const above = 12;
const below = 26;
/** The width of a character at 13 px, rounded up: text cannot be measured before it is drawn. */
const labelCharacter = 7.8;

/** The width of a short month name. If a month has less space, only every second month is named, including the current one. */
const nameRoom = 27;

/** A chart narrower than this shows six months. */
export const minWidthForTwelve = 460;

/** Lays out `months`, the last being the current one, in a chart `width` px wide. */
export function layOutMonths(months: readonly Month[], width: number): ChartGeometry {
  const maxIn = Math.max(...months.map(month => month.in), 0);
  const maxOut = Math.max(...months.map(month => month.out), 0);
  const max = Math.max(maxIn, maxOut);
  const scale = max > 0 ? Math.min(reach / (maxIn + maxOut), (reach - minReach) / max) : 0;
  const inReach = max > 0 ? Math.min(Math.max(maxIn * scale, minReach), reach - minReach) : emptyReach / 2;
  const outReach = max > 0 ? reach - inReach : emptyReach / 2;
  const inBase = above + inReach;
  const outBase = inBase + gutter;
  const amounts = [months.at(-1)?.in ?? 0, months.at(-1)?.out ?? 0].map(dollars => labelText(dollars, width));
  const labels = [words.moneyIn, words.moneyOut, ...amounts];
  const right = width - Math.max(...labels.map(label => label.length)) * labelCharacter - 4;
  const pitch = (right - left) / Math.max(months.length, 1);
  const barWidth = Math.min(18, Math.max(6, pitch * 0.5));
  const bars = months.map((month, place) => {
    const middle = left + pitch * (place + 0.5);
    return {
      month,
      x: middle - barWidth / 2,
      middle,
      named: pitch >= nameRoom || (months.length - 1 - place) % 2 === 0,
      inLength: month.in * scale,
      outLength: month.out * scale,
    };
  });
  const end = bars.at(-1);
  const outLabelY = Math.max(outBase + (end?.outLength ?? 0) - 20, outBase + 16);
  return {
    height: outBase + outReach + below,
    left,
    right,
    inBase,
    outBase,
    barWidth,
    bars,
    lines: axisDollars(ticksUnder(max)).flatMap(({ value, text }) => [
      ...(value * scale <= inReach ? [{ y: inBase - value * scale, text }] : []),
      ...(value * scale <= outReach ? [{ y: outBase + value * scale, text }] : []),
    ]),
    inLabel: { amount: amounts[0] ?? '', y: Math.min(inBase - (end?.inLength ?? 0) + 10, inBase - 26) },
    outLabel: { amount: amounts[1] ?? '', y: outLabelY },
    note: placeNote(bars, { left, right, width, outBase, barWidth, labelBottom: outLabelY + 19 }),
  };
}

const compact = new Intl.NumberFormat(bank.locale, { notation: 'compact', maximumFractionDigits: 2 });

/**
 * Formats the amount to the cent, or in short form if it is large and the chart is narrow, so that the bars keep their
 * space. The table shows it in full.
 */
function labelText(dollars: number, width: number): string {
  return width < minWidthForTwelve && dollars >= 100_000
    ? `$${compact.format(dollars)}`
    : formatDollars(dollars);
}
