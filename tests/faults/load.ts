/**
 * Customers who send money all at once and for ever, each press with a key of its own, and remember what they were told.
 * Like the web app they ask again with the same key where the answer was lost, and never believe a lost answer.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Endpoint } from '#contract/endpoint.ts';
import { transferApi } from '#contract/transfer.ts';
import { type ApiAnswer, callAt } from '../call.ts';
import type { SeededCustomer } from '../seedCustomers.ts';
import { waitLimitMs } from '../waiting.ts';

/** One press of the button. The key is the description too, so that the books can be asked about it. */
export type Press = { key: string; from: SeededCustomer; to: SeededCustomer; amountCents: bigint };

/** What the customer knows. `unknown` without a status: the line went dead. `unsent`: the server was not there. */
export type Told =
  | { kind: 'acknowledged'; status: number; id: string }
  | { kind: 'refused'; code: string }
  | { kind: 'unknown'; status?: number }
  | { kind: 'unsent' };

/** A press with what is known of it last; `wasUnknown` where an answer was lost on the way. */
export type Remembered = Press & { told: Told; wasUnknown: boolean };

export type Load = {
  /** Presses by key. */
  presses: Map<string, Remembered>;
  acknowledged(): number;
  inFlight(): number;
  /** Lets every customer finish what is under way; nobody asks again after that. */
  stop(): Promise<void>;
};

/** Asks for a movement of money with a key, and waits as long as a patient customer. Throws where the line went dead. */
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

/** Sends one press and says what came back. Throws on an answer that no customer should ever get. */
export async function press(url: string, { key, from, to, amountCents }: Press): Promise<Told> {
  let answer: ApiAnswer<typeof transferApi.sendInternal>;
  try {
    answer = await send(url, transferApi.sendInternal, {
      key,
      from,
      body: { receiverAccountNumber: to.accountNumber, amount: Number(amountCents) / 100, description: key },
    });
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string };
    return { kind: code === 'ECONNREFUSED' ? 'unsent' : 'unknown' };
  }
  const { status, body } = answer;
  if (status === 201) return { kind: 'acknowledged', status, id: body.data._id };
  if (status === 503 && body.code === 'BUSY') return { kind: 'unknown', status };
  if (status === 422) return { kind: 'refused', code: body.code! };
  throw new Error(`A customer was told ${status}: ${JSON.stringify(body)}`);
}

const someone = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!;

function nextPress(members: readonly SeededCustomer[]): Press {
  const from = someone(members);
  const to = someone(members.filter(member => member !== from));
  // One in twenty wants more than anybody has.
  const amountCents = Math.random() < 0.05 ? 90_000_000_00n : BigInt(1 + Math.floor(Math.random() * 5000));
  return { key: randomUUID(), from, to, amountCents };
}

/** Sets `customers` customers to work at once. */
export function startLoad(url: string, members: readonly SeededCustomer[], customers: number): Load {
  const presses: Load['presses'] = new Map();
  let inFlight = 0;
  let acknowledged = 0;
  let isStopped = false;

  const settleOne = async (asked: Press): Promise<void> => {
    const remembered: Remembered = { ...asked, told: { kind: 'unknown' }, wasUnknown: false };
    presses.set(asked.key, remembered);
    for (;;) {
      inFlight++;
      const told = await press(url, asked).finally(() => inFlight--);
      if (told.kind === 'unknown') remembered.wasUnknown = true;
      if (told.kind === 'unsent' && !remembered.wasUnknown) presses.delete(asked.key);
      if (told.kind === 'acknowledged') acknowledged++;
      if (told.kind !== 'unsent') remembered.told = told;
      if (told.kind === 'acknowledged' || told.kind === 'refused' || isStopped) return;
      await sleep(100);
      if (!presses.has(asked.key)) return;
    }
  };
  const customer = async (): Promise<void> => {
    while (!isStopped) await settleOne(nextPress(members));
  };
  const all = Promise.all(Array.from({ length: customers }, customer));
  // Looked at when it is stopped.
  all.catch(() => {});
  return {
    presses,
    acknowledged: () => acknowledged,
    inFlight: () => inFlight,
    async stop() {
      isStopped = true;
      await all;
    },
  };
}
