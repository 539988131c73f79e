/**
 * Runs every test there is: the checks, the unit and server tests on a real PostgreSQL, the faults, and the journeys in a
 * real browser. Two lines of work run side by side, for much of either is waiting. Failures are told again at the end, and the
 * last line is `N passed, N failed`; no test run at all is a failure too.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { findBrowser } from './browser.ts';
import { runChecks } from './check.ts';
import { type Failure, type Outcome, readPlaywright, readVitest, tell } from './test/reports.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const reports = mkdtempSync(join(tmpdir(), 'larkspur-reports-'));
// Servers, commands and runners start some hundred processes with the same code in them.
process.env.NODE_COMPILE_CACHE ??= join(reports, 'compiled');

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
      failures: bad.map(({ name, output }) => ({ name, why: output.slice(-2000) })),
    },
    0,
  );
}

async function runVitest(title: string, projects: string[]): Promise<void> {
  const file = join(reports, `${title}.json`);
  const args = projects.flatMap(name => ['--project', name]);
  const report = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const code = await run('vitest', ['run', ...args, ...report]);
  count(title, readVitest(file), code);
}

async function runJourneys(): Promise<void> {
  const title = 'Journeys in a browser';
  const browser = await findBrowser();
  if ('missing' in browser) {
    count(title, { passed: 0, failures: [{ name: title, why: browser.missing }] }, 1);
    return;
  }
  const file = join(reports, 'journeys.json');
  const env = { PLAYWRIGHT_JSON_OUTPUT_NAME: file, BROWSER_PATH: browser.path };
  const code = await run('playwright', ['test', '--reporter=list,json'], env);
  count(title, readPlaywright(file), code);
}

const [built] = await Promise.all([run('node', ['scripts/build.ts', '--if-changed']), check()]);
if (built !== 0) failures.push({ name: 'The build of the web app', why: `It ended with ${built}.` });
await Promise.all([runVitest('Tests', ['!faults']), runVitest('Faults', ['faults']).then(runJourneys)]);

rmSync(reports, { recursive: true, force: true });
process.stdout.write(`\n${failures.map(tell).join('\n\n')}\n`);
process.stdout.write(`\n${passed} passed, ${failures.length} failed\n`);
process.exitCode = failures.length === 0 ? 0 : 1;
