/**
 * `npm test`: what it runs, its last line, and when it fails. Runs in a small checkout, with few tests and the real test
 * runners. What needs the whole project is faked: the static checks, the build, and the preparation of the journeys.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { shorten } from '../scripts/check.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const programs = join('node_modules', '.bin');
const checks = ['tsc', 'biome', 'oxlint', 'knip'];

let checkout: string;

function write(path: string, text: string): void {
  mkdirSync(join(checkout, path, '..'), { recursive: true });
  writeFileSync(join(checkout, path), text);
}

/** Replaces an installed program of the checkout with a shell script. */
function writeProgram(name: string, body: string): void {
  rmSync(join(checkout, programs, name), { force: true });
  write(join(programs, name), `#!/bin/sh\n${body}\n`);
  chmodSync(join(checkout, programs, name), 0o755);
}

const runner = { unit: 'vitest', fault: 'vitest', journey: '@playwright/test' };
const files = {
  unit: 'tests/unit.test.ts',
  fault: 'tests/faults/fault.test.ts',
  journey: 'tests/e2e/journey.spec.ts',
};
const writeTest = (kind: keyof typeof files, body: string) =>
  write(files[kind], `import { expect, test } from '${runner[kind]}';\ntest('${kind}', () => {${body}});\n`);

function runTests(...args: string[]) {
  const { status, stdout } = spawnSync(process.execPath, ['scripts/test.ts', ...args], {
    cwd: checkout,
    encoding: 'utf8',
    // Leaves out the variables that the runner of this test sets for its own child processes.
    env: { PATH: process.env.PATH, HOME: process.env.HOME, BROWSER_PATH: process.execPath },
  });
  return { status, output: stdout, lastLine: stdout.trimEnd().split('\n').at(-1) };
}

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'larkspur-tests-'));
  for (const path of [
    'package.json',
    'scripts',
    'src/server/commands/commandLine.ts',
    'vitest.config.ts',
    'playwright.config.ts',
  ])
    cpSync(join(root, path), join(checkout, path), { recursive: true });
  mkdirSync(join(checkout, programs), { recursive: true });
  for (const folder of ['node_modules', programs])
    for (const name of readdirSync(join(root, folder)))
      if (name !== '.bin') symlinkSync(join(root, folder, name), join(checkout, folder, name));
  write('scripts/build.ts', '');
  write('tests/e2e/preparedBank.ts', 'export default () => {};');
  for (const name of checks) writeProgram(name, 'echo "tsconfig.webtests.json Checked 99 files on 99 files"');
});
afterEach(() => rmSync(checkout, { recursive: true, force: true }));

test('a check shows the start of each failure, however long the earlier failures are [RC-10]', () => {
  const failures = ['one', 'two'].map(name => ` FAIL  ${name}\n${'+ line\n'.repeat(200)}`);
  const shown = shorten(failures.join(''), /^(?= FAIL )/m);
  expect(shown).toMatch(/^ FAIL {2}one\n(\+ line\n){149}… and 52 more lines\n FAIL {2}two\n/);
  expect(shown.split('\n').length).toBeLessThan(310);
});

test('npm test runs every kind of test, names the longest files, and ends with the number that passed [RC-09, RC-10]', () => {
  for (const kind of ['unit', 'fault', 'journey'] as const) writeTest(kind, '');
  const { output, ...ended } = runTests();
  expect(ended).toEqual({ status: 0, lastLine: `${3 + 4} passed, 0 failed` });
  const [, longest] = /^The longest files: (.*)$/m.exec(output)!;
  for (const file of Object.values(files)) expect(longest).toContain(file);
});

test('npm test fails if a test or a check fails, if a part has no test, or if no file has the given name [RC-10, RC-11]', () => {
  writeTest('unit', '');
  writeTest('fault', 'expect(1).toBe(2);');
  writeProgram('biome', 'exit 1');
  const { status, lastLine, output } = runTests();
  expect({ status, lastLine }).toEqual({ status: 1, lastLine: `${1 + 3} passed, 3 failed` });
  for (const failed of [
    'Checks > format and lint',
    'tests/faults/fault.test.ts > fault',
    'Journeys in a browser',
  ])
    expect(output).toContain(`FAILED ${failed}`);
  expect(runTests('no-such-test')).toMatchObject({ status: 1, lastLine: '0 passed, 1 failed' });
});

test('a test that fails and then passes alone is unsteady; a test that fails only the second time fails the run [RC-11]', () => {
  for (const kind of ['unit', 'fault', 'journey'] as const) writeTest(kind, '');
  write(
    'tests/twice.test.ts',
    `import { existsSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
const isSecond = existsSync('ran-once');
afterAll(() => writeFileSync('ran-once', ''));
test('fails first', () => expect(isSecond).toBe(true));
test('fails second', () => expect(isSecond).toBe(false));
describe('not prepared', () => {
  beforeAll(() => expect(isSecond).toBe(false));
  test('fails and is then left out', () => expect(isSecond).toBe(true));
});
`,
  );
  const { output, ...ended } = runTests();
  const verdicts = output.match(/^(UNSTEADY|FAILED).*$/gm);
  expect(verdicts?.sort()).toEqual([
    'FAILED tests/twice.test.ts',
    'FAILED tests/twice.test.ts > fails second',
    'FAILED tests/twice.test.ts > not prepared > fails and is then left out',
    'UNSTEADY, passed alone: tests/twice.test.ts > fails first',
  ]);
  expect(output).toContain('Only the second time.');
  expect(ended).toEqual({ status: 1, lastLine: `${3 + 4 + 1} passed, 3 failed` });
});
