/**
 * `npm test` runs everything except the cluster drills: the checks, the build, the unit and server tests on a real PostgreSQL,
 * the faults, and the journeys in a real browser. `npm test -- <file> … [-t <name>]` runs just those test files, or the tests
 * in them whose name contains the text.
 *
 * The checks run in parallel with everything else. The faults, and after them the journeys, run in parallel with the unit and
 * server tests, because all of these often wait. After a whole run, the files of up to five failures run once more, alone.
 * Failed tests that pass then are reported as UNSTEADY; tests that fail only then are failures. If there are more failures,
 * nothing is retried. Tests of the ledger, transfers, the database, jobs and faults are never retried, and are not among the
 * five. The last line is `N passed, N failed`. A run without a single test fails too.
 */
import { globSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCommandLine } from '#server/commands/commandLine.ts';
import { findOrInstallBrowser } from './browser.ts';
import { commandFor, describeFailure, endOf, type Failure } from './test/failures.ts';
import { type Ended, logs, runProgram } from './test/program.ts';
import { clock, newPart, openProgress, type Part, watchProcessors } from './test/progress.ts';
import { makeScratch } from './test/scratch.ts';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const scratch = makeScratch();
// Lets the hundred or so processes of a run share compiled code.
process.env.NODE_COMPILE_CACHE ??= join(scratch, 'compiled');
// Node strips the types of TypeScript itself, so Playwright need not compile the journeys and what they import.
process.env.PW_DISABLE_TS_ESM = '1';

/** Tests that are never retried: those of the ledger, transfers, the database, jobs and faults. */
const neverRetried = /^(src\/server\/(ledger|db|embedded|jobs|areas\/transfer)|tests\/faults)\b/;
/** If more of the other tests than this failed, none is retried: so many failures are not a coincidence. */
const maxRetried = 5;
/** How many of the slowest files are named at the end. */
const maxLongest = 5;

const startedAt = Date.now();
const busyPercent = watchProcessors();
const failures: Failure[] = [];
/** The names of the tests that passed and of the files that ran to their end. */
const succeeded = new Set<string>();
/** How long each file of tests took. */
const fileMs = new Map<string, number>();
const parts = {
  checks: newPart('Checks', 'checks'),
  build: newPart('Build'),
  units: newPart('Unit and server tests', 'files'),
  faults: newPart('Faults', 'files'),
  journeys: newPart('Journeys in a browser', 'journeys'),
};
const { positionals: named, values } = readCommandLine(
  `Usage: npm test                              runs every check and every test
       npm test -- <file> … [-t <name>]      runs these test files, or the tests in them whose name contains the text
`,
  { allowPositionals: true, options: { name: { type: 'string', short: 't' } } },
);
const isWhole = named.length === 0 && values.name === undefined;
const files = globSync(['src/**/*.test.{ts,tsx}', 'tests/**/*.{test,spec}.ts'])
  .filter(file => named.length === 0 || named.some(part => file.includes(part.replace(/^\.\//, ''))))
  .sort();
const isJourney = (file: string) => file.endsWith('.spec.ts');
const journeyFiles = files.filter(isJourney);
const unitFiles = files.filter(file => !isJourney(file));

function fail(part: Part, failure: Failure): void {
  part.failed++;
  failures.push(failure);
}

/** Runs a part's program. One that fails without a failed test, or passes nothing in a whole run, counts as one failure. */
async function runPart(part: Part, again: string, work: () => Promise<Ended>): Promise<void> {
  progress.begin(part);
  const { code, log } = await work();
  const isEmpty = isWhole && part.units !== undefined && part.passed === 0;
  if (part.failed === 0 && (code !== 0 || isEmpty)) {
    const why = `It ended with ${code}, and ${part.passed} passed. The end of ${log}:`;
    fail(part, { name: part.title, why: `${why}\n${endOf(readFileSync(log, 'utf8'))}`, again });
  }
  progress.end(part);
}

function check(): Promise<void> {
  const again = 'npm run check';
  return runPart(parts.checks, again, () =>
    runTests(parts.checks, 'checks', ['node', 'scripts/check.ts', '--static'], again),
  );
}

function build(): Promise<void> {
  return runPart(parts.build, 'npm run build', () =>
    runProgram('build', ['node', 'scripts/build.ts', '--if-changed']),
  );
}

/** Runs a program that reports test events and counts them in the part. `again` replaces the command that repeats a failure. */
function runTests(
  part: Part,
  logName: string,
  command: [string, ...string[]],
  again?: string,
): Promise<Ended> {
  return runProgram(logName, command, {
    onEvent(event) {
      if (event.kind === 'planned') part.total = event.units;
      else if (event.kind === 'unit done') {
        part.done++;
        if (event.file === undefined) return;
        succeeded.add(event.file);
        fileMs.set(event.file, (fileMs.get(event.file) ?? 0) + (event.ms ?? 0));
      } else {
        const { file, title } = event;
        const name = [file ?? part.title, title].filter(Boolean).join(' > ');
        if (event.kind === 'passed') {
          part.passed++;
          succeeded.add(name);
          return;
        }
        const { why } = event;
        fail(part, { name, why, file, again: again ?? commandFor(file, title) });
      }
    },
  });
}

const escapePattern = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

function runUnits(part: Part, logName: string, args: string[]): Promise<void> {
  const pattern = values.name === undefined ? [] : ['-t', escapePattern(values.name)];
  return runPart(part, 'npm test', () => runTests(part, logName, ['vitest', 'run', ...args, ...pattern]));
}

async function runJourneys(): Promise<void> {
  const part = parts.journeys;
  if (browser && 'missing' in browser) {
    progress.begin(part);
    fail(part, { name: part.title, why: browser.missing, again: 'npm test -- tests/e2e' });
    progress.end(part);
    return;
  }
  // Playwright joins the names of a test and its groups with a space.
  const pattern = values.name === undefined ? [] : ['-g', escapePattern(values.name.replaceAll(' > ', ' '))];
  await runPart(part, 'npm test -- tests/e2e', () =>
    runTests(part, 'journeys', ['playwright', 'test', ...(isWhole ? [] : journeyFiles), ...pattern]),
  );
}

/**
 * Retries the files of a few failed tests, alone. Failed tests that pass now are reported and count as passed; tests that fail
 * only now count as failed. Returns the change in the number of passed tests.
 */
async function retry(): Promise<number> {
  const doubtful = failures.filter(({ file }) => file !== undefined && !neverRetried.test(file));
  if (doubtful.length === 0 || doubtful.length > maxRetried) return 0;
  const retried = [...new Set(doubtful.map(({ file }) => file!))];
  process.stdout.write(`\nA second time, alone: ${retried.join(', ')}\n`);
  const [units, journeys] = [retried.filter(file => !isJourney(file)), retried.filter(isJourney)];
  const commands: [string, ...string[]][] = [];
  if (units.length > 0) commands.push(['vitest', 'run', ...units]);
  if (journeys.length > 0)
    commands.push(['playwright', 'test', ...journeys, '--output', 'test-results/second-time']);
  const failedFirst = failures.splice(0);
  const passedFirst = new Set(succeeded);
  succeeded.clear();
  for (const command of commands)
    await runTests(newPart('Second time'), `second-time-${command[0]}`, command);
  const failedAgain = failures.splice(0);
  const isAmong = (list: Failure[], name: string) => list.some(failure => failure.name === name);
  const unsteady = doubtful.filter(({ name }) => succeeded.has(name) && !isAmong(failedAgain, name));
  for (const failure of unsteady)
    process.stdout.write(`\n${describeFailure(failure, 'UNSTEADY, passed alone:')}\n`);
  const failedOnlyNow = failedAgain.filter(({ name }) => !isAmong(failedFirst, name));
  failures.push(
    ...failedFirst.filter(failure => !unsteady.includes(failure)),
    ...failedOnlyNow.map(failure => ({ ...failure, why: `Only the second time.\n${failure.why}` })),
  );
  return (
    unsteady.length - failedOnlyNow.filter(({ name, file }) => name !== file && passedFirst.has(name)).length
  );
}

const needsBuild = files.some(file => /^(tests|src\/server)\//.test(file));
const shown = isWhole
  ? Object.values(parts)
  : [
      ...(needsBuild ? [parts.build] : []),
      ...(unitFiles.length > 0 ? [parts.units] : []),
      ...(journeyFiles.length > 0 ? [parts.journeys] : []),
    ];
const browser = journeyFiles.length > 0 ? await findOrInstallBrowser() : undefined;
if (browser && 'path' in browser) process.env.BROWSER_PATH = browser.path;
rmSync(logs, { recursive: true, force: true });
process.stdout.write(`The output of every part goes to ${logs}/.\n\n`);
const progress = openProgress(shown);
if (isWhole) {
  const checked = check();
  await build();
  await Promise.all([
    checked,
    runUnits(parts.units, 'tests', ['--project', '!faults']),
    runUnits(parts.faults, 'faults', ['--project', 'faults']).then(runJourneys),
  ]);
} else {
  if (needsBuild) await build();
  if (unitFiles.length > 0) await runUnits(parts.units, 'tests', unitFiles);
  if (journeyFiles.length > 0) await runJourneys();
}
progress.close();
const changed = isWhole ? await retry() : 0;
rmSync(scratch, { recursive: true, force: true });

const passed = changed + Object.values(parts).reduce((sum, part) => sum + part.passed, 0);
if (passed === 0 && failures.length === 0) {
  const why = `No test ran: ${named.join(' ')} ${values.name ?? ''}`;
  failures.push({ name: 'npm test', why, again: 'npm test' });
}
process.stdout.write(`\n${failures.map(failure => `${describeFailure(failure)}\n\n`).join('')}`);
const took = `It took ${clock(Date.now() - startedAt)}, with the processors ${busyPercent()} % busy.`;
process.stdout.write(`${took} The output of every part is in ${logs}/.\n`);
const longest = [...fileMs].sort(([, a], [, b]) => b - a).slice(0, maxLongest);
if (longest.length > 0)
  process.stdout.write(
    `The longest files: ${longest.map(([file, ms]) => `${file} ${clock(ms)}`).join(', ')}\n`,
  );
process.stdout.write(`${passed} passed, ${failures.length} failed\n`);
process.exitCode = failures.length === 0 ? 0 : 1;
