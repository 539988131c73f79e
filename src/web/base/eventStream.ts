/** Parses the subset of server-sent events (WHATWG HTML, 9.2.6) that the bank sends, from text chunks of any size. */

/** One event: its name (default 'message') and its data. */
export type StreamEvent = { event: string; data: string };

/** Returns a function that accepts text chunks of any size and calls `onEvent` for each complete event. */
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
    // A carriage return at the very end may be the first half of a CRLF.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop()!;
    for (const line of lines) take(line);
  };
}
