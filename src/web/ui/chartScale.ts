/** What all charts share: the ticks of a scale, and the outline of a bar. */

/** A scale's two ticks above zero: round steps, neither above `max`; empty if `max` is too small. `whole`: only integers. */
export function ticksUnder(max: number, whole = false): number[] {
  const step = whole ? Math.floor(roundStep(max)) : roundStep(max);
  return step === 0 ? [] : [step, step * 2];
}

function roundStep(max: number): number {
  if (max < 0.02) return 0;
  const power = 10 ** Math.floor(Math.log10(max / 2));
  const round = [5, 4, 3, 2.5, 2, 1.5, 1].find(times => times * power * 2 <= max) ?? 1;
  return round * power;
}

/** The outline of a bar that extends from `base` upward (`up`) or downward. Its far end is rounded by 2 px. */
export function barPath(x: number, base: number, width: number, length: number, up: boolean): string {
  if (length <= 0) return '';
  const away = up ? -1 : 1;
  const bend = Math.min(2, length);
  const straight = (length - bend) * away;
  return `M${x} ${base}v${straight}q0 ${bend * away} ${bend} ${bend * away}h${width - bend * 2}q${bend} 0 ${bend} ${-bend * away}v${-straight}z`;
}
