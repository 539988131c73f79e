/** What the test runners report to `npm test` while they run, one message at a time over the channel to the parent process. */

/**
 * `units` are what the runner counts its progress in: files of tests, or single tests. A failure outside of any test has no
 * `title`, and one outside of any file has no `file`.
 */
export type TestEvent =
  | { kind: 'planned'; units: number }
  | { kind: 'unit done' }
  | { kind: 'passed' }
  | { kind: 'failed'; file?: string; title?: string; why: string };

/** Joins the names of a test and of the groups around it. `npm test -- -t` takes the same text. */
export const joinTitles = (titles: readonly string[]): string => titles.filter(Boolean).join(' > ');

/** Sends an event to `npm test`; does nothing where a runner was started by hand. */
export function report(event: TestEvent): void {
  process.send?.(event);
}
