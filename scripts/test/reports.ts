/** What the test runners' own reports come down to: how many tests passed, and which failed with which words. */
import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/** `place` is the test's file, which a runner can run by itself; a failure of no test has none. */
export type Failure = { name: string; why: string; place?: string };
export type Outcome = { passed: number; failures: Failure[] };

/** The report of a run that Vitest wrote as JSON; nothing passed where there is none. */
export function readVitest(file: string): Outcome {
  type Test = { status: string; fullName: string; failureMessages: string[] };
  type File = { name: string; status: string; message: string; assertionResults: Test[] };
  const { numPassedTests = 0, testResults = [] } =
    readJson<{ numPassedTests: number; testResults: File[] }>(file) ?? {};
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter(test => test.status === 'failed');
    // A file that fails without a test of it failing did not come as far as its tests.
    if (status === 'failed' && failed.length === 0) return [{ name, why: message }];
    return failed.map(({ fullName, failureMessages }) => ({
      name: `${name}: ${fullName}`,
      why: failureMessages.join('\n'),
      place: name,
    }));
  });
  return { passed: numPassedTests, failures };
}

/** The report of a run that Playwright wrote as JSON; nothing passed where there is none. */
export function readPlaywright(file: string): Outcome {
  type Test = { status: string; results: { errors: { message?: string }[] }[] };
  type Suite = {
    suites?: Suite[];
    specs: { file: string; line: number; title: string; tests: Test[] }[];
  };
  type Report = { stats: { expected: number }; suites: Suite[]; errors: { message?: string }[] };
  const report = readJson<Report>(file);
  if (!report) return { passed: 0, failures: [] };
  const specsOf = (suite: Suite): Suite['specs'] => [
    ...suite.specs,
    ...(suite.suites ?? []).flatMap(specsOf),
  ];
  const failures = report.suites.flatMap(specsOf).flatMap(({ file: path, line, title, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected')
      .map(({ results }) => ({
        name: `tests/e2e/${path}:${line}: ${title}`,
        place: `tests/e2e/${path}`,
        why: results
          .flatMap(({ errors }) => errors)
          .map(({ message }) => message ?? '')
          .join('\n'),
      })),
  );
  const outside = report.errors.map(({ message = '' }) => ({ name: 'outside of any journey', why: message }));
  return { passed: report.stats.expected, failures: [...failures, ...outside] };
}

/** A failure as it is read at the end of a long output: its name, and the beginning of its words and of its way there. */
export function tell({ name, why }: Failure): string {
  const lines = stripVTControlCharacters(why)
    .split('\n')
    .filter(line => line.trim() !== '' && !/^\s+at .*(node_modules|node:|<anonymous>)/.test(line));
  return [`FAILED ${name}`, ...lines.slice(0, 12).map(line => `    ${line.slice(0, 240)}`)].join('\n');
}

function readJson<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch {
    return undefined;
  }
}
