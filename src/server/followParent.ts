/** Notices that the npm that started this process has ended: npm sends a signal only to a shell, which may not pass it on. */

const checkEveryMs = 250;

/** Calls `onGone` when the process that started this one is gone. Does nothing in a process that npm did not start. */
export function followParent(onGone: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }, checkEveryMs).unref();
}
