/**
 * Everything that is known without running the product: types, format, lint, dead code. Each check prints what it
 * looked at; one that looked at nothing is a failure.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

export type CheckResult = { name: string; passed: boolean; output: string };

/** `looked` must match in the output for the check to count. */
const checks: { name: string; command: string[]; looked?: RegExp }[] = [
  { name: 'types', command: ['tsc', '-b', '--verbose'], looked: /tsconfig\.tools\.json/ },
  {
    name: 'web test types',
    command: ['tsc', '-p', 'tsconfig.webtests.json', '--noEmit', '--listFiles'],
    looked: /\.test\.tsx/,
  },
  { name: 'format and lint', command: ['biome', 'ci', '.'], looked: /Checked \d{2,} files/ },
  {
    name: 'lint with types',
    command: ['oxlint', '--type-aware', '--deny-warnings', 'src', 'tests', 'scripts', 'bench'],
    looked: /on \d{2,} files/,
  },
  { name: 'dead code', command: ['knip', '--no-progress'] },
];

/** Runs every check; prints a line for each and, for a failed one, what it said. */
export function runChecks(): CheckResult[] {
  return checks.map(({ name, command, looked }) => {
    const [program, ...args] = command;
    const ran = spawnSync(join(root, 'node_modules', '.bin', program!), args, {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64e6,
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
    });
    const output = `${ran.stdout}${ran.stderr}`;
    const passed = ran.status === 0 && (looked === undefined || looked.test(output));
    process.stdout.write(`${passed ? 'ok  ' : 'FAIL'} ${name}\n`);
    if (!passed) process.stdout.write(`${ran.error?.message ?? ''}${output.slice(-6000)}\n`);
    return { name, passed, output };
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = runChecks().every(check => check.passed) ? 0 : 1;
}
