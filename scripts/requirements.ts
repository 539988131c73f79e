/**
 * Which tests prove which row of `docs/requirements.md`. A test names its rows at the end of its title, `[L-14, ST-02]` or
 * `[S-01 to S-14]`. `npm run requirements` prints the matrix; `tests/requirements.test.ts` fails where it has gaps.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';
import { readCommandLine, refuseCommandLine } from '#server/commands/commandLine.ts';
import { listFiles } from './listFiles.ts';

const usage = `Usage:
  npm run requirements                    prints every requirement with the tests that prove it, and a count
  npm run requirements -- M-34 ST-02      prints these rows only
  npm run requirements -- --missing       prints only the rows without a test

Exits with status 1 if a row has no test, or if the titles and the list do not agree.
`;

const root = fileURLToPath(new URL('..', import.meta.url));

/** `proof` says what the list expects: a test, a check by hand, or nothing for a row that was withdrawn. */
export type Requirement = {
  id: string;
  area: string;
  sentence: string;
  proof: 'test' | 'by hand' | 'withdrawn';
};
/** A title that names rows. Tests made from a table have one common title, in which computed parts are `…`. */
export type Title = { file: string; title: string; ids: string[] };
export type Row = Requirement & { titles: Title[] };

const isMissing = ({ proof, titles }: Row) => proof === 'test' && titles.length === 0;

/** The rows of the list, and each line that looks like a row but is not one. */
export function readList(markdown: string): { requirements: Requirement[]; problems: string[] } {
  const requirements: Requirement[] = [];
  const problems: string[] = [];
  let section = '';
  let area = '';
  // A row continues in indented lines.
  for (const line of markdown.replace(/\n +/g, ' ').split('\n')) {
    const [, level, heading] = /^(##|###) (.+)$/.exec(line) ?? [];
    if (level === '##') section = heading!;
    if (heading !== undefined) area = level === '##' ? section : `${section}, ${heading}`;
    if (!/^\s*[-*] /.test(line)) continue;
    const [, id, sentence] = /^- \*\*([A-Z]{1,2}-\d{2,3})\*\* (.+)$/.exec(line) ?? [];
    if (id === undefined || sentence === undefined) {
      problems.push(`docs/requirements.md has a line that is no row: ${line}`);
      continue;
    }
    if (requirements.some(row => row.id === id)) problems.push(`docs/requirements.md has ${id} twice`);
    const proof = sentence.startsWith('*Withdrawn')
      ? 'withdrawn'
      : /\*Checked by hand: .+\*$/.test(sentence)
        ? 'by hand'
        : 'test';
    requirements.push({ id, area, sentence, proof });
  }
  return { requirements, problems };
}

type Node = { type: string; [key: string]: unknown };

/** The text of a string or of a template, with `…` for its computed parts. Undefined for other nodes. */
function textOf(node: Node): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type !== 'TemplateLiteral') return undefined;
  const texts = (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked);
  return texts.join('…');
}

/** Every string and template of a source file, in order, without those in comments. */
function listTexts(file: string, source: string): string[] {
  const texts: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    else if (typeof node === 'object' && node !== null && 'type' in node) {
      const text = textOf(node as Node);
      if (text !== undefined) texts.push(text);
      Object.values(node).forEach(visit);
    }
  };
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]!.message}`);
  visit(program);
  return texts;
}

const idList = /^[A-Z]{1,2}-\d{2,3}((, | to )[A-Z]{1,2}-\d{2,3})*$/;

/** `L-14, S-01 to S-03` as single ids. */
function expandIds(list: string): string[] {
  return list.split(', ').flatMap(part => {
    const [first = '', last] = part.split(' to ');
    if (last === undefined) return [first];
    const [group, from] = first.split('-') as [string, string];
    const count = Number(last.split('-')[1]) - Number(from) + 1;
    if (!last.startsWith(`${group}-`) || count < 2) return [part];
    return Array.from({ length: count }, (_, at) => `${group}-${String(Number(from) + at).padStart(2, '0')}`);
  });
}

/** The test titles of a file that end with the ids of rows, as in [L-14, ST-02]. `problems`: texts with ids in another form. */
export function readTitles(file: string, source: string): { titles: Title[]; problems: string[] } {
  const titles: Title[] = [];
  const problems: string[] = [];
  const texts = listTexts(file, source);
  // A title of `test.each` can end in [${ids}]. Its ids are then strings in the same file.
  const computed = texts.find(text => text.endsWith(' […]'));
  for (const text of texts) {
    const [, title = '', rows = ''] = /^(.*) \[([^\]]*)\]$/s.exec(text) ?? [];
    if (idList.test(rows)) titles.push({ file, title, ids: expandIds(rows) });
    else if (computed !== undefined && idList.test(text))
      titles.push({ file, title: computed.slice(0, -' […]'.length), ids: expandIds(text) });
    else if (/\[[A-Z]{1,2}[- ]?\d/.test(text))
      problems.push(`${file} names rows, but not as in [L-14, ST-02] at the end of a title: ${text}`);
  }
  return { titles, problems };
}

/** Each row with its titles. `problems`: where the list and the titles do not agree. */
export function match(
  requirements: readonly Requirement[],
  titles: readonly Title[],
): { rows: Row[]; problems: string[] } {
  const rows = new Map(requirements.map(row => [row.id, { ...row, titles: [] as Title[] }]));
  const problems: string[] = [];
  for (const title of titles) {
    for (const id of title.ids) {
      const row = rows.get(id);
      if (!row) problems.push(`${id} is no row of docs/requirements.md: ${title.file}: ${title.title}`);
      else if (row.proof === 'withdrawn')
        problems.push(`${id} is withdrawn, but proved: ${title.file}: ${title.title}`);
      else if (!row.titles.some(other => other.file === title.file && other.title === title.title))
        row.titles.push(title);
    }
  }
  for (const row of rows.values()) {
    const { id, proof, sentence, titles: found } = row;
    if (isMissing(row)) problems.push(`${id} has no test: ${sentence}`);
    if (proof === 'by hand' && found.length > 0)
      problems.push(`${id} is marked as checked by hand, but ${found[0]!.file} proves it`);
  }
  return { rows: [...rows.values()], problems };
}

/** The list and the titles of this checkout. */
export function readMatrix(): { rows: Row[]; problems: string[] } {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const list = readList(read('docs/requirements.md'));
  const files = listFiles(root)
    .filter(path => /\.(test|spec)\.tsx?$/.test(path))
    // The samples in this file name rows that do not exist.
    .filter(path => path !== 'tests/requirements.test.ts');
  const found = files.map(path => readTitles(path, read(path)));
  const matched = match(
    list.requirements,
    found.flatMap(({ titles }) => titles),
  );
  return {
    rows: matched.rows,
    problems: [...list.problems, ...found.flatMap(({ problems }) => problems), ...matched.problems],
  };
}

function print(rows: readonly Row[]): void {
  let area = '';
  for (const row of rows) {
    if (row.area !== area) process.stdout.write(`\n${row.area}\n`);
    area = row.area;
    process.stdout.write(`\n  ${row.id}  ${row.sentence}\n`);
    for (const { file, title } of row.titles) process.stdout.write(`        ${file}: ${title}\n`);
    if (isMissing(row)) process.stdout.write('        NO TEST\n');
  }
}

function printMatrix(wanted: readonly string[], onlyMissing = false): void {
  const { rows, problems } = readMatrix();
  if (onlyMissing) print(rows.filter(isMissing));
  else print(wanted.length === 0 ? rows : rows.filter(({ id }) => wanted.includes(id)));
  const count = (proof: Requirement['proof']) => rows.filter(row => row.proof === proof).length;
  const missing = rows.filter(isMissing).length;
  const titles = new Set(rows.flatMap(row => row.titles.map(({ file, title }) => `${file}: ${title}`)));
  process.stdout.write(
    `\n${rows.length} rows: ${count('test') - missing} proved by ${titles.size} tests, ${count('by hand')} checked by hand, ` +
      `${count('withdrawn')} withdrawn, ${missing} without a test.\n`,
  );
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = readCommandLine(usage, {
    allowPositionals: true,
    options: { missing: { type: 'boolean' } },
  });
  if (!positionals.every(one => /^[A-Z]{1,2}-\d{2,3}$/.test(one))) refuseCommandLine(usage);
  printMatrix(positionals, values.missing);
}
