/** Long texts as streams, written while their rows are read, so memory does not grow with the text. */
import { Readable } from 'node:stream';

/** Lines are joined up to this many characters, because a chunk per row would cost more than its text. */
const pieceLength = 32_768;

/** The text of all rows between `begin` and `end`. Nothing more is read once the client has disconnected. */
export function streamText<Row>(
  rows: AsyncIterable<Row>,
  { begin, line, end = '' }: { begin: string; line: (row: Row) => string; end?: string },
): Readable {
  async function* write(): AsyncGenerator<string> {
    let piece = begin;
    for await (const row of rows) {
      piece += line(row);
      if (piece.length < pieceLength) continue;
      yield piece;
      piece = '';
    }
    yield piece + end;
  }
  return Readable.from(write(), { objectMode: false });
}
