/** Lists of the back office as CSV files (RFC 4180). */
import { bank } from '#contract/constants.ts';
import { streamText } from '../base/textStream.ts';
import type { SavedFile } from '../http/serve.ts';
import { cell } from './exports/csv.ts';

const line = (cells: readonly string[]) => `${cells.map(cell).join(',')}\r\n`;

/** A file with one line per row. `name` has only letters, digits and hyphens. */
export function writeCsv<Row>(
  name: string,
  columns: readonly string[],
  rows: AsyncGenerator<Row>,
  toCells: (row: Row) => readonly string[],
): SavedFile {
  return {
    name: `${bank.shortName.toLowerCase()}-${name}.csv`,
    contentType: 'text/csv; charset=utf-8',
    // Excel reads a file as UTF-8 only if it starts with a byte order mark.
    content: streamText(rows, { begin: `\uFEFF${line(columns)}`, line: row => line(toCells(row)) }),
  };
}
