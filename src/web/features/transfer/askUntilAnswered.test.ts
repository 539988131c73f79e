/** However the line behaves, the app asks until the bank has truly answered, and never claims an answer before. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { askUntilAnswered, type Silence } from './askUntilAnswered.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const silence: Silence = { silence: true };
const here = new AbortController().signal;

/** Answers from a list, in order, and remembers how patient each question was. */
function line(...answers: ({ done: string } | Silence)[]) {
  const patience: number[] = [];
  const ask = async (milliseconds: number) => {
    patience.push(milliseconds);
    return answers.shift() ?? silence;
  };
  return { ask, patience };
}

test('an answer at once is the answer, and nobody is told to wait', async () => {
  const late = vi.fn();
  expect(await askUntilAnswered(line({ done: 'sent' }).ask, late, here)).toEqual({ done: 'sent' });
  expect(late).not.toHaveBeenCalled();
});

test('after silence the customer is told once, and the same is asked again until it is answered', async () => {
  const late = vi.fn();
  const { ask, patience } = line(silence, silence, silence, { done: 'sent' });
  const answer = askUntilAnswered(ask, late, here);
  await vi.runAllTimersAsync();
  expect(await answer).toEqual({ done: 'sent' });
  expect(late).toHaveBeenCalledTimes(1);
  expect(patience).toEqual([10_000, 20_000, 40_000, 60_000]);
});

test('the pauses grow to fifteen seconds and no further', async () => {
  const asked: number[] = [];
  const answer = askUntilAnswered(
    async () => {
      asked.push(Date.now());
      return asked.length < 8 ? silence : { done: 'sent' };
    },
    () => {},
    here,
  );
  await vi.runAllTimersAsync();
  await answer;
  expect(asked.slice(1).map((time, place) => time - (asked[place] ?? 0))).toEqual(
    [1, 2, 4, 8, 15, 15, 15].map(seconds => seconds * 1000),
  );
});

test('a bank that asks for time gets it', async () => {
  const { ask, patience } = line({ silence: true, waitSeconds: 7 }, { done: 'sent' });
  const answer = askUntilAnswered(ask, () => {}, here);
  await vi.advanceTimersByTimeAsync(6999);
  expect(patience).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(await answer).toEqual({ done: 'sent' });
});

test('a browser that comes back online asks at once', async () => {
  const { ask, patience } = line({ silence: true, waitSeconds: 50 }, { done: 'sent' });
  const answer = askUntilAnswered(ask, () => {}, here);
  await vi.advanceTimersByTimeAsync(100);
  window.dispatchEvent(new Event('online'));
  expect(await answer).toEqual({ done: 'sent' });
  expect(patience).toHaveLength(2);
});

test('who has gone is not waited for: the pause ends and nothing more is asked', async () => {
  const gone = new AbortController();
  const { ask, patience } = line({ silence: true, waitSeconds: 50 }, { done: 'sent' });
  const answer = askUntilAnswered(ask, () => {}, gone.signal);
  await vi.advanceTimersByTimeAsync(100);
  gone.abort();
  expect(await answer).toBeUndefined();
  await vi.runAllTimersAsync();
  expect(patience).toHaveLength(1);
});
