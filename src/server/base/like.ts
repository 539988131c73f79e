/** Patterns for SQL `LIKE`. */

/** Returns the pattern that matches every text containing `text`. Escapes `%`, `_` and `\` in `text`. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
