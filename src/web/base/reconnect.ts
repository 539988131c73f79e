/**
 * Finds out when the bank can be reached again after a query got no answer. Polls the readiness check with backoff, because the
 * browser's `online` event reports only its own network. A hidden tab does not poll.
 */
const readyPath = '/readyz';
const firstDelayMs = 2_000;
const maxDelayMs = 30_000;
const timeoutMs = 5_000;

/**
 * Returns a function to call when a query got no answer. It polls while `isNeeded` returns true, and calls `onBack` once the
 * bank is ready. Further calls while it polls do nothing.
 */
export function watchForReturn(isNeeded: () => boolean, onBack: () => void): () => void {
  let isPolling = false;
  let delayMs = firstDelayMs;
  let lastBackAt = 0;
  const wait = () => {
    isPolling = true;
    setTimeout(poll, delayMs);
    delayMs = Math.min(delayMs * 2, maxDelayMs);
  };
  const poll = async (): Promise<void> => {
    isPolling = false;
    if (!isNeeded()) return;
    isPolling = true;
    if (document.visibilityState === 'hidden' || !(await isReady())) return wait();
    isPolling = false;
    lastBackAt = Date.now();
    onBack();
  };
  return () => {
    if (isPolling) return;
    // If a query keeps failing although the bank is ready, the delay before each retry grows.
    if (Date.now() - lastBackAt > 2 * maxDelayMs) delayMs = firstDelayMs;
    wait();
  };
}

async function isReady(): Promise<boolean> {
  try {
    return (await fetch(readyPath, { cache: 'no-store', signal: AbortSignal.timeout(timeoutMs) })).ok;
  } catch {
    return false;
  }
}
