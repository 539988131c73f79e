/**
 * Draws the months at its container's width, so that text keeps its size: twelve months, or the last six if there is no
 * space for twelve.
 */
import { nameOfMonth } from '#contract/bankTime.ts';
import type { Month } from '#contract/entities.ts';
import { fill } from '#contract/messages/fill.ts';
import { formatDollars } from '#contract/money.ts';
import { ChartFrame } from '#web/ui/ChartFrame.tsx';
import { ChartLines } from '#web/ui/ChartLines.tsx';
import { barPath } from '#web/ui/chartScale.ts';
import { useWidth } from '#web/ui/useWidth.ts';
import { type Bar, type ChartGeometry, layOutMonths, minWidthForTwelve } from './chartGeometry.ts';
import { words } from './words.ts';
import './MonthsChart.css';

export function MonthsChart({ months }: { months: readonly Month[] }) {
  const [width, place] = useWidth(612);
  const shown = width < minWidthForTwelve ? months.slice(-6) : months;
  const chart = layOutMonths(shown, width);
  const present = shown.at(-1);
  if (!present) return null;
  const description = fill(words.chartDescription, {
    title: words.chartTitle,
    month: nameOfMonth(present.month, 'long'),
    in: formatDollars(present.in),
    out: formatDollars(present.out),
  });
  return (
    <ChartFrame
      place={place}
      width={width}
      height={chart.height}
      description={description}
      className="MonthsChart"
    >
      <ChartLines lines={chart.lines} left={chart.left} right={chart.right} />
      {chart.bars.map(bar => (
        <MonthBar key={bar.month.month} bar={bar} chart={chart} present={bar.month === present} />
      ))}
      {chart.note && (
        <text className="ChartFrame-note" x={chart.note.x} y={chart.note.y} textAnchor={chart.note.anchor}>
          {chart.note.text}
        </text>
      )}
      <path
        className="ChartFrame-base"
        d={`M${chart.left} ${chart.inBase}H${chart.right}M${chart.left} ${chart.outBase}H${chart.right}`}
      />
      <text className="MonthsChart-in" x={chart.right + 4} y={chart.inLabel.y}>
        {words.moneyIn}
      </text>
      <text className="MonthsChart-present" x={chart.right + 4} y={chart.inLabel.y + 19}>
        {chart.inLabel.amount}
      </text>
      <text className="MonthsChart-out" x={chart.right + 4} y={chart.outLabel.y}>
        {words.moneyOut}
      </text>
      <text className="MonthsChart-present" x={chart.right + 4} y={chart.outLabel.y + 19}>
        {chart.outLabel.amount}
      </text>
    </ChartFrame>
  );
}

function MonthBar({ bar, chart, present }: { bar: Bar; chart: ChartGeometry; present: boolean }) {
  const name = nameOfMonth(bar.month.month, 'short');
  const past = present ? '' : ' MonthsChart-past';
  return (
    <>
      <path
        className={`MonthsChart-in${past}`}
        d={barPath(bar.x, chart.inBase, chart.barWidth, bar.inLength, true)}
      >
        <title>{fill(words.barIn, { month: name, amount: formatDollars(bar.month.in) })}</title>
      </path>
      <path
        className={`MonthsChart-out${past}`}
        d={barPath(bar.x, chart.outBase, chart.barWidth, bar.outLength, false)}
      >
        <title>{fill(words.barOut, { month: name, amount: formatDollars(bar.month.out) })}</title>
      </path>
      {bar.named && (
        <text
          className={present ? 'MonthsChart-present' : undefined}
          x={bar.middle}
          y={chart.inBase + 18.5}
          textAnchor="middle"
        >
          {name}
        </text>
      )}
    </>
  );
}
