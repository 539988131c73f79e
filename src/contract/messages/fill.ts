/** Puts values into the sentences of this folder. */

/** Replaces a sentence's {placeholders} with values; a placeholder without a value stays as it is. */
export function fill(sentence: string, values: Record<string, string | number>): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
