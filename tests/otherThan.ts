/** A six-digit code that differs from this one; up to a million steps lead to different codes. */
export const otherThan = (code: string, step = 1): string =>
  String((Number(code) + step) % 1_000_000).padStart(6, '0');
