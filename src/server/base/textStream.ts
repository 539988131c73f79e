/** Streams a long text while its rows are read, so that memory does not grow with the text. */
import { Readable } from 'node:stream';

/** Lines are joined into chunks of at least this many characters: a chunk for each row would cost more than the row's text. */
const pieceLength = 32_768;

/** Streams `begin`, the line of each row, and `end`. Stops reading rows when the client disconnects. */
export function streamText<Row>(
  rows: AsyncIterable<Row> | Iterable<Row>,
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
