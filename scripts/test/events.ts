/** The messages that test runners send to `npm test` while they run, over the channel to the parent process. */

/**
 * `units`: how many test files, tests or checks the runner will count. A failure outside of any test has no `title`, and one
 * outside of any file has no `file`.
 */
export type TestEvent =
  | { kind: 'planned'; units: number }
  | { kind: 'unit done'; file?: string; ms?: number }
  | { kind: 'passed'; file?: string; title?: string }
  | { kind: 'failed'; file?: string; title?: string; why: string };

/** Joins the names of a test and of its groups. `npm test -- -t` accepts the same text. */
export const joinTitles = (titles: readonly string[]): string => titles.filter(Boolean).join(' > ');

/** Sends an event to `npm test`; does nothing if the runner was started by hand. */
export function report(event: TestEvent): void {
  process.send?.(event);
}
