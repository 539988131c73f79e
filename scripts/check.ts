/**
 * The checks that do not run the product: types, format, lint, dead code. `npm run check` also runs the tests of the contract
 * and of the house rules. Except for the dead-code check, a check that examined nothing fails.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCommandLine } from '#server/commands/commandLine.ts';
import { report } from './test/events.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Longer parts of a check's output are truncated. */
const maxLines = 150;

type Check = {
  name: string;
  command: string[];
  /** Must match the output for the check to pass: proof that it examined something. */
  examined?: RegExp;
  /** Lines of the output that do not describe an error. */
  noise?: RegExp;
  /** Where a part of the output begins, such as a failed test. By default, the whole output is one part. */
  part?: RegExp;
  hint?: string;
};

const staticChecks: Check[] = [
  {
    name: 'types',
    command: ['tsc', '-b', '--stopBuildOnErrors', '--verbose'],
    examined: /tsconfig\.webtests\.json/,
    noise: /^$|^\d\d:\d\d:\d\d [AP]M - |^ +\* /,
  },
  {
    name: 'format and lint',
    command: ['biome', 'ci', '--colors=off', '.'],
    examined: /Checked \d{2,} files/,
    hint: '`npm run format` fixes the format and whatever else is safe.',
  },
  {
    name: 'lint with types',
    command: ['oxlint', '--type-aware', '--deny-warnings', 'src', 'tests', 'scripts', 'bench'],
    examined: /on \d{2,} files/,
  },
  { name: 'dead code', command: ['knip', '--no-progress'] },
];

const houseRules: Check = {
  name: 'house rules and tests of the contract',
  command: ['vitest', 'run', '--project', 'contract', '--reporter=dot'],
  examined: /Tests .*\b\d{2,} passed/,
  noise: /^[·x]+$/,
  // Each failed test is a part: the difference to the reviewed copy of the API can be long, and must not hide other failures.
  part: /^(?= FAIL )/m,
};

/** Runs checks concurrently. Prints a line for each and, if it failed, its output; reports both to `npm test`. */
function runChecks(checks: readonly Check[]): Promise<{ name: string; passed: boolean }[]> {
  report({ kind: 'planned', units: checks.length });
  return Promise.all(
    checks.map(async ({ name, command, examined, noise, part, hint }) => {
      const startedAt = Date.now();
      const { code, output: all } = await runProgram(command);
      const hasExamined = examined === undefined || examined.test(all);
      const passed = code === 0 && hasExamined;
      const lines = all.split('\n').filter(line => !noise?.test(line));
      process.stdout.write(`${passed ? 'ok  ' : 'FAIL'} ${name} (${secondsSince(startedAt)})\n`);
      report({ kind: 'unit done' });
      if (passed) report({ kind: 'passed' });
      else {
        const missed = hasExamined ? [] : ['It examined hardly any files.'];
        const why = [shorten(lines.join('\n').trim(), part), ...missed, ...(hint ? [hint] : [])].join('\n');
        process.stdout.write(`${why}\n\n`);
        report({ kind: 'failed', title: name, why });
      }
      return { name, passed };
    }),
  );
}

const secondsSince = (startedAt: number) => `${((Date.now() - startedAt) / 1000).toFixed(1)} s`;

/** Truncates each part of the output, because its first errors should be fixed first. */
export function shorten(output: string, part?: RegExp): string {
  return (part ? output.split(part) : [output])
    .map(text => {
      const lines = text.split('\n');
      const cut = lines.length - maxLines;
      return cut > 0 ? `${lines.slice(0, maxLines).join('\n')}\n… and ${cut} more lines\n` : text;
    })
    .join('');
}

function runProgram([program, ...args]: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(join('node_modules', '.bin', program!), args, {
    cwd: root,
    // On Windows a package's program is a batch file, which only a shell can start.
    shell: process.platform === 'win32',
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
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
  const { values } = readCommandLine(
    `Usage: npm run check

Checks types, format, lint, dead code and house rules, and runs the tests of the contract.
--static leaves out the tests, which npm test runs anyway.
`,
    { options: { static: { type: 'boolean', default: false } } },
  );
  const startedAt = Date.now();
  const results = await runChecks(values.static ? staticChecks : [...staticChecks, houseRules]);
  const failed = results.filter(({ passed }) => !passed).map(({ name }) => name);
  const summary = failed.length > 0 ? `Failed: ${failed.join(', ')}` : `All ${results.length} checks passed`;
  process.stdout.write(`\n${summary} (${secondsSince(startedAt)})\n`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}
