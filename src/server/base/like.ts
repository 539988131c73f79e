/** Searching by a part of a text. */

/** The LIKE pattern for "contains this text"; `%`, `_` and `\` in it mean themselves. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
