/** A six-digit code other than `code`. Each `step` below a million gives a different one. */
export const otherThan = (code: string, step = 1): string =>
  String((Number(code) + step) % 1_000_000).padStart(6, '0');
