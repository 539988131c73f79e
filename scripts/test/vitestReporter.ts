/**
 * Reports a Vitest run to `npm test`. Progress is counted in files, because Vitest does not know a file's tests until it loads
 * the file.
 */
import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { joinTitles, report } from './events.ts';

type TestError = ReturnType<TestModule['errors']>[number];

export const vitestReporter: Reporter = {
  onTestRunStart: files => report({ kind: 'planned', units: files.length }),

  onTestCaseResult(test) {
    const { state, errors } = test.result();
    const name = { file: fileOf(test.module), title: titleOf(test) };
    if (state === 'passed') report({ kind: 'passed', ...name });
    if (state === 'failed') report({ kind: 'failed', ...name, why: explain(errors) });
  },

  onTestModuleEnd(module) {
    report({ kind: 'unit done', file: fileOf(module), ms: module.diagnostic().duration });
    // A file that failed to load, or whose group hooks failed, is a failure without a test.
    const errors = [...module.errors(), ...[...module.children.allSuites()].flatMap(suite => suite.errors())];
    if (errors.length > 0) report({ kind: 'failed', file: fileOf(module), why: explain(errors) });
  },

  onTestRunEnd(_, unhandled) {
    if (unhandled.length > 0) report({ kind: 'failed', why: explain(unhandled) });
  },
};

const fileOf = (module: TestModule): string => relative(process.cwd(), module.moduleId);

function titleOf(test: TestCase): string {
  const titles = [test.name];
  for (let group = test.parent; group.type === 'suite'; group = group.parent) titles.unshift(group.name);
  return joinTitles(titles);
}

/** The message, the diff and the stack of each error. */
function explain(errors: readonly TestError[]): string {
  return errors
    .map(({ name, message, diff, stack }) => {
      const frames = (stack ?? '').split('\n').filter(line => /^\s+at /.test(line));
      return [`${name}: ${message}`, typeof diff === 'string' ? diff : '', ...frames].join('\n');
    })
    .join('\n');
}
