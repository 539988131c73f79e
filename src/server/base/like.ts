/** Patterns for SQL `LIKE`. */

/** Returns the pattern that matches every text containing `text`; `%`, `_` and `\` in it are escaped. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
