/**
 * The statement that posts a group of requests: their columns for `post_group` in `db/migrations/0031_posting.sql`,
 * and the outcomes that it returns.
 */
import { CompiledQuery } from 'kysely';
import type { TransactionType } from '#contract/entities.ts';
import type { Tx } from '../db/database.ts';

/**
 * A request to move money. A customer (`actor`) sends from their own account; a credit comes from the treasury, and its `actor`
 * is an administrator. `receiver`: an account number, null for clearing.
 */
export type PostRequest = {
  id: string;
  type: TransactionType;
  actor: string;
  /** A session of the actor that must still be live when the request is posted; null if the caller needs no session. */
  session: string | null;
  receiver: string | null;
  amountCents: bigint;
  description: string;
  reference: string;
  /** Unique per request; derived from the caller's key if there is one. */
  keyHash: string;
  requestHash: string;
  /** Whether the caller supplied the key. If so, a refusal by the ledger is stored with it. */
  isKeyed: boolean;
  address: string;
  bank: { bankName: string; accountName: string; accountNumber: string } | null;
  /** The hash of the proof of a step-up. */
  proofHash: string | null;
};

/** A customer with their current name. */
export type Party = { _id: string; firstName: string; lastName: string };

/**
 * `outcome`: see the lists in `db/migrations/0005_posting.sql` and `0031_posting.sql`. The first that applies is the
 * answer, in this order: the session (10), the key (1, 2 or its stored refusal), the administrator of a credit (15), the sender
 * (11, 12, 13), the accounts and the balance (21, 22 or 12, 23, 24), the daily limit (25), the step-up (14). `id`: the id of
 * the transaction; for a repeated key, of the first one with that key.
 * `sender` and `receiver`: the customers named in the request; undefined for the bank's own accounts.
 */
export type PostOutcome = {
  outcome: number;
  id: string;
  postedAt: Date;
  sender: Party | undefined;
  receiver: Party | undefined;
};

export const postStatement = {
  name: 'post',
  // Lists are returned as text with separators: parsing arrays would double the time that reading the answer takes.
  text: `SELECT array_to_string(outcomes, ',') AS outcomes, array_to_string(ids, ',') AS ids,
      array_to_string(senders, E'\\x1e', '') AS senders, array_to_string(receivers, E'\\x1e', '') AS receivers, posted_at
    FROM post_group($1::smallint, $2::bigint, $3::uuid[], $4::transaction_type[], $5::uuid[], $6::uuid[], $7::text[],
      $8::bigint[], $9::text[], $10::text[], $11::uuid[], $12::uuid[], $13::boolean[], $14::text[], $15::text[], $16::text[],
      $17::text[], $18::uuid[])`,
};

export type PostedGroup = {
  outcomes: string;
  ids: string;
  senders: string;
  receivers: string;
  posted_at: Date;
};

function toParty(name: string): Party | undefined {
  if (name === '') return undefined;
  const [_id, firstName, lastName] = name.split('\u001f') as [string, string, string];
  return { _id, firstName, lastName };
}

/** Columns whose values contain no quotes or commas: ids, numbers, flags and generated text. */
type PlainColumn = Exclude<keyof PostRequest, 'receiver' | 'description' | 'address' | 'bank'>;

/** The arguments of `post_group` for these requests, in order. */
export function postParameters(shard: number, requests: PostRequest[], stepUpFromCents?: bigint): unknown[] {
  // Makes the array literal here, instead of in the driver: these values need no escaping.
  const plain = (name: PlainColumn) => `{${requests.map(request => request[name] ?? 'NULL').join(',')}}`;
  const bankColumn = (name: keyof NonNullable<PostRequest['bank']>) =>
    requests.some(r => r.bank) ? requests.map(r => r.bank?.[name] ?? null) : null;
  return [
    shard,
    stepUpFromCents ?? null,
    plain('id'),
    plain('type'),
    plain('actor'),
    plain('session'),
    requests.map(r => r.receiver),
    plain('amountCents'),
    requests.map(r => r.description),
    plain('reference'),
    plain('keyHash'),
    plain('requestHash'),
    plain('isKeyed'),
    requests.map(r => r.address),
    bankColumn('bankName'),
    bankColumn('accountName'),
    bankColumn('accountNumber'),
    requests.some(r => r.proofHash !== null) ? plain('proofHash') : null,
  ];
}

/** Posts one request as part of the caller's transaction. */
export async function postWithin(tx: Tx, request: PostRequest): Promise<PostOutcome> {
  const query = CompiledQuery.raw(postStatement.text, postParameters(0, [request]));
  const { rows } = await tx.executeQuery<PostedGroup>(query);
  return readOutcomes(rows[0]!, 1)[0]!;
}

export function readOutcomes(posted: PostedGroup, count: number): PostOutcome[] {
  const outcomes = posted.outcomes.split(',');
  const ids = posted.ids.split(',');
  const senders = posted.senders.split('\u001e');
  const receivers = posted.receivers.split('\u001e');
  for (const list of [outcomes, ids, senders, receivers]) {
    if (list.length !== count) throw new Error('The number of outcomes differs from the number of requests.');
  }
  return outcomes.map((outcome, i) => ({
    outcome: Number(outcome),
    id: ids[i]!,
    postedAt: posted.posted_at,
    sender: toParty(senders[i]!),
    receiver: toParty(receivers[i]!),
  }));
}
