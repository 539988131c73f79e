/**
 * Runs every test there is: the checks, the unit and server tests on a real PostgreSQL, and the journeys in a real
 * browser. The last line is `N passed, N failed`; no test run at all is a failure too.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBrowser } from './browser.ts';
import { runChecks } from './check.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const reports = mkdtempSync(join(tmpdir(), 'larkspur-reports-'));
let passed = 0;
let failed = 0;

function count(title: string, good: number, bad: number): void {
  passed += good;
  failed += bad;
  process.stdout.write(`\n${title}: ${good} passed, ${bad} failed\n`);
}

function run(program: string, args: string[], env: NodeJS.ProcessEnv = {}): number {
  const bin = join(root, 'node_modules', '.bin', program);
  return spawnSync(bin, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1;
}

function readReport<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(join(reports, file), 'utf8')) as T;
  } catch {
    return undefined;
  }
}

const checks = runChecks();
count('Checks', checks.filter(check => check.passed).length, checks.filter(check => !check.passed).length);

const vitest = run('vitest', [
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${join(reports, 'vitest.json')}`,
]);
const units = readReport<{ numPassedTests: number; numFailedTests: number; numFailedTestSuites: number }>(
  'vitest.json',
);
const unitFailures =
  (units?.numFailedTests ?? 0) || (vitest === 0 && units && units.numPassedTests > 0 ? 0 : 1);
count('Tests', units?.numPassedTests ?? 0, unitFailures);

const browser = findBrowser();
if ('missing' in browser) {
  process.stdout.write(`\n${browser.missing}\n`);
  count('Journeys in a browser', 0, 1);
} else {
  run('node', ['scripts/build.ts', '--if-changed']);
  const journeys = run('playwright', ['test', '--reporter=line,json'], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: join(reports, 'playwright.json'),
    BROWSER_PATH: browser.path,
  });
  const seen = readReport<{ stats: { expected: number; unexpected: number; flaky: number } }>(
    'playwright.json',
  );
  const bad = (seen?.stats.unexpected ?? 0) + (seen?.stats.flaky ?? 0);
  count(
    'Journeys in a browser',
    seen?.stats.expected ?? 0,
    bad || (journeys === 0 && seen && seen.stats.expected > 0 ? 0 : 1),
  );
}

rmSync(reports, { recursive: true, force: true });
if (passed === 0) failed = Math.max(failed, 1);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
