/** Reading CSV files. */
import { expect, test } from 'vitest';
import { readCsv } from './csv.ts';

test('cells may be quoted, with commas, quotes and line breaks in them, and empty lines are skipped [SX-02]', () => {
  const rows = readCsv('\uFEFFid,name\r\n1,"Petrov, Ivan"\r\n\r\n2,"The ""Bear""\nof Omsk"\n3,\n');
  expect(rows).toEqual([
    { line: 1, cells: ['id', 'name'] },
    { line: 2, cells: ['1', 'Petrov, Ivan'] },
    { line: 4, cells: ['2', 'The "Bear"\nof Omsk'] },
    { line: 6, cells: ['3', ''] },
  ]);
});

test.each([
  ['a,b\n"c,d', 'Line 2: a quoted cell does not end.'],
  [`a\n"${'b'.repeat(16_000_000)}`, 'Line 2: a quoted cell does not end.'],
  ['"a"b,c', 'Line 1: text follows a quoted cell.'],
])('a malformed file is refused, and the error names the line [SX-02]', (text, message) => {
  expect(() => readCsv(text)).toThrow(message);
});
