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
 * Resolves with the first answer that is not silence, and never before there is one. `ask` is told how long to wait for an
 * answer: 10 s at first and longer each time, so that a slow line gets through. `onLate` is called once, at the first silence.
 */
export async function askUntilAnswered<Answer extends object>(
  ask: (patienceMs: number, round: number) => Promise<Answer | Silence>,
  onLate: () => void,
): Promise<Answer> {
  for (let round = 0; ; round++) {
    const answer = await ask(Math.min(transfer.answerTimeoutMs * 2 ** round, longestPatienceMs), round);
    if (!('silence' in answer)) return answer;
    if (round === 0) onLate();
    await pauseOrOnline((answer.waitSeconds ?? Math.min(2 ** round, longestPauseMs / 1000)) * 1000);
  }
}

/** Waits, but never longer than a minute, nor longer than until the browser says it is online again. */
function pauseOrOnline(milliseconds: number): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      resolve();
    };
    const timer = setTimeout(done, Math.min(milliseconds, longestPatienceMs));
    addEventListener('online', done);
  });
}
