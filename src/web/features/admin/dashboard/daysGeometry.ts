/**
 * Computes the layout of the days chart in pixels. `DaysChart` draws it. Three strips share one calendar axis: volume, number
 * of transactions, and success rate by week. Each strip has its own scale from zero. On the scale `typical`, the volume's axis
 * ends above the typical days, so that one very large day does not flatten the others. Larger bars are cut off.
 */

import { nameOfMonth } from '#contract/bankTime.ts';
import { formatCount } from '#contract/count.ts';
import { fill } from '#contract/messages/fill.ts';
import { formatDollars } from '#contract/money.ts';
import { axisDollars } from '#web/bank/axisDollars.ts';
import { ticksUnder } from '#web/ui/chartScale.ts';
import { type Day, rateOf, type Span, shortSpan, spansOf } from './daySpans.ts';
import { figureWords } from './figureWords.ts';

/** A horizontal band of the chart: the y of zero, the y of its title, and its grid lines. */
export type Strip = { base: number; titleY: number; lines: { y: number; text: string }[] };
/** `isCut`: the volume is larger than the axis. */
export type SpanBars = {
  span: Span;
  x: number;
  volumeLength: number;
  countLength: number;
  isCut: boolean;
};
export const scales = ['typical', 'full'] as const;
export type Scale = (typeof scales)[number];
export type RatePoint = { span: Span; rate: number; x: number; y: number };

export type DaysGeometry = {
  width: number;
  height: number;
  left: number;
  right: number;
  barWidth: number;
  bars: SpanBars[];
  /** Whether the scale `typical` differs from `full`, because a few days are much larger than the others. */
  hasTypical: boolean;
  /** The largest volume on the axis, in dollars. */
  axisEnd: number;
  /** The points of the success rate, split into runs at weeks in which no transaction has ended. */
  rates: RatePoint[][];
  strips: { volume: Strip; count: Strip; rate: Strip };
  /** Month names under the calendar, at the x of each month's first day. */
  months: { x: number; text: string }[];
  /** The largest day or week, labeled at its bar. */
  peak: { text: string; x: number; y: number; span: Span } | undefined;
};

const left = 48;
const title = 34;
/** The space for the note on the largest bar, between the title of the volume strip and its bars. */
const noteLine = 16;
/** The width of a character at 15 px italic serif, rounded up: text cannot be measured before it is drawn. */
const noteCharacter = 7;
const volumeReach = 120;
const countReach = 56;
const rateReach = 56;
const gap = 14;
const calendar = 26;

/** A chart narrower than this shows weeks instead of days. */
const minWidthForDays = 520;

/** The `typical` axis ends at this multiple of the volumes' 90th percentile. */
const typicalFactor = 1.5;

/**
 * Returns where the axis of the scale `typical` ends, in dollars: above about nine of ten volumes that are not zero. Returns
 * undefined if fewer than three are not zero, or if the largest is at most twice this end: then one scale shows them all.
 */
export function typicalEnd(volumes: readonly number[]): number | undefined {
  const sorted = volumes.filter(volume => volume > 0).toSorted((one, other) => one - other);
  const end = (sorted[Math.floor((sorted.length - 1) * 0.9)] ?? 0) * typicalFactor;
  return sorted.length > 2 && sorted.at(-1)! > 2 * end ? end : undefined;
}

/** Lays out `days`, the last being today, in a chart `width` px wide. */
export function layOutDays(days: readonly Day[], width: number, scale: Scale = 'full'): DaysGeometry {
  const spans = spansOf(days, width < minWidthForDays ? 7 : 1);
  const right = width - 2;
  const dayWidth = (right - left) / Math.max(days.length, 1);
  const place = new Map(days.map(({ day }, index) => [day, index]));
  const startOf = (day: string) => left + (place.get(day) ?? 0) * dayWidth;
  const middleOf = (span: Span) => (startOf(span.from) + startOf(span.to) + dayWidth) / 2;
  const pitch = dayWidth * (width < minWidthForDays ? 7 : 1);
  const barWidth = Math.min(18, Math.max(2, pitch * 0.66));

  const volumes = spans.map(span => span.volume);
  const typical = typicalEnd(volumes);
  const maxVolume = (scale === 'typical' && typical) || Math.max(0, ...volumes);
  const maxCount = Math.max(0, ...spans.map(span => span.count));
  const volume = {
    ...stripAt(noteLine, volumeReach, maxVolume, axisDollars(ticksUnder(maxVolume))),
    titleY: 14,
  };
  const count = stripAt(volume.base + gap, countReach, maxCount, axisCounts(ticksUnder(maxCount, true)));
  const rateBase = count.base + gap + title + rateReach;
  const rate: Strip = {
    base: rateBase,
    titleY: count.base + gap + 14,
    lines: [50, 100].map(percent => ({ y: rateBase - (percent / 100) * rateReach, text: `${percent}%` })),
  };

  const bars = spans.map(span => ({
    span,
    x: middleOf(span) - barWidth / 2,
    volumeLength: maxVolume > 0 ? Math.min(1, span.volume / maxVolume) * volumeReach : 0,
    isCut: span.volume > maxVolume,
    countLength: maxCount > 0 ? (span.count / maxCount) * countReach : 0,
  }));
  const best = bars.reduce<SpanBars | undefined>(
    (max, bar) => (bar.span.volume > (max?.span.volume ?? 0) ? bar : max),
    undefined,
  );
  return {
    width,
    height: rateBase + calendar,
    left,
    right,
    barWidth,
    bars,
    hasTypical: typical !== undefined,
    axisEnd: maxVolume,
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

/** Places the note over the tallest bar, moved sideways if needed to stay inside the chart. */
function noteAt(
  { span, x, volumeLength }: SpanBars,
  room: { left: number; right: number; barWidth: number; base: number },
) {
  const text = fill(figureWords.peak, { day: shortSpan(span), amount: formatDollars(span.volume) });
  const half = (text.length * noteCharacter) / 2;
  const middle = Math.min(Math.max(x + room.barWidth / 2, room.left + half), room.right - half);
  return { text, span, x: middle, y: room.base - volumeLength - 8 };
}

/** Labels grid lines with numbers of transactions. */
const axisCounts = (values: number[]) => values.map(value => ({ value, text: formatCount(value) }));

/** Returns a strip below `top` with a grid line for each of `ticks`. */
function stripAt(top: number, reach: number, max: number, ticks: { value: number; text: string }[]): Strip {
  const base = top + title + reach;
  const lines = ticks.map(({ value, text }) => ({ y: base - (value * reach) / max, text }));
  return { base, titleY: base - reach - title + 14, lines };
}

/** Splits the points into runs of neighbors, at each gap. */
function runsOf(points: (RatePoint | false)[]): RatePoint[][] {
  const runs: RatePoint[][] = [[]];
  for (const point of points) {
    if (point) runs.at(-1)?.push(point);
    else runs.push([]);
  }
  return runs.filter(run => run.length > 0);
}
