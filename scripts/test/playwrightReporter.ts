/** Reports a Playwright run to `npm test`. Progress is counted in tests: all are known before the first one runs. */
import { relative } from 'node:path';
import type { Reporter, Suite, TestCase, TestError } from '@playwright/test/reporter';
import { joinTitles, report } from './events.ts';

// Playwright loads a reporter from a file path and uses its default export.
export default class PlaywrightReporter implements Reporter {
  onBegin(_: unknown, suite: Suite): void {
    report({ kind: 'planned', units: suite.allTests().length });
  }

  onTestEnd(test: TestCase): void {
    const file = relative(process.cwd(), test.location.file);
    report({ kind: 'unit done', file, ms: test.results.reduce((sum, { duration }) => sum + duration, 0) });
    const outcome = test.outcome();
    // The first three names are those of the root, the project and the file.
    const title = joinTitles(test.titlePath().slice(3));
    if (outcome === 'expected') report({ kind: 'passed', file, title });
    if (outcome !== 'unexpected') return;
    const why = explain(test.results.flatMap(({ errors }) => errors));
    report({ kind: 'failed', file, title, why });
  }

  onError(error: TestError): void {
    report({ kind: 'failed', why: explain([error]) });
  }
}

const explain = (errors: readonly TestError[]): string =>
  errors.map(({ message, value, stack }) => stack ?? message ?? value ?? '').join('\n');
