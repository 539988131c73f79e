/** Lists of the back office as CSV files (RFC 4180), written while they are read: memory does not grow with a file. */
import { Readable } from 'node:stream';
import { bank } from '#contract/constants.ts';
import type { SavedFile } from '../http/serve.ts';
import { cell } from './exports/csv.ts';

/** Rows are joined up to this many characters, because a chunk per row would cost more than its text. */
const pieceLength = 32_768;

const line = (cells: readonly string[]) => `${cells.map(cell).join(',')}\r\n`;

/** A file with one line per row. `name` has only letters, digits and hyphens. */
export function writeCsv<Row>(
  name: string,
  columns: readonly string[],
  rows: AsyncGenerator<Row>,
  toCells: (row: Row) => readonly string[],
): SavedFile {
  async function* write(): AsyncGenerator<string> {
    // Excel reads a file as UTF-8 only if it starts with a byte order mark.
    let piece = `\uFEFF${line(columns)}`;
    for await (const row of rows) {
      piece += line(toCells(row));
      if (piece.length < pieceLength) continue;
      yield piece;
      piece = '';
    }
    yield piece;
  }
  return {
    name: `${bank.shortName.toLowerCase()}-${name}.csv`,
    contentType: 'text/csv; charset=utf-8',
    content: Readable.from(write()),
  };
}
