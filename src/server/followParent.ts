/** Ends a process that npm started when npm ends: npm sends a signal to a shell, which may not pass it on. */

const checkEveryMs = 250;

/** Calls `onGone` when the process that started this one is gone. Does nothing in a process that npm did not start. */
export function followParent(onGone: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) onGone();
  }, checkEveryMs).unref();
}
