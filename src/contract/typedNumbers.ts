/**
 * Converts numbers that people type or paste into the format that the calls take. A text that is not such a number keeps its
 * letters, so that validation refuses it.
 */

/** Spaces, dashes of every kind, periods, parentheses, and the invisible direction marks that copying adds. */
const separators = /[\s\p{Pd}.()\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** `4821-0937 5527` as `482109375527`. */
export function plainNumber(text: string): string {
  return text.replace(separators, '');
}

/** `(212) 555-0188` and `+1 212 555 0188` as `2125550188`. */
export function plainPhone(text: string): string {
  const plain = plainNumber(text);
  return /^\+?1\d{10}$/.test(plain) ? plain.slice(-10) : plain;
}

/** `2125550188` as `(212) 555-0188`; any other text is returned unchanged. */
export function formatPhone(text: string): string {
  return text.replace(/^(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3');
}
