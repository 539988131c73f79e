/** A chart's hairlines, each with its amount at the left edge. */
export type ChartLinesProps = { lines: readonly { y: number; text: string }[]; left: number; right: number };

export function ChartLines({ lines, left, right }: ChartLinesProps) {
  return lines.map(({ y, text }) => (
    <g key={y}>
      <path className="ChartFrame-line" d={`M${left} ${y}H${right}`} />
      <text className="ChartFrame-tick" x={0} y={y + 4}>
        {text}
      </text>
    </g>
  ));
}
