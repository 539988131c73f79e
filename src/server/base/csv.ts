/** Reads CSV (RFC 4180): quoted cells, and line ends of any system. A byte order mark is ignored. */

export type CsvRow = {
  /** The line of the file on which the row begins, from 1. */
  line: number;
  cells: string[];
};

/** Returns the rows that are not empty. If a quoted cell does not end, or text follows it, throws an error with the line. */
export function readCsv(file: string): CsvRow[] {
  const text = file.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const rows: CsvRow[] = [];
  let row: CsvRow = { line: 1, cells: [] };
  let line = 1;
  for (let at = 0; at <= text.length; ) {
    let cell: string;
    if (text[at] === '"') {
      // With a quote too many in a large file, an alternation for each character, `([^"]|"")*`, would exceed the stack.
      const quoted = /"([^"]*(?:""[^"]*)*)"/y;
      quoted.lastIndex = at;
      const found = quoted.exec(text);
      if (!found) throw new Error(`Line ${line}: a quoted cell does not end.`);
      cell = found[1]!.replaceAll('""', '"');
      line += cell.split('\n').length - 1;
      at = quoted.lastIndex;
    } else {
      const plain = /[^,\n]*/y;
      plain.lastIndex = at;
      cell = plain.exec(text)![0];
      at = plain.lastIndex;
    }
    row.cells.push(cell);
    if (text[at] === ',') {
      at++;
      continue;
    }
    if (at < text.length && text[at] !== '\n') throw new Error(`Line ${line}: text follows a quoted cell.`);
    if (row.cells.some(value => value !== '')) rows.push(row);
    at++;
    line++;
    row = { line, cells: [] };
  }
  return rows;
}
