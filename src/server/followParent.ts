/** Ends a process when the npm that started it ends: npm sends a signal only to a shell, which may not pass it on. */

const checkEveryMs = 250;

/** Calls `onGone` when the process that started this one is gone. Does nothing in a process that npm did not start. */
export function followParent(onGone: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) onGone();
  }, checkEveryMs).unref();
}
