/** What every drawing of figures agrees on: round steps of its hairlines, amounts in short, the outline of a bar. */
import { bank } from '#contract/constants.ts';

/** What the two hairlines of a scale from zero stand for: round steps of which two fit under `most`; none where there is nothing to measure. */
export function hairlinesUnder(most: number, whole = false): number[] {
  const step = whole ? Math.floor(roundStep(most)) : roundStep(most);
  return step === 0 ? [] : [step, step * 2];
}

function roundStep(most: number): number {
  if (most < 0.02) return 0;
  const power = 10 ** Math.floor(Math.log10(most / 2));
  const round = [5, 4, 3, 2.5, 2, 1.5, 1].find(times => times * power * 2 <= most) ?? 1;
  return round * power;
}

const compact = new Intl.NumberFormat(bank.locale, { notation: 'compact', maximumFractionDigits: 2 });

/** Dollars in the room of a chart's edge: `$2,500`, `$12.5K`, `−$1.2M`. */
export function shortDollars(dollars: number): string {
  const sign = dollars < 0 ? '−' : '';
  const size = Math.abs(dollars);
  if (size >= 10_000) return `${sign}$${compact.format(size)}`;
  return Number.isInteger(size)
    ? `${sign}$${size.toLocaleString(bank.locale)}`
    : `${sign}$${size.toFixed(2)}`;
}

const axisUnits = [
  { size: 1e9, sign: 'B' },
  { size: 1e6, sign: 'M' },
  { size: 1e3, sign: 'K' },
] as const;

/** The amounts along one axis, all in the way the largest asks for: `$5K` under `$10K`, `$0.50` under `$1.00`. */
export function axisDollars(amounts: readonly number[]): string[] {
  const most = Math.max(...amounts, 0);
  const unit = most >= 10_000 && axisUnits.find(({ size }) => most >= size);
  if (unit) return amounts.map(amount => `$${(amount / unit.size).toLocaleString(bank.locale)}${unit.sign}`);
  const minimumFractionDigits = amounts.every(Number.isInteger) ? 0 : 2;
  return amounts.map(amount => `$${amount.toLocaleString(bank.locale, { minimumFractionDigits })}`);
}

/** The bar's outline from its base, with the far end rounded by 2 px: `up` from the base, else down. */
export function barPath(x: number, base: number, width: number, length: number, up: boolean): string {
  if (length <= 0) return '';
  const away = up ? -1 : 1;
  const bend = Math.min(2, length);
  const straight = (length - bend) * away;
  return `M${x} ${base}v${straight}q0 ${bend * away} ${bend} ${bend * away}h${width - bend * 2}q${bend} 0 ${bend} ${-bend * away}v${-straight}z`;
}
