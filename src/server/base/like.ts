/** Patterns for SQL `LIKE`. */

/** Returns the pattern that matches every text containing `text`. Escapes `%`, `_` and `\` in `text`. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/** Like `containing`, for account numbers: ignores the spaces and dashes in a number or IBAN that was typed in groups. */
export function containingNumber(text: string): string {
  const joined = text.replace(/[\s-]/g, '');
  return containing(/^([A-Z]{2})?\d[\dA-Z]*$/i.test(joined) ? joined : text);
}
