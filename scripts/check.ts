/**
 * Everything that is known without running the product: types, format, lint, dead code. Each check prints what it
 * looked at; one that looked at nothing is a failure.
 */
import { spawn } from 'node:child_process';
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

/** Runs every check, all at once; prints a line for each and, for a failed one, what it said. */
export function runChecks(): Promise<CheckResult[]> {
  return Promise.all(
    checks.map(async ({ name, command, looked }) => {
      const { code, output } = await runProgram(command);
      const passed = code === 0 && (looked === undefined || looked.test(output));
      process.stdout.write(`${passed ? 'ok  ' : 'FAIL'} ${name}\n`);
      if (!passed) process.stdout.write(`${output.slice(-6000)}\n`);
      return { name, passed, output };
    }),
  );
}

function runProgram([program, ...args]: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(join('node_modules', '.bin', program!), args, {
    cwd: root,
    // On Windows a program of a package is a batch file, which only a shell can start.
    shell: process.platform === 'win32',
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return new Promise(resolve => {
    child.once('error', error => resolve({ code: null, output: error.message }));
    child.once('close', code => resolve({ code, output }));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = (await runChecks()).every(check => check.passed) ? 0 : 1;
}
