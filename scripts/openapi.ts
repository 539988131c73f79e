/**
 * The reviewed copy of the OpenAPI document, `tests/openapi.json`: a change of the contract shows up there as lines that a
 * reviewer reads. `npm run openapi` prints how the document differs from the copy, `npm run openapi -- --update` rewrites it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { diff } from 'node:util';
import { areas } from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { readCommandLine } from '#server/commands/commandLine.ts';
import { describeApi } from '#server/http/openapi.ts';

const usage = `Usage:
  npm run openapi               prints how the document differs from tests/openapi.json; ends with 1 if it does
  npm run openapi -- --update   rewrites tests/openapi.json
`;

const copy = join(fileURLToPath(new URL('..', import.meta.url)), 'tests', 'openapi.json');
const lineWidth = 110;
const contextLines = 3;
const maxDifferenceLines = 200;

/** The guards of a call, which are not in the served document. The copy has them, so that a reviewer sees a removed guard. */
const guards = [
  'whilePending',
  'whileEnrolling',
  'notWhileFrozen',
  'checkedByLedger',
  'outsidePersonLimit',
  'readsHistory',
  'findsReceiver',
  'usesDeviceCookie',
  'recognizesCustomer',
  'quota',
  'addressQuota',
] as const satisfies (keyof Endpoint)[];

/** The document as JSON: keys sorted, and a value on one line where it fits. The order of declarations does not matter. */
export function renderDocument(): string {
  const document = JSON.parse(JSON.stringify(describeApi('http://localhost:3000')));
  for (const endpoint of Object.values(areas).flatMap(api => Object.values<Endpoint>(api))) {
    const set = guards.flatMap(name => (endpoint[name] === undefined ? [] : [[name, endpoint[name]]]));
    if (set.length > 0)
      document.paths[endpoint.path][endpoint.method.toLowerCase()].guards = Object.fromEntries(set);
  }
  return `${print(document, '', 0)}\n`;
}

export const readCopy = () => readFileSync(copy, 'utf8');

function print(value: unknown, indent: string, taken: number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map(item => print(item, inner, 0))
    : Object.entries(value)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, item]) => `${JSON.stringify(key)}: ${print(item, inner, key.length + 4)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const flat = `${open} ${parts.join(', ')} ${close}`;
  if (parts.length === 0) return open + close;
  if (!flat.includes('\n') && indent.length + taken + flat.length < lineWidth) return flat;
  return `${open}\n${parts.map(part => inner + part).join(',\n')}\n${indent}${close}`;
}

/** The lines that differ, each below the call it belongs to, and then what to do. Empty if both texts are equal. */
export function findDifference(reviewed: string, current: string): string {
  if (reviewed === current) return '';
  const lines = diff(current.split('\n'), reviewed.split('\n'));
  const isNear = (at: number) =>
    lines.slice(Math.max(0, at - contextLines), at + contextLines + 1).some(([operation]) => operation !== 0);
  const printed: string[] = [];
  let place = '';
  let printedPlace = '';
  for (const [at, [operation, line]] of lines.entries()) {
    const path = /^ {4}"(\/[^"]*)"/.exec(line)?.[1];
    const method = /^ {6}"(get|post|put|delete)"/.exec(line)?.[1];
    if (path !== undefined) place = path;
    else if (method !== undefined) place = `${method.toUpperCase()} ${place.split(' ').at(-1)}`;
    if (!isNear(at)) continue;
    if (place !== printedPlace) printed.push(`@ ${place}`);
    printedPlace = place;
    printed.push(`${operation === 0 ? ' ' : operation > 0 ? '+' : '-'} ${line}`);
  }
  const more = printed.length - maxDifferenceLines;
  return [
    'The OpenAPI document is not the reviewed one (- tests/openapi.json, + the contract):',
    ...printed.slice(0, maxDifferenceLines),
    ...(more > 0 ? [`… and ${more} more lines`] : []),
    'If the change is intended, run `npm run openapi -- --update` and commit tests/openapi.json.',
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = readCommandLine(usage, { options: { update: { type: 'boolean' } } });
  if (values.update) {
    writeFileSync(copy, renderDocument());
    process.stdout.write('tests/openapi.json is written.\n');
  } else {
    const difference = findDifference(readCopy(), renderDocument());
    process.stdout.write(`${difference || 'The OpenAPI document is the reviewed one.'}\n`);
    process.exitCode = difference === '' ? 0 : 1;
  }
}
