/**
 * Asks the bank the same thing until it has truly answered. Safe only for calls with an idempotency key: however often they
 * arrive, they take effect once. Silence is a broken connection, an answer that did not come in time, or a bank too busy to say.
 */
import { transfer } from '#contract/constants.ts';

/** No answer came; `waitSeconds` is how long the bank asked to wait, if it could say that much. */
export type Silence = { silence: true; waitSeconds?: number | undefined };

const longestPatienceMs = 60_000;
const longestPauseMs = 15_000;

/**
 * Resolves with the first answer that is not silence, and never before there is one; with nothing once `signal` has aborted,
 * and then asks no more. `ask` is told how long to wait for an answer: 10 s at first and longer each time, so that a slow
 * line gets through. `onLate` is called once, at the first silence.
 */
export async function askUntilAnswered<Answer extends object>(
  ask: (patienceMs: number, round: number) => Promise<Answer | Silence>,
  onLate: () => void,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  for (let round = 0; !signal.aborted; round++) {
    const answer = await ask(Math.min(transfer.answerTimeoutMs * 2 ** round, longestPatienceMs), round);
    if (signal.aborted) break;
    if (!('silence' in answer)) return answer;
    if (round === 0) onLate();
    await pause((answer.waitSeconds ?? Math.min(2 ** round, longestPauseMs / 1000)) * 1000, signal);
  }
  return undefined;
}

/** Waits, but never longer than a minute, nor than until the browser says it is online again or `signal` aborts. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, Math.min(milliseconds, longestPatienceMs));
    addEventListener('online', done);
    signal.addEventListener('abort', done);
  });
}
