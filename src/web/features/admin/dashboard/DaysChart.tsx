/**
 * Draws the last days at its container's width: volume, transactions and success rate on one calendar axis. A narrow chart
 * shows weeks. If a few days are much larger than the others, the volume's axis ends above the typical days: the chart says
 * so and offers the full scale.
 */
import { useState } from 'react';
import { formatCount } from '#contract/count.ts';
import { fill } from '#contract/messages/fill.ts';
import { formatDollars } from '#contract/money.ts';
import { ChartFrame } from '#web/ui/ChartFrame.tsx';
import { ChartLines } from '#web/ui/ChartLines.tsx';
import { barPath } from '#web/ui/chartScale.ts';
import { Segmented } from '#web/ui/Segmented.tsx';
import { useWidth } from '#web/ui/useWidth.ts';
import { type Day, nameOfSpan, rateText, sumOf } from './daySpans.ts';
import { type DaysGeometry, layOutDays, type Scale, type Strip, scales } from './daysGeometry.ts';
import { figureWords } from './figureWords.ts';
import './DaysChart.css';

export function DaysChart({ days }: { days: readonly Day[] }) {
  const [width, place] = useWidth(612);
  const [scale, setScale] = useState<Scale>('typical');
  const chart = layOutDays(days, width, scale);
  const { strips, peak } = chart;
  const cut = chart.bars.filter(({ isCut }) => isCut).length;
  const all = sumOf(days);
  const count = formatCount(all.count);
  const description = fill(figureWords.daysDescription, {
    title: figureWords.daysTitle,
    amount: formatDollars(all.volume),
    completed: all.completed,
    count,
    n: days.length,
    best: peak ? nameOfSpan(peak.span) : figureWords.noRate,
  });
  return (
    <>
      {chart.hasTypical && (
        <div className="DaysChart-scale">
          <p className="type-note type-note--amounts">
            {cut > 0
              ? figureWords.scaleTypical(formatDollars(Math.round(chart.axisEnd)), cut)
              : figureWords.scaleFull}
          </p>
          <Segmented
            legend={figureWords.scale}
            value={scale}
            onChange={setScale}
            options={scales.map(value => ({ value, label: figureWords.scales[value] }))}
          />
        </div>
      )}
      <ChartFrame
        place={place}
        width={width}
        height={chart.height}
        description={description}
        className="DaysChart"
      >
        <StripFrame
          chart={chart}
          strip={strips.volume}
          name={figureWords.volume}
          figure={formatDollars(all.volume)}
        />
        <StripFrame chart={chart} strip={strips.count} name={figureWords.count} figure={count} />
        <StripFrame chart={chart} strip={strips.rate} name={figureWords.rate} figure={rateText(all)} />
        <Bars chart={chart} />
        <Rates chart={chart} />
        {[strips.volume, strips.count, strips.rate].map(({ base }) => (
          <path key={base} className="ChartFrame-base" d={`M${chart.left} ${base}H${chart.right}`} />
        ))}
        {peak && (
          <text className="ChartFrame-note" x={peak.x} y={peak.y} textAnchor="middle">
            {peak.text}
          </text>
        )}
        {chart.months.map(({ x, text }) => (
          <g key={x}>
            <path className="ChartFrame-base" d={`M${x} ${strips.rate.base}v6`} />
            <text x={x + 4} y={strips.rate.base + 17}>
              {text}
            </text>
          </g>
        ))}
      </ChartFrame>
    </>
  );
}

/** A strip's title with its figure, and its grid lines with their labels. */
function StripFrame({
  chart,
  strip,
  name,
  figure,
}: {
  chart: DaysGeometry;
  strip: Strip;
  name: string;
  figure: string;
}) {
  return (
    <>
      <text className="DaysChart-title" x={0} y={strip.titleY}>
        {name} <tspan dx={4}>{figure}</tspan>
      </text>
      <ChartLines lines={strip.lines} left={chart.left} right={chart.right} />
    </>
  );
}

function Bars({ chart: { bars, barWidth, strips, peak } }: { chart: DaysGeometry }) {
  return bars.map(({ span, x, volumeLength, countLength, isCut }) => {
    const name = nameOfSpan(span);
    return (
      <g key={span.from}>
        <path
          className={span === peak?.span ? 'DaysChart-volume DaysChart-best' : 'DaysChart-volume'}
          d={barPath(x, strips.volume.base, barWidth, volumeLength, true)}
        >
          <title>{fill(figureWords.spanVolume, { span: name, amount: formatDollars(span.volume) })}</title>
        </path>
        {isCut && (
          <path
            className="DaysChart-cut"
            d={`M${x - 3} ${strips.volume.base - volumeLength + 14}l${barWidth + 6} -6`}
          />
        )}
        <path className="DaysChart-count" d={barPath(x, strips.count.base, barWidth, countLength, true)}>
          <title>{fill(figureWords.spanCount, { span: name, count: span.count })}</title>
        </path>
      </g>
    );
  });
}

function Rates({ chart: { rates } }: { chart: DaysGeometry }) {
  return rates.map(run => (
    <g key={run[0]?.x}>
      <path className="DaysChart-rate" d={`M${run.map(({ x, y }) => `${x} ${y}`).join('L')}`} />
      {run.map(({ span, rate, x, y }) => (
        <circle key={x} cx={x} cy={y} r={3}>
          <title>{fill(figureWords.spanRate, { span: nameOfSpan(span), rate })}</title>
        </circle>
      ))}
    </g>
  ));
}
