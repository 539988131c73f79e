/**
 * Where everything in the drawing of days stands, in pixels: three strips over one calendar, each with a scale of its own
 * that starts at zero: volume, number of transactions, and success rate by week. Pure arithmetic; `DaysChart` draws it.
 */

import { nameOfMonth } from '#contract/bankTime.ts';
import { formatCount } from '#contract/count.ts';
import { fill } from '#contract/messages/fill.ts';
import { formatDollars } from '#contract/money.ts';
import { axisDollars } from '#web/bank/axisDollars.ts';
import { hairlinesUnder } from '#web/ui/chartScale.ts';
import { type Day, rateOf, type Span, shortSpan, spansOf } from './daySpans.ts';
import { figureWords } from './figureWords.ts';

/** A horizontal band of the drawing: where zero is, where its title stands, and its hairlines. */
export type Strip = { base: number; titleY: number; lines: { y: number; text: string }[] };
export type SpanBars = { span: Span; x: number; volumeLength: number; countLength: number };
export type RatePoint = { span: Span; rate: number; x: number; y: number };

export type DaysGeometry = {
  width: number;
  height: number;
  left: number;
  right: number;
  barWidth: number;
  bars: SpanBars[];
  /** The points of the success rate; a week without transactions begins a new run. */
  rates: RatePoint[][];
  strips: { volume: Strip; count: Strip; rate: Strip };
  /** Names of months under the calendar, where their first day stands. */
  months: { x: number; text: string }[];
  /** The largest day or week, written at its bar. */
  peak: { text: string; x: number; y: number; span: Span } | undefined;
};

const left = 48;
const title = 34;
/** Above the volume the note on its largest bar has a line of its own. */
const noteLine = 16;
/** The width of a character at 15 px italic serif; generous, since nothing can be measured before it is drawn. */
const noteCharacter = 7;
const volumeReach = 120;
const countReach = 56;
const rateReach = 56;
const gap = 14;
const calendar = 26;

/** A narrower drawing shows weeks in place of days. */
const roomForDays = 520;

/** Lays out the days given, the last being today, in a drawing `width` px wide. */
export function layOutDays(days: readonly Day[], width: number): DaysGeometry {
  const spans = spansOf(days, width < roomForDays ? 7 : 1);
  const right = width - 2;
  const dayWidth = (right - left) / Math.max(days.length, 1);
  const place = new Map(days.map(({ day }, index) => [day, index]));
  const startOf = (day: string) => left + (place.get(day) ?? 0) * dayWidth;
  const middleOf = (span: Span) => (startOf(span.from) + startOf(span.to) + dayWidth) / 2;
  const pitch = dayWidth * (width < roomForDays ? 7 : 1);
  const barWidth = Math.min(18, Math.max(2, pitch * 0.66));

  const mostVolume = Math.max(0, ...spans.map(span => span.volume));
  const mostCount = Math.max(0, ...spans.map(span => span.count));
  const volume = {
    ...stripAt(noteLine, volumeReach, mostVolume, axisDollars(hairlinesUnder(mostVolume))),
    titleY: 14,
  };
  const count = stripAt(
    volume.base + gap,
    countReach,
    mostCount,
    axisCounts(hairlinesUnder(mostCount, true)),
  );
  const rateBase = count.base + gap + title + rateReach;
  const rate: Strip = {
    base: rateBase,
    titleY: count.base + gap + 14,
    lines: [50, 100].map(percent => ({ y: rateBase - (percent / 100) * rateReach, text: `${percent}%` })),
  };

  const bars = spans.map(span => ({
    span,
    x: middleOf(span) - barWidth / 2,
    volumeLength: mostVolume > 0 ? (span.volume / mostVolume) * volumeReach : 0,
    countLength: mostCount > 0 ? (span.count / mostCount) * countReach : 0,
  }));
  const best = bars.reduce<SpanBars | undefined>(
    (most, bar) => (bar.span.volume > (most?.span.volume ?? 0) ? bar : most),
    undefined,
  );
  return {
    width,
    height: rateBase + calendar,
    left,
    right,
    barWidth,
    bars,
    rates: runsOf(
      spansOf(days, 7).map(span => {
        const percent = rateOf(span);
        return (
          percent !== undefined && {
            span,
            rate: percent,
            x: middleOf(span),
            y: rateBase - (percent / 100) * rateReach,
          }
        );
      }),
    ),
    strips: { volume, count, rate },
    months: days
      .filter(({ day }) => day.endsWith('-01') && startOf(day) < right - 24)
      .map(({ day }) => ({ x: startOf(day), text: nameOfMonth(day.slice(0, 7), 'short') })),
    peak: best && noteAt(best, { left, right, barWidth, base: volume.base }),
  };
}

/** The note stands over its bar, which is the tallest, and inside the drawing. */
function noteAt(
  { span, x, volumeLength }: SpanBars,
  room: { left: number; right: number; barWidth: number; base: number },
) {
  const text = fill(figureWords.peak, { day: shortSpan(span), amount: formatDollars(span.volume) });
  const half = (text.length * noteCharacter) / 2;
  const middle = Math.min(Math.max(x + room.barWidth / 2, room.left + half), room.right - half);
  return { text, span, x: middle, y: room.base - volumeLength - 8 };
}

/** Whole numbers: half a transaction is none. */
const axisCounts = (values: number[]) => values.map(value => ({ value, text: formatCount(value) }));

/** A strip below `top`, with the hairlines that `ticks` names. */
function stripAt(top: number, reach: number, most: number, ticks: { value: number; text: string }[]): Strip {
  const base = top + title + reach;
  const lines = ticks.map(({ value, text }) => ({ y: base - (value * reach) / most, text }));
  return { base, titleY: base - reach - title + 14, lines };
}

/** Neighbours together, split where there is nothing. */
function runsOf(points: (RatePoint | false)[]): RatePoint[][] {
  const runs: RatePoint[][] = [[]];
  for (const point of points) {
    if (point) runs.at(-1)?.push(point);
    else runs.push([]);
  }
  return runs.filter(run => run.length > 0);
}
