/** Reads server-sent events (WHATWG HTML, 9.2.6) from the pieces in which a line delivers them, as far as the bank sends them. */

/** One event: its name ('message' where it has none) and its data. */
export type StreamEvent = { event: string; data: string };

/** Gives a function that takes the text as it comes, in pieces of any size, and calls `onEvent` for each event that is whole. */
export function readEvents(onEvent: (event: StreamEvent) => void): (piece: string) => void {
  let rest = '';
  let name = '';
  let data: string[] = [];

  const take = (line: string): void => {
    if (line === '') {
      if (data.length > 0) onEvent({ event: name || 'message', data: data.join('\n') });
      name = '';
      data = [];
      return;
    }
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line)!;
    if (field === 'event') name = value;
    if (field === 'data') data.push(value);
  };

  return piece => {
    rest += piece;
    // A carriage return at the very end may be the first half of a line's end.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop()!;
    for (const line of lines) take(line);
  };
}
