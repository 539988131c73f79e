/** Formats a failure for `npm test`: its name, the start of its message, and the command that runs it again. */
import { stripVTControlCharacters } from 'node:util';

/** `file` is the test file it is in, if any; `again` is the command that runs only that test, file or part. */
export type Failure = { name: string; why: string; file?: string | undefined; again: string };

const maxLines = 20;
const foreignFrame = /^\s+at .*(node_modules|node:|<anonymous>)/;

export function describeFailure({ name, why, again }: Failure, verdict = 'FAILED'): string {
  const lines = stripVTControlCharacters(why)
    .split('\n')
    .filter(line => line.trim() !== '' && !foreignFrame.test(line))
    .slice(0, maxLines);
  return [
    `${verdict} ${name}`,
    ...lines.map(line => `    ${line.slice(0, 240)}`),
    `    Run it again: ${again}`,
  ].join('\n');
}

/** The command that runs one test file, or one of its tests, with the same runner. */
export function commandFor(file?: string, title?: string): string {
  if (file === undefined) return 'npm test';
  return `npm test -- ${quote(file)}${title === undefined ? '' : ` -t ${quote(title)}`}`;
}

/** Quotes an argument for a POSIX shell. */
function quote(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The last lines of a long output. */
export function endOf(output: string): string {
  return output.trimEnd().split('\n').slice(-maxLines).join('\n');
}
