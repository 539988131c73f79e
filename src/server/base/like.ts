/** Patterns for SQL's LIKE. */

/** The pattern that matches every text containing `text`; `%`, `_` and `\` in it match themselves. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
