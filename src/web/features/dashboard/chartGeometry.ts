/**
 * Where everything in the chart of months stands, in pixels: bars up for money in, down for money out, on one scale that starts
 * at zero, with the months in the gutter between. Pure arithmetic; `MonthsChart` draws it.
 */
import { bank } from '#contract/constants.ts';
import type { Month } from '#contract/entities.ts';
import { formatDollars } from '#contract/money.ts';
import { axisDollars } from '#web/bank/axisDollars.ts';
import { hairlinesUnder } from '#web/ui/chartScale.ts';
import { type ChartNote, placeNote } from './chartNote.ts';
import { words } from './words.ts';

/** Left edge and lengths of one month's two bars; `middle` is where its name stands, if there is room for it (`named`). */
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
  /** Hairlines with the amount they stand for, as far as either side reaches. */
  lines: { y: number; text: string }[];
  /** The present month's amounts beside its bars; `y` is the baseline of their upper line. */
  inLabel: { amount: string; y: number };
  outLabel: { amount: string; y: number };
  note: ChartNote | undefined;
};

const left = 48;
/** The room of both sides together, shared as the amounts need it; neither has less than its label. */
const reach = 212;
const leastReach = 44;
const reachOfNothing = 150;
const gutter = 28;
/** Above the longest bar up; below the longest bar down, where the note may stand. */
const above = 12;
const below = 26;
/** The width of a character at 13 px; generous, since nothing can be measured before it is drawn. */
const labelCharacter = 7.8;

/** What a month's short name needs; with less, every second month is named, the present one among them. */
const nameRoom = 27;

/** A narrower drawing shows six months. */
export const roomForTwelve = 460;

/** Lays out the given months, the last being the present one, in a drawing `width` px wide. */
export function layOutMonths(months: readonly Month[], width: number): ChartGeometry {
  const mostIn = Math.max(...months.map(month => month.in), 0);
  const mostOut = Math.max(...months.map(month => month.out), 0);
  const most = Math.max(mostIn, mostOut);
  const scale = most > 0 ? Math.min(reach / (mostIn + mostOut), (reach - leastReach) / most) : 0;
  const inReach =
    most > 0 ? Math.min(Math.max(mostIn * scale, leastReach), reach - leastReach) : reachOfNothing / 2;
  const outReach = most > 0 ? reach - inReach : reachOfNothing / 2;
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
    lines: axisDollars(hairlinesUnder(most)).flatMap(({ value, text }) => [
      ...(value * scale <= inReach ? [{ y: inBase - value * scale, text }] : []),
      ...(value * scale <= outReach ? [{ y: outBase + value * scale, text }] : []),
    ]),
    inLabel: { amount: amounts[0] ?? '', y: Math.min(inBase - (end?.inLength ?? 0) + 10, inBase - 26) },
    outLabel: { amount: amounts[1] ?? '', y: outLabelY },
    note: placeNote(bars, { left, right, width, outBase, barWidth, labelBottom: outLabelY + 19 }),
  };
}

const compact = new Intl.NumberFormat(bank.locale, { notation: 'compact', maximumFractionDigits: 2 });

/** To the cent; on a narrow drawing a large amount in short, so that the bars keep their room. The table has it whole. */
function labelText(dollars: number, width: number): string {
  return width < roomForTwelve && dollars >= 100_000 ? `$${compact.format(dollars)}` : formatDollars(dollars);
}
