/**
 * Load for fault tests: customers who send transfers concurrently until stopped, and record the outcomes. Each transfer has its
 * own idempotency key. Like the web app, customers retry with the same key if a response is lost.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Endpoint } from '#contract/endpoint.ts';
import { transferApi } from '#contract/transfer.ts';
import { type ApiAnswer, callAt } from '../call.ts';
import type { SeededCustomer } from '../seedCustomers.ts';
import { waitLimitMs, waitUntil } from '../waiting.ts';

/** One press of 'Send Money'. The idempotency key is also the description, so that the transfer can be found in the books. */
export type Press = { key: string; from: SeededCustomer; to: SeededCustomer; amountCents: bigint };

/**
 * The outcome as far as the customer knows. `unknown` with a status: the bank was busy; without one: the connection broke, or a
 * proxy answered. `unsent`: no server listened.
 */
export type Outcome =
  | { kind: 'acknowledged'; status: number; id: string }
  | { kind: 'refused'; code: string }
  | { kind: 'unknown'; status?: number; why?: string }
  | { kind: 'unsent' };

/** A press with its latest outcome; `wasUnknown` if any attempt had an unknown outcome. */
export type RecordedPress = Press & { outcome: Outcome; wasUnknown: boolean };

export type Load = {
  /** Presses by key. */
  presses: Map<string, RecordedPress>;
  acknowledged(): number;
  /** When each transfer was acknowledged, by `Date.now`. */
  acknowledgedAt: number[];
  /** The reason of each attempt without a status: the connection broke, or a proxy answered. */
  broken: string[];
  /** Attempts that were answered with 503. */
  busy(): number;
  inFlight(): number;
  /** Waits until every customer has finished the current attempt; no customer retries after that. */
  stop(): Promise<void>;
};

/** Calls a transfer endpoint with an idempotency key. Throws if the connection breaks or after `waitLimitMs`. */
export const send = <E extends Endpoint>(
  url: string,
  endpoint: E,
  { key, from, body }: { key: string; from: SeededCustomer; body: unknown },
): Promise<ApiAnswer<E>> =>
  callAt(url, endpoint, {
    token: from.token,
    headers: { 'idempotency-key': key },
    body,
    signal: AbortSignal.timeout(waitLimitMs),
  });

/** Repeats `send` until the bank is not busy. Throws if the connection breaks. */
export const sendUntilAnswered = <E extends Endpoint>(
  ...attempt: Parameters<typeof send<E>>
): Promise<ApiAnswer<E>> =>
  waitUntil('an answer other than busy', waitLimitMs, async () => {
    const answer = await send(...attempt);
    return answer.status === 503 ? undefined : answer;
  });

/** Sends one attempt of a press and returns its outcome. Throws on a response that no customer should ever get. */
export async function sendPress(url: string, { key, from, to, amountCents }: Press): Promise<Outcome> {
  let answer: ApiAnswer<typeof transferApi.sendInternal>;
  try {
    answer = await send(url, transferApi.sendInternal, {
      key,
      from,
      body: { receiverAccountNumber: to.accountNumber, amount: Number(amountCents) / 100, description: key },
    });
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string };
    return code === 'ECONNREFUSED' ? { kind: 'unsent' } : { kind: 'unknown', why: code ?? String(error) };
  }
  const { status, body } = answer;
  if (status === 201) return { kind: 'acknowledged', status, id: body.data._id };
  if (status === 503 && body.code === 'BUSY') return { kind: 'unknown', status };
  if (status === 422) return { kind: 'refused', code: body.code! };
  throw new Error(`A customer got ${status}: ${JSON.stringify(body)}`);
}

const pickRandom = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!;

function nextPress(customers: readonly SeededCustomer[]): Press {
  const from = pickRandom(customers);
  const to = pickRandom(customers.filter(customer => customer !== from));
  // One in twenty is for more money than any customer has.
  const amountCents = Math.random() < 0.05 ? 90_000_000_00n : BigInt(1 + Math.floor(Math.random() * 5000));
  return { key: randomUUID(), from, to, amountCents };
}

/** Starts `concurrency` senders, who send money between random customers, each with a pause between its transfers. */
export function startLoad(
  url: string,
  customers: readonly SeededCustomer[],
  concurrency: number,
  { pauseMs = 0 }: { pauseMs?: number } = {},
): Load {
  const presses: Load['presses'] = new Map();
  const acknowledgedAt: number[] = [];
  let inFlight = 0;
  const broken: string[] = [];
  let busy = 0;
  let isStopped = false;

  const sendUntilSettled = async (next: Press): Promise<void> => {
    const recorded: RecordedPress = { ...next, outcome: { kind: 'unknown' }, wasUnknown: false };
    presses.set(next.key, recorded);
    for (;;) {
      inFlight++;
      const outcome = await sendPress(url, next).finally(() => inFlight--);
      if (outcome.kind === 'unknown') {
        recorded.wasUnknown = true;
        if (outcome.status === undefined) broken.push(outcome.why ?? '');
        else busy++;
      }
      if (outcome.kind === 'unsent' && !recorded.wasUnknown) presses.delete(next.key);
      if (outcome.kind === 'acknowledged') acknowledgedAt.push(Date.now());
      if (outcome.kind !== 'unsent') recorded.outcome = outcome;
      if (outcome.kind === 'acknowledged' || outcome.kind === 'refused' || isStopped) return;
      await sleep(100);
      if (!presses.has(next.key)) return;
    }
  };
  const sender = async (): Promise<void> => {
    while (!isStopped) {
      await sendUntilSettled(nextPress(customers));
      if (pauseMs > 0) await sleep(pauseMs);
    }
  };
  const all = Promise.all(Array.from({ length: concurrency }, sender));
  // A rejection is rethrown by `stop`.
  all.catch(() => {});
  return {
    presses,
    acknowledged: () => acknowledgedAt.length,
    acknowledgedAt,
    broken,
    busy: () => busy,
    inFlight: () => inFlight,
    async stop() {
      isStopped = true;
      await all;
    },
  };
}
