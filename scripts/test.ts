/**
 * Runs every test there is: the checks, the unit and server tests on a real PostgreSQL, the faults, and the journeys in a
 * real browser. Two lines of work run side by side, for much of either is waiting. A few that failed in that crowd are run once
 * more alone, and told of if they pass then; never those about money. Failures are told again at the end, and the last line is
 * `N passed, N failed`; no test run at all is a failure too.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { readCommandLine } from '#server/commands/commandLine.ts';
import { findBrowser } from './browser.ts';
import { runChecks } from './check.ts';
import { type Failure, type Outcome, readPlaywright, readVitest, tell } from './test/reports.ts';

readCommandLine(`Usage: npm test

Runs every check and every test. Takes no options.
`);

const root = fileURLToPath(new URL('..', import.meta.url));
const reports = mkdtempSync(join(tmpdir(), 'larkspur-reports-'));
// Servers, commands and runners start some hundred processes with the same code in them.
process.env.NODE_COMPILE_CACHE ??= join(reports, 'compiled');

/** What may not fail even once: where money moves, and what the faults do to it. */
const strict = /src\/server\/(ledger|db|jobs|areas\/transfer)|tests\/faults\//;
/** More failures than these are no chance. */
const mostLookedAtAgain = 5;

let passed = 0;
const failures: Failure[] = [];
const startedAt = Date.now();

/** Counts a part of the tests. One that ended badly without naming a failure, or in which nothing passed, has failed itself. */
function count(title: string, outcome: Outcome, code: number | null): void {
  const unnamed = outcome.failures.length === 0 && (code !== 0 || outcome.passed === 0);
  const found = unnamed
    ? [{ name: title, why: `It ended with ${code}, and ${outcome.passed} passed. Its output stands above.` }]
    : outcome.failures;
  passed += outcome.passed;
  failures.push(...found);
  const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1);
  process.stdout.write(`\n${title}: ${outcome.passed} passed, ${found.length} failed (${minutes} minutes)\n`);
}

/** Runs a program of the packages to its end. Others speak meanwhile, so what it says is passed on by the line. */
function run(program: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<number | null> {
  const child = spawn(join(root, 'node_modules', '.bin', program), args, {
    cwd: root,
    stdio: ['inherit', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...(process.stdout.isTTY && !process.env.NO_COLOR ? { FORCE_COLOR: '1' } : {}),
      ...env,
    },
  });
  for (const stream of [child.stdout, child.stderr])
    createInterface(stream).on('line', line => process.stdout.write(`${line}\n`));
  return new Promise(resolve => {
    child.once('error', () => resolve(null));
    child.once('close', code => resolve(code));
  });
}

async function check(): Promise<void> {
  const checks = await runChecks();
  const bad = checks.filter(one => !one.passed);
  count(
    'Checks',
    {
      passed: checks.length - bad.length,
      failures: bad.map(({ name, output }) => ({ name, why: output })),
    },
    0,
  );
}

async function runVitest(args: string[]): Promise<{ outcome: Outcome; code: number | null }> {
  const file = join(reports, `${randomUUID()}.json`);
  const report = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const code = await run('vitest', ['run', ...args, ...report]);
  return { outcome: readVitest(file), code };
}

async function runUnits(title: string, project: string): Promise<void> {
  const { outcome, code } = await runVitest(['--project', project]);
  count(title, outcome, code);
}

async function runJourneys(): Promise<void> {
  const title = 'Journeys in a browser';
  const browser = await findBrowser();
  if ('missing' in browser) {
    count(title, { passed: 0, failures: [{ name: title, why: browser.missing }] }, 1);
    return;
  }
  process.env.BROWSER_PATH = browser.path;
  const { outcome, code } = await runPlaywright([]);
  count(title, outcome, code);
}

async function runPlaywright(args: string[]): Promise<{ outcome: Outcome; code: number | null }> {
  const file = join(reports, `${randomUUID()}.json`);
  const env = { PLAYWRIGHT_JSON_OUTPUT_NAME: file };
  const code = await run('playwright', ['test', '--reporter=list,json', ...args], env);
  return { outcome: readPlaywright(file), code };
}

/** Runs again, alone, the few that failed in the crowd. What passes now counts as passed, and is named. */
async function lookAgain(): Promise<void> {
  const doubtful = failures.filter(({ place }) => place !== undefined && !strict.test(place));
  if (doubtful.length === 0 || doubtful.length > mostLookedAtAgain) return;
  const places = [...new Set(doubtful.map(({ place = '' }) => place))];
  const journeys = places.filter(place => place.endsWith('.spec.ts'));
  const units = places.filter(place => !journeys.includes(place));
  process.stdout.write(`\nOnce more, alone: ${places.join(', ')}\n`);
  const looks = [
    ...(units.length > 0 ? [await runVitest(units)] : []),
    ...(journeys.length > 0 ? [await runPlaywright(journeys)] : []),
  ];
  // A run that did not come to its end says nothing about anybody.
  if (looks.some(({ outcome, code }) => code !== 0 && outcome.failures.length === 0)) return;
  const still = new Set(looks.flatMap(({ outcome }) => outcome.failures).map(({ name }) => name));
  for (const failure of doubtful.filter(({ name }) => !still.has(name))) {
    failures.splice(failures.indexOf(failure), 1);
    passed++;
    process.stdout.write(`\n${tell(failure).replace('FAILED', 'UNSTEADY, passed alone:')}\n`);
  }
}

const [built] = await Promise.all([run('node', ['scripts/build.ts', '--if-changed']), check()]);
if (built !== 0) failures.push({ name: 'The build of the web app', why: `It ended with ${built}.` });
await Promise.all([runUnits('Tests', '!faults'), runUnits('Faults', 'faults').then(runJourneys)]);
await lookAgain();

rmSync(reports, { recursive: true, force: true });
process.stdout.write(`\n${failures.map(tell).join('\n\n')}\n`);
process.stdout.write(`\n${passed} passed, ${failures.length} failed\n`);
process.exitCode = failures.length === 0 ? 0 : 1;
