/**
 * Reads a sanctions list from a CSV file with the columns `id`, `name`, `aliases` (separated by semicolons), `date_of_birth`
 * and `program`, in any order. Other columns are ignored. The error for a mistake names the line.
 */
import { readCsv } from '../base/csv.ts';
import { foldName } from './nameMatching.ts';
import type { ListEntry } from './sanctionsList.ts';

const columns = ['id', 'name', 'aliases', 'date_of_birth', 'program'] as const;
type Column = (typeof columns)[number];

/** Whether a text is an existing day, month or year, or empty. */
function isDateOfBirth(text: string): boolean {
  if (!/^(\d{4}(-\d{2}){0,2})?$/.test(text)) return false;
  const day = `${text || '1970'}-01-01`.slice(0, 10);
  const date = new Date(day);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

const maxCell = 2000;

/** The entries of the file; none if it has only the names of the columns. Throws at the first mistake. */
export function readSanctionsFile(text: string): ListEntry[] {
  const [head, ...rows] = readCsv(text);
  const places = new Map(head?.cells.map((name, place) => [name.trim().toLowerCase(), place]));
  const missing = columns.filter(name => !places.has(name));
  if (missing.length > 0)
    throw new Error(
      `Line 1: these columns are missing: ${missing.join(', ')}. The first line names the columns.`,
    );
  const known = new Set<string>();
  return rows.map(({ line, cells }) => {
    const cell = (name: Column) => (cells[places.get(name)!] ?? '').trim();
    const problem = (what: string) => new Error(`Line ${line}: ${what}`);
    const entry = {
      id: cell('id'),
      name: cell('name'),
      aliases: cell('aliases')
        .split(';')
        .map(alias => alias.trim())
        .filter(alias => foldName(alias) !== ''),
      dateOfBirth: cell('date_of_birth'),
      program: cell('program'),
    };
    if (cells.some(value => value.length > maxCell || value.includes('\0')))
      throw problem(`a cell is longer than ${maxCell} characters, or is not text.`);
    if (!/^[\w.:/-]{1,60}$/.test(entry.id))
      throw problem('the id must have 1 to 60 letters, digits or . : / - _');
    if (known.has(entry.id)) throw problem(`the id ${entry.id} is there twice.`);
    if (foldName(entry.name) === '') throw problem('the name is missing.');
    if (!isDateOfBirth(entry.dateOfBirth))
      throw problem('the date of birth must be YYYY-MM-DD, YYYY-MM, YYYY or empty.');
    known.add(entry.id);
    return entry;
  });
}
